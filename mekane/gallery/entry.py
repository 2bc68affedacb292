"""What an entry of the gallery is: a mechanism, how to run it, and the answers it must give."""

from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple

import numpy as np

from mekane import formulations
from mekane.model.system import System

EVERY = ("joint", *(name for name in formulations.NAMES if name != "joint"))
HEADINGS = ["reference check", "t [s]", "expected", "found", "error", "tolerance", ""]


@dataclass(frozen=True)
class Check:
    """One number that a run must meet."""

    what: str  # a phrase, with its unit
    t: float  # when [s]
    # a channel such as "crank.angle", or a function of the run; it gives the quantity at every sample
    read: str | Callable
    expected: float
    tolerance: float
    relative: bool = False  # the tolerance is a share of the expected value
    why: str = ""  # where the number comes from, and why the tolerance is what it is

    def found(self, run) -> float:
        """The quantity in this run, at the sample of time t."""
        values = np.asarray(run[self.read] if isinstance(self.read, str) else self.read(run), float)
        return float(values[_sample_at(run, self.t)])

    def against(self, run) -> "Outcome":
        found = self.found(run)
        error = abs(found - self.expected)
        if self.relative:
            error /= abs(self.expected)
        return Outcome(self, found, error)


class Outcome(NamedTuple):
    """What a run gave for a check."""

    check: Check
    found: float
    error: float

    @property
    def met(self) -> bool:
        return bool(self.error <= self.check.tolerance)  # False for nan

    @property
    def row(self) -> list[str]:
        """What stands in a table below HEADINGS."""
        c, share = self.check, " of it" if self.check.relative else ""
        numbers = [
            f"{c.t:g}",
            f"{c.expected:.10g}",
            f"{self.found:.10g}",
            f"{self.error:.1e}{share}",
            f"{c.tolerance:.1e}{share}",
        ]
        return [c.what, *numbers, "ok" if self.met else "OFF"]

    def __str__(self) -> str:
        c, verdict = self.check, "ok " if self.met else "OFF"
        error = f"error {self.error:.1e} of {c.tolerance:.0e}{' (relative)' if c.relative else ''}"
        return f"{verdict} {c.what} at t = {c.t:g} s: {self.found:.15g}, expected {c.expected:.15g}, {error}"


@dataclass(frozen=True)
class Mechanism:
    """A mechanism of the gallery.

    1. `system()` builds it anew, in the state it starts from;
    2. `t_end`, `every` and `options` (keywords of mk.simulate) are how it is run unless others are given;
    3. `checks` are numbers that run must meet; where an exact solution exists, `exact(t)` gives it by channel or by a
    name of its own; 4. `formulations` names those that can run it; if one is missing, `only_because` gives the reason.
    """

    name: str
    title: str
    source: str
    system: Callable[[], System]
    t_end: float
    every: float | None = None
    options: dict = field(default_factory=dict)
    checks: tuple[Check, ...] = ()
    exact: Callable[[np.ndarray], dict] | None = None
    formulations: tuple[str, ...] = EVERY
    only_because: str = ""

    def run(self, t_end: float | None = None, **changes):
        """Simulate it, sampled at every time that is checked; `changes` replace its own options."""
        from mekane.analyses.simulate import simulate

        t_end = self.t_end if t_end is None else t_end
        keywords = {"every": self.times(t_end), **self.options, **changes}
        return simulate(self.system(), t_end, **keywords)

    def times(self, t_end: float) -> np.ndarray:
        """An even grid of samples together with the times of all checks."""
        from mekane.analyses.simulate import sample_times

        grid = sample_times(t_end, self.every)
        wanted = [check.t for check in self.checks if check.t <= t_end and not np.any(_same(grid, check.t))]
        return np.unique(np.concatenate([grid, wanted]))

    def outcomes(self, run) -> list[Outcome]:
        """Every check within the time of the run, which may have been stopped early."""
        end = run.t[-1] if len(run.t) else -1.0
        return [check.against(run) for check in self.checks if check.t <= end or _same(end, check.t)]


def checks(text: str, read: dict, tolerance: float | None, why: str, relative: bool = False) -> tuple[Check, ...]:
    """Checks from a table as printed: a line of headings that begins with t, then one line for each time. A dash is no
    number.

    `read` gives for each heading what is read from the run: a channel or a function; columns it does not have are left
    out. Without a tolerance a number must agree to its last printed digit.
    """
    head, *rows = [line.split() for line in text.strip().splitlines()]
    found = []
    for row in rows:
        for name, number in zip(head[1:], row[1:], strict=True):
            if name in read and number != "-":
                allowed = half_a_digit(number) if tolerance is None else tolerance
                found.append(Check(name, float(row[0]), read[name], float(number), allowed, relative, why))
    return tuple(found)


def checks_of(exact: Callable, times, read: dict, tolerance: float, why: str) -> tuple[Check, ...]:
    """Checks against an exact solution at these times, of all that `read` has."""
    answers = exact(np.array(times, float))
    return tuple(
        Check(what, t, read[what], float(answers[what][i]), tolerance, why=why)
        for i, t in enumerate(times)
        for what in read
    )


def half_a_digit(number: str) -> float:
    """Half a unit of the last digit of a printed number, and a hair more, since what was rounded may lie at the
    edge."""
    return 0.5 * 10.0 ** Decimal(number).as_tuple().exponent * 1.02


def _sample_at(run, t: float) -> int:
    times = np.asarray(run.t, float)
    k = int(np.argmin(np.abs(times - t)))
    if not _same(times[k], t):
        raise LookupError(f"the run has no sample at t = {t:g} s; the nearest is {times[k]:g} s")
    return k


def _same(a, b):
    return np.abs(np.asarray(a) - b) <= 1e-9 * max(abs(b), 1e-6)
