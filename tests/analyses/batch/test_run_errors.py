"""The global error of runs on lanes, estimated and made small. Oracles: Gauss's arithmetic-geometric mean for the periods of
pendulums, the closed form of oscillators, mk.simulate's own estimate; bytes for the rule that a run depends on itself alone."""

import lane_systems
import numpy as np
import pytest
from test_lane_pendulums import agm, pendulum

import mekane as mk
from mekane.analyses.batch import run_errors
from mekane.analyses.batch.lane_runs import run_on_lanes
from mekane.analyses.batch.runs import DONE, INACCURATE, MISSING, Batch

RUNS = 10_000
QUARTERS = np.array([0.0, 0.25, 0.5, 0.75, 1.0])


def pendulums(runs=RUNS, error=None, rtol=1e-9):
    """Of 1° to 179°, each with the gravity that makes its period one second; their channels are angle and rate."""
    angle = np.radians(np.linspace(1.0, 179.0, runs))
    g = (2 * np.pi / agm(np.ones(runs), np.cos(angle / 2))) ** 2 * 0.35 / 0.5
    settings = dict(rtol=rtol, atol=1e-3 * rtol)
    return Batch(pendulum(), {"angle": angle, "g": g}, QUARTERS, ("pin.angle", "pin.angle.rate"), settings, error)


def deviations(batch, runs):
    """(runs, quarters): of the angle from that of the exact motion, over the amplitude; and of the instants at which it
    passes the lowest point, over the period: the angle there over the rate, 2 sin(θ/2) √(m g l/I)."""
    angle, g = batch.varied["angle"][:, None], batch.varied["g"][:, None]
    off = np.abs(runs.values[:, :, 0] - angle * np.array([1.0, 0.0, -1.0, 0.0, 1.0]))
    rate = 2 * np.sin(angle / 2) * np.sqrt(g * 0.5 / 0.35)
    return off / angle, off[:, [1, 3]] / rate / QUARTERS[[1, 3]]


@pytest.mark.parametrize("rtol", [1e-6, 1e-9, 1e-11])
def test_ten_thousand_pendulums_have_the_error_that_is_wanted(rtol):
    """Ten rtol, for angles and periods. Without error= the angle is off by thousands of rtol on the way back from 179°:
    an error of the start grows by about as much there. The last tolerance is near round-off, which grows as well: 2e-16 times
    5000 is 1e-12, a hundredth of what is wanted."""
    batch = pendulums(error=10 * rtol, rtol=rtol)
    runs = run_on_lanes(batch)
    assert (runs.outcome == DONE).all() and runs.error.max() <= 10 * rtol
    angles, periods = deviations(batch, runs)
    assert angles.max() < 10 * rtol and periods.max() < 10 * rtol
    assert (runs.rtol == rtol).sum() > 0.8 * RUNS and runs.rtol.min() < rtol  # each has the tolerance that it needs
    plain = deviations(batch, run_on_lanes(batch._replace(error=None)))[0]
    assert plain.max() > 100 * rtol


def test_estimates_are_not_below_the_error():
    """The estimate covers angles and rates at 51 samples, the truth is known of angles at four: so it is larger, but by less
    than a thousand times (rates count, which change fast at the lowest point)."""
    batch = pendulums(2000, error=True)
    runs = run_on_lanes(batch)
    true = deviations(batch, runs)[0].max(axis=1) / 2  # of the motion, which goes from one side to the other
    seen = true > 1e-13  # more than round-off of the exact motion
    ratio = runs.error[seen] / true[seen]
    assert seen.sum() > 1900 and ratio.min() > 1.0 and ratio.max() < 1000.0
    assert (runs.outcome == DONE).all()


def test_numbers_are_those_without_an_estimate():
    """An estimate changes nothing, to the last bit."""
    for make in (lane_systems.chain_batch, lane_systems.four_bar_batch):
        batch = make(5)
        plain = run_on_lanes(batch)
        for error in (True, 0.5):
            found = run_on_lanes(batch._replace(error=error))
            assert found.values.tobytes() == plain.values.tobytes() and found.steps.tolist() == plain.steps.tolist()


