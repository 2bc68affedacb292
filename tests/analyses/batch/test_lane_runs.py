"""Many runs on lanes. Oracles: runs one by one, by another loop over other code; the same runs in another order, on other
lanes, by other threads, to the last bit."""

import lane_systems
import numpy as np
import pytest

import mekane as mk
from mekane.analyses.batch.lane_runs import LaneEngine, NotOnLanes, run_on_lanes
from mekane.analyses.batch.runs import DONE, FAILED, MISSING, Batch
from mekane.solvers.lanes.lane_state import NOT_FINITE
from mekane.solvers.lanes.threads import run_on_threads

BATCHES = {
    "chain": lane_systems.chain_batch, "four-bar": lane_systems.four_bar_batch, "squeezer": lane_systems.squeezer_batch,
}  # fmt: skip


@pytest.mark.divided("name", 3)
@pytest.mark.parametrize("name", BATCHES)
def test_runs_on_lanes_are_those_one_by_one(name):
    """Errors of both are about the tolerance times the length of the run: a thousand times the tolerance, of the largest
    value, is far above them and far below any mistake."""
    batch = BATCHES[name](6, rtol=1e-9, atol=1e-11)
    runs = run_on_lanes(batch)
    assert (runs.outcome == DONE).all() and not runs.messages
    for run in (0, 5):
        values = lane_systems.run_alone(batch, run)
        scale = np.abs(values).max(axis=0) + 1e-3
        assert (np.abs(runs.values[run] - values).max(axis=0) < 1e-6 * scale).all()


def reordered(batch, order):
    return batch._replace(varied={name: values[order] for name, values in batch.varied.items()})


@pytest.mark.divided("name", 3)
@pytest.mark.parametrize("name", BATCHES)
def test_bits_depend_on_the_run_alone(name):
    batch, order = BATCHES[name](19), np.random.default_rng(2).permutation(19)
    found = run_on_lanes(batch, threads=2, lanes=8).values
    for lanes, threads in ((1, 1), (4, 3), (8, 1)):
        mixed = LaneEngine(reordered(batch, order), lanes).run(threads).values
        assert mixed.tobytes() == found[order].tobytes()
    alone = run_on_lanes(reordered(batch, [7])).values
    assert alone.tobytes() == found[7:8].tobytes()


@pytest.mark.divided("name", 3)
@pytest.mark.parametrize("name", BATCHES)
def test_neighbours_that_fail_change_nothing(name):
    """A start that is no number, an infinite one, and one so far that sines are left to the library of C."""
    engine = LaneEngine(BATCHES[name](11), 8)
    runs = engine.runs()
    run_on_threads(*engine.arguments(runs))
    beside = engine.runs()
    beside.start[[3, 7, 9], 0] = np.nan, 3e6, np.inf
    run_on_threads(*engine.arguments(beside))
    others = np.delete(np.arange(11), [3, 7, 9])
    assert beside.values[others].tobytes() == runs.values[others].tobytes()
    assert (beside.outcome[[3, 9]] == NOT_FINITE).all() and np.isnan(beside.values[[3, 9]][:, -1]).all()


def falling(law="-5", **settings):
    """A slider under a force; channels: where it is and how fast."""
    s = mk.System("falling", gravity=(0, 0, 0))
    s.parameter("k", 1.0)
    s.slider("rail", s.ground, s.body("mass", 1.0), at=(0, 0, 0), axis="z")
    s.motor("law", "rail", force=law)
    return s


def test_a_law_of_time_and_parameters():
    """x'' = sin(k t): x = t/k − sin(k t)/k²."""
    s, k, t = falling("sin(k*t)"), np.linspace(0.5, 2.0, 9), np.linspace(0.0, 3.0, 13)
    runs = run_on_lanes(Batch(s, {"k": k}, t, ("rail.displacement", "law.force"), {}))
    exact = t / k[:, None] - np.sin(k[:, None] * t) / k[:, None] ** 2
    assert np.abs(runs.values[:, :, 0] - exact).max() < 1e-9
    assert np.abs(runs.values[:, :, 1] - np.sin(k[:, None] * t)).max() < 1e-14


def test_a_motion_without_end_is_a_value():
    """x'' = 2 k x³, x(0) = 1, x'(0) = 1 … goes to infinity within the run for k = 1, not for k = 0."""
    s = falling("2*k*(1 + rail.displacement)**3")
    batch = Batch(s, {"k": np.array([0.0, 1.0, 0.0])}, np.linspace(0.0, 3.0, 7), ("rail.displacement",), {})
    runs = run_on_lanes(batch)
    assert list(runs.outcome == DONE) == [True, False, True] and set(runs.messages) == {1}
    assert "t = 1." in runs.messages[1]
    assert np.isfinite(runs.values[[0, 2]]).all()
    assert np.isfinite(runs.values[1, :2]).all() and np.isnan(runs.values[1, -1]).all()


def test_a_fixed_step():
    """By the classical method x'' = −k x, whose error falls with the fourth power of the step."""
    s, k, t = falling("-k*(1 + rail.displacement)"), np.array([1.0, 2.0, 4.0]), np.linspace(0.0, 2.0, 5)
    errors = []
    for step in (0.02, 0.01):
        runs = run_on_lanes(Batch(s, {"k": k}, t, ("rail.displacement",), {"method": "rk4", "step": step}))
        errors.append(np.abs(runs.values[:, :, 0] + 1 - np.cos(np.sqrt(k)[:, None] * t)).max())
    assert 14 < errors[0] / errors[1] < 18 and errors[1] < 1e-7


