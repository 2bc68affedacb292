"""What many runs of one system are, and what comes of them, whichever engine computes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from mekane.model.system import System

# outcomes of a run; INACCURATE: it reached its end, but its error is larger than it should be, or not known
DONE, STEP_VANISHED, NOT_FINITE, TOO_LONG, FAILED, MISSING, INACCURATE = range(7)
COMPLETE = DONE, INACCURATE
SAME = 1e-12  # relative: at the same instant


class Batch(NamedTuple):
    """Runs that differ in numbers only: the same parts, formulation and samples."""

    system: System
    varied: dict[str, np.ndarray]  # numbers by name (parameters, "crank.mass", "hinge.rate"), one for each run, in SI
    times: np.ndarray  # (samples,) [s], of every run; the last is its end
    channels: tuple[str, ...]  # quantities as run[name] has them, scalars: "hinge.angle", "wrist.reaction.force.x"
    settings: dict  # of mk.simulate: rtol, atol, formulation, …
    error: float | bool | None = None  # True: estimate the global error of each run; a number: make it so small

    @property
    def count(self) -> int:
        return len(next(iter(self.varied.values()), ()))


class Runs(NamedTuple):
    """What came of them. A run that failed has NaN after its last good sample. The last sample of a run that an event ended
    is of that instant: it stands where the next one would have been."""

    values: np.ndarray  # (runs, samples, channels)
    outcome: np.ndarray  # (runs,) DONE …
    steps: np.ndarray  # (runs,) accepted steps
    messages: dict[int, str]  # run: why it failed
    ends: dict[int, float]  # run: the instant at which an event ended it [s]
    states: (
        np.ndarray
    )  # (runs, samples, coordinates, speeds and what else is integrated); empty where they are not kept
    error: np.ndarray  # (runs,) estimated global error as a share of the motion; NaN where there is no estimate
    rtol: np.ndarray  # (runs,) with which each was computed, where its error was estimated


def empty_runs(count, samples, channels, state=0):
    """Runs that are all MISSING. channels, state: how many numbers are kept of each sample."""
    values, states = (np.full((count, samples, n), np.nan) for n in (channels, state))
    outcome, steps = np.full(count, MISSING, np.int8), np.zeros(count, np.int64)
    return Runs(values, outcome, steps, {}, {}, states, np.full(count, np.nan), np.full(count, np.nan))


def place_of_end(times, end):
    """Number of the sample in whose place the instant stands at which an event ended a run."""
    return int(np.searchsorted(times, (1.0 - SAME) * end))
