"""Many runs on lanes. Oracles: runs one by one, by another loop over other code; the same runs in another order, on other
lanes, by other threads, to the last bit."""

import lane_systems
import numpy as np
import pytest

from mekane.analyses.batch.lane_runs import LaneEngine, run_on_lanes
from mekane.analyses.batch.runs import DONE
from mekane.analyses.batch.single_run import run_alone

BATCHES = {
    "chain": lane_systems.chain_batch, "four-bar": lane_systems.four_bar_batch, "squeezer": lane_systems.squeezer_batch,
}  # fmt: skip


@pytest.mark.parametrize("name", BATCHES)
def test_runs_on_lanes_are_those_one_by_one(name):
    """Errors of both are about the tolerance times the length of the run: a thousand times the tolerance, of the largest
    value, is far above them and far below any mistake."""
    batch = BATCHES[name](6, rtol=1e-9, atol=1e-11)
    runs = run_on_lanes(batch)
    assert (runs.outcome == DONE).all() and not runs.messages
    for run in (0, 5):
        values, *_ = run_alone(batch, run)
        scale = np.abs(values).max(axis=0) + 1e-3
        assert (np.abs(runs.values[run] - values).max(axis=0) < 1e-6 * scale).all()


def reordered(batch, order):
    return batch._replace(varied={name: values[order] for name, values in batch.varied.items()})


@pytest.mark.parametrize("name", BATCHES)
def test_bits_depend_on_the_run_alone(name):
    batch, order = BATCHES[name](19), np.random.default_rng(2).permutation(19)
    found = run_on_lanes(batch, threads=2, lanes=8).values
    for lanes, threads in ((1, 1), (4, 3), (8, 1)):
        mixed = LaneEngine(reordered(batch, order), lanes).run(threads).values
        assert mixed.tobytes() == found[order].tobytes()
    alone = run_on_lanes(reordered(batch, [7])).values
    assert alone.tobytes() == found[7:8].tobytes()
