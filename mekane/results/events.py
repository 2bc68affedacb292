"""The table of events of a run: when, what happened, what changed, impulses in joints, energies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from mekane.errors import many


class HappenedEvent(NamedTuple):
    """One line of the table."""

    time: float  # [s]
    event: str  # its name
    changes: dict[str, tuple[float, float]]  # of inputs, variables and what is active: before, after
    impulses: dict[str, Any]  # joint or constraint → (impulse [N s], angular impulse [N m s]) on its body b, world axes
    kinetic_energy: tuple[float, float]  # before, after [J]
    energy: tuple[float, float]  # kinetic, and that stored in springs and the like: before, after [J]
    kind: str = "event"  # or of contact laws: "impact"; "modes" (something opens, slides or sticks); "jam"
    contact_impulses: dict[str, Any] = {}  # contact → normal impulse, then along its tangents [N s]
    losses: dict[str, float] = {}  # contact → energy that an impact took there [J]
    rest: float | None = None  # where bounces that were too low to be followed would have ended [s]


class Events(Sequence):
    """run.events: lines in the order in which they happened; printed as a table; .to_pandas()."""

    def __init__(self, entries):
        self._lines = [line_of(entry) for entry in entries]

    def __len__(self):
        return len(self._lines)

    def __getitem__(self, k):
        return self._lines[k]

    def of(self, name: str) -> list[HappenedEvent]:
        """The lines of one event."""
        return [line for line in self._lines if line.event == name]

    @property
    def times(self) -> np.ndarray:
        """[s]"""
        return np.array([line.time for line in self._lines])

    def to_pandas(self):
        import pandas

        return pandas.DataFrame([row_of(line) for line in self._lines], columns=COLUMNS)

    def __repr__(self):
        if not self._lines:
            return "no events"
        lines, more = shortened(self._lines)
        rows = [COLUMNS, *([str(cell) for cell in row_of(line)] for line in lines)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return "\n".join(["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows] + more)


MOST_LINES = 40  # that are printed


def shortened(lines, most=MOST_LINES):
    """The first lines of a long table, and a line that gives the number of the others, if there are any."""
    more = len(lines) - most
    return (lines[:most], [f"… and {many(more, 'event')} more"]) if more > 0 else (lines, [])


COLUMNS = ["time [s]", "event", "what changed", "impulses [N s]", "energy before [J]", "energy after [J]"]


def line_of(entry):
    impulses = {name: (np.array(one["impulse"]), np.array(one["angular"])) for name, one in entry["impulses"].items()}
    changes = {name: tuple(pair) for name, pair in entry["changes"].items()}
    contact = {name: np.array(one) for name, one in entry.get("contact_impulses", {}).items()}
    return HappenedEvent(
        entry["time"], entry["event"], changes, impulses, tuple(entry["kinetic_energy"]), tuple(entry["energy"]),
        entry.get("kind", "event"), contact, dict(entry.get("losses", {})), entry.get("rest"),
    )  # fmt: skip


def row_of(line):
    changes = ", ".join(f"{name}: {before:g} → {after:g}" for name, (before, after) in line.changes.items())
    sizes = {name: float(np.linalg.norm(impulse)) for name, (impulse, _) in line.impulses.items()}
    impulses = ", ".join(f"{name}: {size:.6g}" for name, size in sizes.items() if size > 1e-12)
    return f"{line.time:.9g}", line.event, changes, impulses, f"{line.energy[0]:.9g}", f"{line.energy[1]:.9g}"
