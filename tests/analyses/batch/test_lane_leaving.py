"""Runs that leave their lanes go on from their last state, and come back. Oracles: closed forms; the same runs in another
order, on other lanes, by other threads, to the last bit."""

import signal
import threading
import time

import numpy as np
import pytest

import mekane as mk
from mekane.analyses.batch import lane_runs
from mekane.analyses.batch.lane_runs import LaneEngine
from mekane.analyses.batch.leaving import Leaving
from mekane.analyses.batch.runs import DONE, FAILED, MISSING, STEP_VANISHED, Batch
from mekane.errors import ModelError
from mekane.solvers.lanes.lane_state import IS_STIFF, SINGULAR
from mekane.solvers.lanes.threads import run_on_threads

RATES = np.linspace(0.5, 2.0, 12)


def parallelogram_batch(rates=RATES):
    """No gravity: the cranks turn steadily, through positions in which all links are in line and rows lose their rank."""
    s = mk.System("parallelogram", gravity=(0, 0, 0))
    s.body("crank", 1.0, (0.1, 0.1, 0.1), position=(0, 0, 0.5))
    s.body("coupler", 1.0, (0.1, 0.1, 0.1), position=(1, 0, 1))
    s.body("rocker", 1.0, (0.1, 0.1, 0.1), position=(2, 0, 0.5))
    for name, one, two, at in (
        ("A", "ground", "crank", (0, 0, 0)), ("B", "crank", "coupler", (0, 0, 1)),
        ("C", "coupler", "rocker", (2, 0, 1)), ("D", "ground", "rocker", (2, 0, 0)),
    ):  # fmt: skip
        s.pin(name, one, two, at=at, axis="y", **({"rate": 1.0} if name == "A" else {}))
    channels = ("A.angle", "D.angle", "coupler.position.x")
    return Batch(s, {"A.rate": rates}, np.linspace(0.0, 8.0, 33), channels, dict(rtol=1e-8, atol=1e-10, step=0.2))


@pytest.fixture
def never_anew(monkeypatch):
    """No run begins again at its start."""

    def refuse(*_):
        raise AssertionError("a run began anew")

    monkeypatch.setattr(lane_runs, "run_into", refuse)


def test_runs_pass_singular_positions_and_come_back(never_anew):
    """Angles are rate times time, whole turns counted, and the coupler moves along. Tolerance: a hundred times rtol of the
    largest angle, as each passage near such a position loses digits."""
    batch = parallelogram_batch()
    engine = LaneEngine(batch, 4)
    runs = engine.runs()
    run_on_threads(*engine.arguments(runs))
    left = np.flatnonzero(runs.outcome == SINGULAR)
    assert len(left) >= 3 and (runs.now[left] > 0.0).all()
    back = Leaving(engine, runs).go_on()
    assert len(back) >= 3 and set(back) <= set(left.tolist()) and (runs.now[back] < 8.0).all()
    found, angle = engine.run(), RATES[:, None] * batch.times
    assert (found.outcome == DONE).all() and not found.messages
    exact = np.stack([angle, angle, 1.0 + np.sin(angle)], axis=2)
    assert np.abs(found.values - exact)[left].max() < 1e-6 * angle.max()


def test_bits_of_runs_that_leave_depend_on_the_run_alone():
    order = np.random.default_rng(3).permutation(len(RATES))
    found = LaneEngine(parallelogram_batch(), 4).run(2).values
    assert LaneEngine(parallelogram_batch(RATES[order]), 8).run(1).values.tobytes() == found[order].tobytes()


def test_a_run_that_cannot_be_taken_on_fails_alone(monkeypatch):
    """It is tried once, and has a sentence and no numbers; the others end."""
    taken, take_on = [], Leaving.take_on

    def refuse_one(self, run, back):
        taken.append(run)
        if run == broken:
            raise ModelError("motor", "it is broken", "one that works")
        take_on(self, run, back)

    engine = LaneEngine(parallelogram_batch(), 4)
    runs = engine.runs()
    run_on_threads(*engine.arguments(runs))
    broken = int(np.flatnonzero(runs.outcome == SINGULAR)[0])
    monkeypatch.setattr(Leaving, "take_on", refuse_one)
    found = engine.run()
    assert taken.count(broken) == 1 and "it is broken" in found.messages[broken]
    assert found.outcome[broken] == FAILED and np.isnan(found.values[broken]).all()
    assert (np.delete(found.outcome, broken) == DONE).all()


def test_ctrl_c_while_runs_are_taken_on(monkeypatch):
    """A signal while the first of them is computed: what has ended is kept to the last bit, the others are missing."""
    whole, take_on, taken = LaneEngine(parallelogram_batch(), 4).run(1), Leaving.take_on, []

    def press(self, run, back):
        taken.append(run)
        if len(taken) == 1:
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
            time.sleep(0.05)
        take_on(self, run, back)

    monkeypatch.setattr(Leaving, "take_on", press)
    found = LaneEngine(parallelogram_batch(), 4).run(1)
    missing = found.outcome == MISSING
    assert 0 < missing.sum() < len(RATES) and len(taken) < 3 and not found.messages
    assert (found.outcome[~missing] == DONE).all()
    assert found.values[~missing].tobytes() == whole.values[~missing].tobytes()
    assert np.isnan(found.values[missing]).all()  # not what there is of them


def stiff_batch(law, end):
    s = mk.System("sliding", gravity=(0, 0, 0))
    s.parameter("k", 1.0)
    s.slider("rail", s.ground, s.body("mass", 1.0), at=(0, 0, 0), axis="z")
    s.motor("law", "rail", force=law)
    return Batch(s, {"k": np.array([1.0, 1e6])}, np.linspace(0.0, end, 9), ("rail.displacement",), {})


def test_a_stiff_run_goes_on_from_where_it_left(never_anew):
    """x'' = 1 − k x': x = t/k − (1 − e^(−k t))/k². Both errors are about atol, and the slow one grows with time."""
    batch = stiff_batch("1 - k*rail.displacement.rate", 10.0)
    engine = LaneEngine(batch, 4)
    runs = engine.runs()
    run_on_threads(*engine.arguments(runs))
    assert runs.outcome[1] == IS_STIFF and 0.0 < runs.now[1] < 1.0
    found, k, t = engine.run(), batch.varied["k"][:, None], batch.times
    exact = t / k - (1 - np.exp(-k * t)) / k**2
    assert (found.outcome == DONE).all() and np.abs(found.values[:, :, 0] - exact).max() < 1e-8
    assert found.steps[1] < 10_000


def test_a_run_that_fails_after_it_left_says_when():
    """The same, but its force has no value after t = 5 s: the sentence is that of mk.simulate, and NaN follows."""
    batch = stiff_batch("1 - k*rail.displacement.rate + 1e-9*(5 - t)**0.5", 10.0)
    found = LaneEngine(batch, 4).run()
    assert (found.outcome != DONE).all() and STEP_VANISHED in found.outcome
    assert all("t = 5" in found.messages[run] or "t = 4.99" in found.messages[run] for run in range(2))
    assert np.isfinite(found.values[:, :4]).all() and np.isnan(found.values[:, 5:]).all()
