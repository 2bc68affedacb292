"""Many runs by loop kernels on lanes, as large models have them. Oracles: runs one by one, by another loop over other code;
the same runs in another order, on other lanes, by other threads, to the last bit. Loop kernels are compiled for each number
of lanes: see tests/kernels/test_kernels_on_lanes.py."""

import lane_systems
import numpy as np
import pytest

from mekane.analyses.batch import lane_model
from mekane.analyses.batch.lane_runs import LaneEngine, run_on_lanes
from mekane.analyses.batch.runs import DONE
from mekane.solvers.lanes.loop_code import STRAIGHT_SPEEDS
from mekane.solvers.lanes.threads import lanes_of_processor

WIDE = lanes_of_processor()

BATCHES = {
    "chain": lane_systems.chain_batch, "four-bar": lane_systems.four_bar_batch, "squeezer": lane_systems.squeezer_batch,
}  # fmt: skip


@pytest.fixture
def no_straight_code(monkeypatch):
    monkeypatch.setattr(lane_model, "STRAIGHT_SPEEDS", 0)


@pytest.mark.divided("name", 2)
@pytest.mark.parametrize("name", BATCHES)
def test_runs_by_loops_are_those_one_by_one(name, no_straight_code):
    """Tolerance as in test_lane_runs.py: a thousand times that of the runs, of the largest value."""
    batch = BATCHES[name](6, rtol=1e-9, atol=1e-11)
    engine = LaneEngine(batch, WIDE)
    runs = engine.run()
    assert (runs.outcome == DONE).all() and not runs.messages
    assert engine.loops and "rhs" not in engine.model.code.functions
    values = lane_systems.run_alone(batch, 5)
    scale = np.abs(values).max(axis=0) + 1e-3
    assert (np.abs(runs.values[5] - values).max(axis=0) < 1e-6 * scale).all()


@pytest.mark.divided("name", 2)
@pytest.mark.parametrize("lanes", [WIDE, pytest.param(1, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("name", ["chain", "four-bar"])
def test_bits_depend_on_the_run_alone(name, lanes, no_straight_code):
    batch, order = BATCHES[name](19), np.random.default_rng(2).permutation(19)
    mixed = batch._replace(varied={name: values[order] for name, values in batch.varied.items()})
    found = run_on_lanes(batch, threads=2, lanes=WIDE).values
    for threads in (1, 3):
        assert run_on_lanes(mixed, threads=threads, lanes=lanes).values.tobytes() == found[order].tobytes()


def test_a_large_chain_runs_on_loops():
    """Beyond STRAIGHT_SPEEDS; one run against the engine of mk.simulate."""
    batch = lane_systems.chain_batch(8, n=STRAIGHT_SPEEDS + 2, t_end=0.2)
    batch = batch._replace(channels=batch.channels[:3])  # others are long to trace
    engine = LaneEngine(batch, WIDE)
    runs = engine.run()
    assert engine.loops and (runs.outcome == DONE).all()
    values = lane_systems.run_alone(batch, 3)
    scale = np.abs(values).max(axis=0) + 1e-3
    assert (np.abs(runs.values[3] - values).max(axis=0) < 1e-4 * scale).all()
