"""Which engine computes many runs: SIMD lanes where the model fits them, else the engine of mk.simulate one by one."""

from typing import NamedTuple

from mekane.analyses.batch.lane_channels import NotOnLanes
from mekane.analyses.batch.lane_runs import engine_of, run_on_lanes
from mekane.analyses.batch.one_by_one import run_one_by_one
from mekane.analyses.batch.runs import Runs, empty_runs
from mekane.errors import ModelError
from mekane.solvers.lanes.threads import lanes_of_processor

LANES, ONE_BY_ONE = "lanes", "one by one"
ENGINES = ("auto", LANES, ONE_BY_ONE)


class Computed(NamedTuple):
    """Runs, the engine that computed them, and why it was that one."""

    runs: Runs
    engine: str
    reason: str


def run_batch(batch, engine="auto", threads=None, progress=None, made=None) -> Computed:
    """Compute a Batch. Ctrl-C leaves runs MISSING. made: see lane_runs.engine_of."""
    reason = "it was chosen"
    if engine != ONE_BY_ONE:
        try:
            found = run_on_lanes(batch, threads=threads, progress=progress, made=made)
            return Computed(found, LANES, "the model fits them")
        except KeyboardInterrupt:
            return Computed(empty_runs(batch.count, len(batch.times), len(batch.channels)), LANES, "interrupted")
        except NotOnLanes as error:
            if engine == LANES:
                raise refused(error) from None
            reason = str(error)
    return Computed(run_one_by_one(batch, threads, progress), ONE_BY_ONE, reason)


def check_lanes(batch, made=None):
    """Raise where a Batch cannot be on lanes. Nothing is run."""
    try:
        engine_of(batch, lanes_of_processor(), made)
    except NotOnLanes as error:
        raise refused(error) from None


def refused(reason):
    problem = f"it is {LANES!r}, and this model cannot run on them: {reason}"
    return ModelError("engine", problem, "a model that fits is expected", 'Write engine="auto".')
