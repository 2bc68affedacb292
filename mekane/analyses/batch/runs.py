"""What many runs of one system are, and what comes of them, whichever engine computes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from mekane.model.system import System

# outcomes of a run
DONE, STEP_VANISHED, NOT_FINITE, TOO_LONG, FAILED, MISSING = range(6)


class Batch(NamedTuple):
    """Runs that differ in numbers only: the same parts, formulation and samples."""

    system: System
    varied: dict[str, np.ndarray]  # numbers by name (parameters, "crank.mass", "hinge.rate"), one for each run, in SI
    times: np.ndarray  # (samples,) [s], of every run; the last is its end
    channels: tuple[str, ...]  # quantities as run[name] has them, scalars: "hinge.angle", "wrist.reaction.force.x"
    settings: dict  # of mk.simulate: rtol, atol, formulation, …

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