def test_stiff_runs_leave_their_lanes():
    """x'' = −k x' + …: with k = 1e6 for the implicit method, with k = 1 not."""
    s = falling("-k*rail.displacement.rate + 1")
    batch = Batch(s, {"k": np.array([1.0, 1e6])}, np.linspace(0.0, 10.0, 3), ("rail.displacement",), {})
    runs = run_on_lanes(batch)
    k, t = batch.varied["k"][:, None], batch.times
    exact = t / k - (1 - np.exp(-k * t)) / k**2
    assert (runs.outcome == DONE).all() and np.abs(runs.values[:, :, 0] - exact).max() < 1e-8
    assert runs.steps[1] < 10_000


def test_controller_states_and_work():
    """A slider under a PID force: its integral is a state, its work an integral of the state, whose error is not controlled."""
    s = falling("0")
    s.pid("drive", "rail", target=1.0, stiffness="10*k", damping=2.0, integral=3.0)
    batch = Batch(
        s, {"k": np.array([1.0, 2.0])}, np.linspace(0, 2, 5), ("drive.integral", "drive.work", "rail.displacement"), {}
    )
    runs = run_on_lanes(batch)
    for run in range(2):
        assert np.abs(runs.values[run] - lane_systems.run_alone(batch, run)).max() < 1e-6


def test_what_lanes_cannot_do_is_refused_with_a_reason():
    s = falling("1")
    s.event("turn", when="rail.displacement > k", set={"rail.displacement.rate": -1})
    with pytest.raises(NotOnLanes, match="events"):
        run_on_lanes(Batch(s, {"k": np.ones(2)}, np.linspace(0, 1, 3), ("rail.displacement",), {}))
    with pytest.raises(NotOnLanes, match="implicit"):
        run_on_lanes(lane_systems.chain_batch(2, method="implicit"))
    with pytest.raises(NotOnLanes, match="embedded"):
        run_on_lanes(lane_systems.four_bar_batch(2, constraints="embedded"))


def test_interrupted_runs_are_missing_and_the_others_kept():
    batch, calls = lane_systems.chain_batch(4000, t_end=20.0), []

    def interrupt(ended):
        calls.append(ended)
        if ended > 0:
            raise KeyboardInterrupt

    runs = run_on_lanes(batch, threads=1, progress=interrupt)
    done = runs.outcome == DONE
    assert 0 < done.sum() < 4000 and (runs.outcome[~done] == MISSING).all()
    assert np.isfinite(runs.values[done]).all() and calls[-1] <= done.sum() < calls[-1] + 4000
    again = run_on_lanes(reordered(batch, np.flatnonzero(done)[:3]))
    assert again.values.tobytes() == runs.values[done][:3].tobytes()


def test_values_at_the_start_vary():
    """Angles and rates at the start, and masses beside them."""
    batch = lane_systems.chain_batch(5, n=3)
    random = np.random.default_rng(4)
    starts = {name: random.normal(size=5) for name in ("pin 0.angle", "pin 1.angle", "pin 2.angle.rate")}
    batch = batch._replace(varied={"link 1.mass": batch.varied["link 1.mass"]} | starts)
    runs = run_on_lanes(batch)
    assert (runs.outcome == DONE).all()
    assert (runs.values[:, 0, 0] == starts["pin 0.angle"]).all()
    assert (runs.values[:, 0, 1] == starts["pin 2.angle.rate"]).all()
    for run in range(2):
        assert np.abs(runs.values[run] - lane_systems.run_alone(batch, run)).max() < 1e-6


def test_numbers_that_a_system_refuses_are_failures():
    batch = lane_systems.chain_batch(4, n=3)
    batch.varied["link 1.mass"][2] = -1.0
    runs = run_on_lanes(batch)
    assert list(runs.outcome) == [DONE, DONE, FAILED, DONE]
    assert "mass is -1" in runs.messages[2] and np.isnan(runs.values[2]).all()


def test_numbers_that_no_body_has_together_are_failures():
    """1.9 > 0.9 + 0.9 in one run; each of the three is well beside those of the first run, and so are all smallest and all
    largest numbers. Beside them vary so many other numbers that not all ends can be tried."""
    s = lane_systems.chain(7, np.zeros(14))
    varied = {f"link {i}.mass": np.full(3, 1.0) for i in range(1, 7)}
    for axis, values in dict(xx=(1.0, 1.9, 1.9), yy=(1.0, 1.0, 0.9), zz=(1.0, 1.0, 0.9)).items():
        varied[f"link 0.inertia.{axis}"] = np.array(values)
    runs = run_on_lanes(Batch(s, varied, np.linspace(0.0, 0.1, 3), ("pin 0.angle",), {}))
    assert list(runs.outcome) == [DONE, DONE, FAILED] and "inertia" in runs.messages[2]


def test_work_in_a_prescribed_motion():
    """A force sin(a x) on a mass that is driven along x = t: the motion has no error, so its work alone sets the steps. It is
    (1 − cos a)/a, to 1e-6 of the energy in play, 0.5 J, as in a single run (`test_energies`)."""
    s = mk.System("driven", gravity=(0, 0, 0), parameters={"a": 30.0})
    s.slider("rail", s.ground, s.body("mass", 1.0, inertia=(1, 1, 1)), axis="x", rate=1.0)
    s.prescribed("drive", "rail", "t")
    s.motor("force", "rail", force="sin(a*rail.displacement)")
    a = np.array([3.0, 30.0, 100.0])
    work = mk.sweep(s, {"a": a}, t_end=1.0, keep=["force.work"], engine="lanes")["force.work"].isel(time=-1).values
    assert work == pytest.approx((1 - np.cos(a)) / a, abs=1e-6)
