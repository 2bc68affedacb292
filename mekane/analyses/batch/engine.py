"""Which engine computes many runs: SIMD lanes where the model fits them, else the engine of mk.simulate one by one."""

from typing import NamedTuple

from mekane.analyses.batch.one_by_one import empty_runs, run_one_by_one
from mekane.analyses.batch.runs import Runs

LANES, ONE_BY_ONE = "lanes", "one by one"
ENGINES = ("auto", LANES, ONE_BY_ONE)


class Computed(NamedTuple):
    """Runs, the engine that computed them, and why it was that one."""

    runs: Runs
    engine: str
    reason: str


def run_batch(batch, engine="auto", threads=None, progress=None) -> Computed:
    """Compute a Batch. Ctrl-C leaves runs MISSING."""
    reason = "it was chosen"
    if engine != ONE_BY_ONE:
        lanes = lane_engine()
        try:
            if lanes is None:
                raise NotImplementedError("lanes are not part of this Mekane")
            return Computed(lanes.run_on_lanes(batch, threads=threads, progress=progress), LANES, "the model fits them")
        except KeyboardInterrupt:
            return Computed(empty_runs(batch.count, len(batch.times), len(batch.channels)), LANES, "interrupted")
        except not_on_lanes(lanes) as error:
            if engine == LANES:
                raise
            reason = str(error)
    return Computed(run_one_by_one(batch, threads, progress), ONE_BY_ONE, reason)


def lane_engine():
    """The module of the lanes; None where there is none."""
    try:
        from mekane.analyses.batch import lane_runs
    except ImportError:
        return None
    return lane_runs


def not_on_lanes(lanes):
    return NotImplementedError if lanes is None else lanes.NotOnLanes