def test_a_run_depends_on_itself_alone():
    """Shuffled, alone, on other lanes and threads: the same bytes, and the same tolerances."""
    batch = pendulums(96, error=1e-9)
    runs = run_on_lanes(batch, threads=2, lanes=8)
    order = np.random.default_rng(3).permutation(96)
    mixed = batch._replace(varied={name: x[order] for name, x in batch.varied.items()})
    for lanes, threads in ((1, 2), (4, 1), (8, 1)):
        found = run_on_lanes(mixed, threads=threads, lanes=lanes)
        assert found.values.tobytes() == runs.values[order].tobytes()
        assert found.error.tobytes() == runs.error[order].tobytes() and (found.rtol == runs.rtol[order]).all()
    alone = batch._replace(varied={name: x[-1:] for name, x in batch.varied.items()})
    assert run_on_lanes(alone).values.tobytes() == runs.values[-1:].tobytes()
    assert len(np.unique(runs.rtol)) > 1


def double_pendulum():
    s = mk.System("double pendulum")
    upper = s.body("upper", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0, 0, -1))
    lower = s.body("lower", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0, 0, -2))
    s.pin("first", s.ground, upper, at=(0, 0, 0), axis="y")
    s.pin("second", upper, lower, at=(0, 0, -1), axis="y")
    return s


def swinging(angles, error, t_end=30.0, system=None, **settings):
    times = np.linspace(0.0, t_end, 61)
    varied = {"first.angle": np.array(angles, float)}
    return Batch(system or double_pendulum(), varied, times, ("first.angle",), settings, error)


def test_chaos_is_reported_as_by_a_single_run():
    """A double pendulum that swings little is regular, one that is let go from above is chaotic, and after 30 s nothing is known
    of it. mk.simulate says the same of both, and no tolerance helps. Oracle: its estimate, which is by bodies, not by coordinates:
    so they agree to a factor."""
    angles = [0.3, 2.6]
    runs = run_on_lanes(swinging(angles, True))
    single = []
    for angle in angles:
        s = mk.assemble(double_pendulum(), {"first.angle": angle}).system
        single.append(mk.simulate(s, 30.0, every=0.5).error)
    assert runs.outcome.tolist() == [DONE, INACCURATE]
    assert [one.ok for one in single] == [True, False]
    assert 0.01 < runs.error[0] / single[0].relative < 100.0
    assert runs.messages == {1: "its error is more than 0.001 of the motion"}
    hopeless = run_on_lanes(swinging(angles, 1e-6))
    assert hopeless.outcome.tolist() == [DONE, INACCURATE] and hopeless.rtol[1] < 1e-13 < hopeless.rtol[0]
    assert "smaller tolerances do not help" in hopeless.messages[1]


def test_largest_steps_are_halved():
    """With step=0.002 the steps of a chaotic motion are the same at any tolerance, and so would be its errors. Oracle: the run
    without step=, which is known to be chaotic."""
    runs = run_on_lanes(swinging([2.6], True, step=0.002, rtol=1e-5, atol=1e-8))
    assert runs.outcome.tolist() == [INACCURATE] and runs.error[0] > 1e-3


def clocked():
    """The same with a controller that ticks every 2 ms; nothing reads what it writes."""
    s = double_pendulum()
    s.input("idle")
    s.controller("clock", every="2 ms", function={"idle": "first.angle"})
    return s


def test_steps_that_end_at_ticks_are_made_shorter():
    """So are they here. With the same steps the difference is zero, and the run would be called exact."""
    runs = run_on_lanes(swinging([2.6], True, system=clocked(), rtol=1e-5, atol=1e-8))
    assert runs.outcome.tolist() == [INACCURATE] and runs.error[0] > 1e-3


def falling():
    """A ball falls from h; an event ends the run where it reaches the floor, after √(2 h/g)."""
    s = mk.System("fall", gravity=(0, 0, -mk.Param("g", 10.0)))
    ball = s.body("ball", mass=1.0, inertia=(1, 1, 1), position=(0, 0, 2.0))
    s.slider("rail", s.ground, ball, at=(0, 0, 2.0), axis="z")
    s.event("floor", when="ball.position.z < 0", stop=True)
    return s


