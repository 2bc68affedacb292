"""Initial states assembled on lanes. Oracle: assembly of each run by itself, with dense matrices and other code."""

import lane_systems
import numpy as np
import pytest

from mekane.analyses.batch.lane_assembly import lane_assembly
from mekane.analyses.batch.lane_runs import LaneEngine, run_on_lanes, size_of
from mekane.analyses.batch.runs import DONE, FAILED, Batch
from mekane.analyses.batch.starts import assembled_starts
from mekane.gallery import four_bar, squeezer


def resting_four_bar():
    system = four_bar.system()
    system.replace("J1", rate=None)
    return system


CASES = {
    "four-bar": (resting_four_bar, ["J2.on_b.x", "J3.on_a.x", "J3.on_a.y"], ("J1.angle", "J4.angle", "link3.position.x")),
    "squeezer": (squeezer.system, ["ball 1.on_b.x", "ball 2.on_b.y"], ("K1.position.x", "K3.position.y")),
}  # fmt: skip


def batch_of(name, runs=9, **settings):
    make, names, channels = CASES[name]
    system = make()
    varied = lane_systems.varied_by(system, names, runs, share=3e-3)
    return Batch(system, varied, np.linspace(0.0, 0.03, 7), channels, settings)


@pytest.mark.divided("name", 2)
@pytest.mark.parametrize("name", CASES)
def test_starts_are_those_of_assembly_one_by_one(name):
    """Points of joints vary by 0.3 %, bodies move by millimetres; both ways stop at round-off."""
    batch = batch_of(name)
    engine = LaneEngine(batch, 4)
    assert engine.model.start is None and lane_assembly(engine.varied, engine.model, size_of(batch.system), 4)
    found, one_by_one = engine.inputs()[0], assembled_starts(batch, engine.varied, len(engine.solver.y))
    assert np.abs(one_by_one - engine.solver.y).max() > 1e-4
    assert np.abs(found - one_by_one).max() < 1e-13


@pytest.mark.divided("name", 2)
@pytest.mark.parametrize("name", CASES)
def test_runs_from_assembled_starts(name):
    batch = batch_of(name)
    runs = run_on_lanes(batch)
    values = lane_systems.run_alone(batch, 5)
    assert (runs.outcome == DONE).all()
    assert (np.abs(runs.values[5] - values).max(axis=0) < 1e-6 * (np.abs(values).max(axis=0) + 1e-3)).all()
    assert LaneEngine(batch, 1).run(1).values.tobytes() == runs.values.tobytes()


def test_a_loop_that_cannot_close_is_a_value():
    """A coupler ten times too long: the run says why, the others go on."""
    batch = batch_of("four-bar", 3)
    batch.varied["J3.on_a.x"][1] *= 10.0
    runs = run_on_lanes(batch)
    assert list(runs.outcome) == [DONE, FAILED, DONE]
    assert "cannot be closed" in runs.messages[1]
