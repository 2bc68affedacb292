"""All mechanisms of the gallery that lanes can do, with a mass that varies. Oracle: the same runs one by one."""

import lane_systems
import numpy as np
import pytest

from mekane.analyses.batch.lane_runs import LaneEngine, NotOnLanes
from mekane.analyses.batch.runs import DONE, Batch
from mekane.errors import ModelError
from mekane.gallery import mechanisms


def varied_number(system):
    """A parameter, or else the first mass that was given as a number."""
    if system.parameters:
        return next(iter(system.parameters))
    return next(f"{body}.mass" for body in system.bodies if is_number(system, f"{body}.mass"))


def is_number(system, address):
    try:
        return bool(system.named([address]))
    except ModelError:
        return False


def batch_of(mechanism, runs=4):
    """A number varied by a thousandth; a fifth of a second, in which no chaos makes errors grow; joints and bodies."""
    system = mechanism.system()
    varied = lane_systems.varied_by(system, [varied_number(system)], runs, share=1e-3)
    channels = [f"{name}.{m.name}" for name, joint in system.joints.items() for m in joint.measures()]
    channels += [f"{name}.{what}.x" for name in system.bodies for what in ("position", "velocity", "acceleration")]
    times = np.linspace(0.0, min(mechanism.t_end, 0.2), 6)
    return Batch(system, varied, times, tuple(channels[:12]), {})


# what lanes cannot do, by what they say
REFUSED = ("contact laws", "compare numbers", "nothing can move", "events", "controllers", "Python function", "method=")


@pytest.mark.divided("mechanism", 3)
@pytest.mark.parametrize("mechanism", mechanisms(), ids=lambda mechanism: mechanism.name)
def test_lanes_and_runs_one_by_one_agree(mechanism):
    batch = batch_of(mechanism)
    try:
        found = LaneEngine(batch, 4).run()
    except NotOnLanes as reason:
        assert any(words in str(reason) for words in REFUSED)
        return
    assert (found.outcome == DONE).all()
    values = lane_systems.run_alone(batch, 3)
    scale = np.abs(values).max(axis=0) + 1e-3
    assert (np.abs(found.values[3] - values).max(axis=0) < 1e-6 * scale).all()