def test_runs_that_an_event_ends_keep_their_samples():
    """The instant is √(2 h/g), the last sample is of it and stands in the place of the next one, as without an estimate."""
    g = np.array([5.0, 10.0, 20.0])
    batch = Batch(falling(), {"g": g}, np.array([0.0, 0.3, 0.6, 0.9]), ("ball.position.z", "ball.velocity.z"), {}, None)
    plain = run_on_lanes(batch)
    for error in (True, 1e-9):
        runs = run_on_lanes(batch._replace(error=error))
        assert runs.values.tobytes() == plain.values.tobytes() and runs.ends == plain.ends
        assert runs.error.max() < 1e-12  # a parabola is integrated exactly
    assert np.allclose([plain.ends[k] for k in range(3)], np.sqrt(4.0 / g), rtol=1e-12)


def test_an_event_that_only_one_of_two_meets_is_no_small_error():
    assert run_errors.lateness(1.0, None) == np.inf == run_errors.lateness(None, 1.0)
    assert run_errors.lateness(1.0, 1.5) == pytest.approx(1 / 3) and run_errors.lateness(0.0, 0.0) == 0.0


def test_fixed_steps_are_halved():
    """x = cos(w t) by the classical Runge-Kutta method; its error is (w h)⁴ w t/120 to the leading order. The estimate is twice
    the difference, 15/16 of that. The motion is 2 long, the largest speed is w: speeds have the larger share."""
    s = mk.System("oscillator", gravity=(0, 0, 0), parameters={"k": 100.0})
    mass = s.body("mass", mass=1.0, inertia=(1, 1, 1), position=(1.0, 0, 0))
    s.slider("guide", s.ground, mass, at=(0, 0, 0), axis="x")
    s.motor("spring", "guide", force="-k*mass.position.x")
    k, times = np.array([50.0, 100.0]), np.linspace(0.0, 5.0, 101)
    channels = ("mass.position.x", "mass.velocity.x")
    runs = run_on_lanes(Batch(s, {"k": k}, times, channels, dict(method="rk4", step=0.005), True))
    w = np.sqrt(k)[:, None]
    x, speed = (
        np.abs(runs.values[:, :, c] - exact) for c, exact in enumerate((np.cos(w * times), -w * np.sin(w * times)))
    )
    true = (speed / w).max(axis=1)
    assert np.allclose(runs.error / true, 2 * 15 / 16, rtol=0.05)
    target = run_on_lanes(Batch(s, {"k": k}, times, channels, dict(method="rk4", step=0.005), 1e-9))
    assert (target.outcome == INACCURATE).all() and target.messages[1].endswith(
        "1e-09 of the motion: give a smaller step"
    )
    assert np.allclose(x.max(axis=1), (w[:, 0] * 0.005) ** 4 * w[:, 0] * 5.0 / 120, rtol=0.1)


def test_loops_and_free_bodies_have_estimates():
    """Closed loops by quaternions, in two formulations. Oracle: the same runs with rtol 1e-12, whose difference is the error."""
    for formulation in ("joint", "absolute"):
        batch = lane_systems.squeezer_batch(6, formulation=formulation)
        runs = run_on_lanes(batch._replace(error=True))
        exact = run_on_lanes(batch._replace(settings=batch.settings | dict(rtol=1e-12, atol=1e-14)))
        positions = np.abs(runs.values - exact.values)[:, :, 0].max(axis=1)  # of K1
        assert (runs.outcome == DONE).all() and (runs.error < 1e-5).all()
        assert (positions < runs.error * np.ptp(exact.values[:, :, 0], axis=1) * 100).all() and (
            runs.error > 1e-11
        ).all()


@pytest.mark.parametrize("error, rounds", [(True, 0), (1e-9, 0), (1e-9, 1)])
def test_ctrl_c_while_runs_are_repeated(monkeypatch, error, rounds):
    """Runs whose estimate, or whose repetition, was under way are missing: not done, and without numbers. Oracle: the whole."""
    whole, repetition, calls = run_on_lanes(pendulums(48, error=error)), run_errors.repetition, []

    def press(*args, **tolerances):
        calls.append(args[1])
        if len(calls) > rounds:
            raise KeyboardInterrupt
        return repetition(*args, **tolerances)

    monkeypatch.setattr(run_errors, "repetition", press)
    found = run_on_lanes(pendulums(48, error=error))
    missing = found.outcome == MISSING
    assert sorted(np.flatnonzero(missing)) == sorted(calls[-1]) and len(calls) == rounds + 1
    assert np.isnan(found.values[missing]).all() and (found.outcome[~missing] == DONE).all()
    assert found.values[~missing].tobytes() == whole.values[~missing].tobytes()
