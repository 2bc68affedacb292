"""Instants of events, against closed forms. At rtol 1e-12 a motion with constant acceleration is exact but for round-off,
so are the instants: 1e-12 is enough for a few thousand roundings."""

import numpy as np
import pytest
from scipy.optimize import brentq

import mekane as mk
from mekane.errors import ModelError, SimulationError

G = 9.81
SHARP = dict(rtol=1e-12, atol=1e-14)
FORMULATIONS = ("joint", "absolute", "relative", "mixed", "bryan")


def falling(height=1.0, **more):
    s = mk.System(gravity=(0, 0, -G))
    s.body("ball", mass=2.0, inertia=(0.1, 0.1, 0.1), position=(0, 0, height), **more)
    s.slider("rail", s.ground, "ball", axis="z", at=(0, 0, 0))
    return s


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_bouncing_ball(formulation):
    """Twenty bounces, each to 1e-11: closed form t_n = t_1 + 2 v/g Σ e^k."""
    s, e = falling(), 0.8
    s.event(
        "bounce", when="ball.position.z < 0", set={"rail.displacement.rate": f"-{e}*rail.displacement.rate"}, once=False
    )
    v, times = np.sqrt(2 * G), [np.sqrt(2 / G)]
    for _ in range(19):
        v *= e
        times.append(times[-1] + 2 * v / G)
    run = mk.simulate(s, times[-1] + 1e-3, formulation=formulation, **SHARP)
    assert len(run.events) == 20
    np.testing.assert_allclose(run.events.times, times, rtol=0, atol=1e-11)
    ratios = [line.energy[1] / line.energy[0] for line in run.events]
    np.testing.assert_allclose(ratios, e * e, rtol=1e-11)
    assert run.health.ok, run.health


@pytest.mark.parametrize("method", ["dop853", "implicit"])
@pytest.mark.parametrize("code", ["loops", "specialised"])
def test_until_ends_at_the_instant(method, code):
    run = mk.simulate(falling(), 5.0, until="ball.position.z < 0.25", method=method, code=code, **SHARP)
    exact = np.sqrt(2 * 0.75 / G)
    assert run.t[-1] == pytest.approx(exact, abs=1e-12)
    assert run["ball.position.z"].values[-1] == pytest.approx(0.25, abs=1e-12)
    assert run.info["ended_by"] == "until" and run.health.ok


def test_conditions_of_time_are_exact():
    s = falling()
    s.variable("n", 0)
    s.event("third", when="t/3 >= 0.1", set={"n": "n + 1"})
    s.event("often", when="sin(40*t) > 0.5", set={"n": "n + 1"}, once=False)
    run = mk.simulate(s, 1.0)
    assert run.events.of("third")[0].time == pytest.approx(0.3, abs=1e-15)
    exact = (np.arcsin(0.5) + 2 * np.pi * np.arange(7)) / 40
    np.testing.assert_allclose([line.time for line in run.events.of("often")], exact[exact < 1.0], rtol=0, atol=1e-12)
    assert run["n"].values[-1] == len(run.events)


def test_two_crossings_inside_a_step():
    """Thrown up, it is above 1 m for 2e-6 s: parabola, closed form. At default tolerances a step is 5 ms."""
    width = 2e-6
    v = np.sqrt(2 * G * (1.0 + G * width**2 / 8))
    s = falling(0.0, velocity=(0, 0, v))
    s.variable("above", 0)
    s.event("in", when="ball.position.z > 1", set={"above": 1})
    s.event("out", when="above > 0.5 and ball.position.z < 1", set={"above": 2})
    run = mk.simulate(s, 1.0, **SHARP)
    assert [line.event for line in run.events] == ["in", "out"]
    # the crossing of a parabola whose top is only 5e-12 m above is as uncertain as round-off of z over its slope there
    np.testing.assert_allclose(run.events.times, [v / G - width / 2, v / G + width / 2], rtol=0, atol=5e-10)


def test_a_touch_counts_where_equality_does():
    """The top of the throw is at 1 m: it touches, and crosses nothing."""
    s = falling(0.0, velocity=(0, 0, np.sqrt(2 * G)))
    s.variable("touched", 0)
    s.event("touch", when="ball.position.z >= 1", set={"touched": 1})
    run = mk.simulate(s, 1.0, **SHARP)
    assert run.events[0].time == pytest.approx(
        np.sqrt(2 / G), abs=1e-6
    )  # a flat top: its place is the root of round-off
    assert run["touched"].values[-1] == 1


def test_events_at_one_instant_happen_in_declared_order():
    s = falling()
    s.variable("x", 1)
    s.event("double", when="t >= 0.25", set={"x": "2*x"})
    s.event("add", when="4*t >= 1", set={"x": "x + 3"})
    s.event("again", when="x > 4", set={"x": "10*x"})
    run = mk.simulate(s, 0.5)
    assert [line.event for line in run.events] == ["double", "add", "again"]
    assert run["x"].values[-1] == 50 and set(run.events.times) == {0.25}


def test_events_without_end_are_refused():
    s = falling()
    s.variable("x", 0)
    s.event("up", when="t >= 0.1 and x < 0.5", set={"x": 1}, once=False)
    s.event("down", when="x > 0.5", set={"x": 0}, once=False)
    with pytest.raises(SimulationError, match="no time passes"):
        mk.simulate(s, 0.5)


def test_a_condition_that_holds_at_the_start_is_noted():
    s = falling()
    s.variable("x", 0)
    s.event("low", when="ball.position.z < 2", set={"x": 1})
    run = mk.simulate(s, 0.1)
    assert not run.events and any("holds at the start" in note for note in run.info["notes"])
    s = falling()
    s.variable("x", 0)
    s.event("low", when="ball.position.z < 2", set={"x": 1}, at_start=True)
    assert mk.simulate(s, 0.1).events[0].time == 0.0


def test_another_method_goes_on_with_the_same_events():
    """A stiff motion turns implicit after a millisecond; what was true before has not become true. Oracle: the same
    without a change of method."""
    s = mk.System(gravity=(0, 0, 0))
    s.slider("rail", s.ground, s.body("cart", mass=1.0, inertia=(1, 1, 1)), axis="x", rate=1.0)
    s.motor("stiff", "rail", force="-1e5*(rail.displacement.rate - cos(t))")
    s.variable("n", 0)
    s.event("late", when="t >= 0.001", set={"n": "n + 1"}, once=False)
    s.event("start", when="rail.displacement > -1", at_start=True, set={"n": "n + 10"}, once=False)
    run, same = mk.simulate(s, 0.5), mk.simulate(s, 0.02, method="dop853")
    assert run.info["method"] == "implicit" and same.info["method"] == "dop853"
    assert [line[:2] for line in run.events] == [line[:2] for line in same.events] and run["n"].values[-1] == 11
    assert not any("holds at the start" in note for note in run.info["notes"])


def test_variables_choose_laws():
    """A push that a variable turns on: v = (t − 0.25) F/m from there on; 1e-12 is round-off of some hundred steps."""
    s = mk.System(gravity=(0, 0, 0))
    s.body("cart", mass=2.0, inertia=(1, 1, 1))
    s.slider("rail", s.ground, "cart", axis="x")
    s.variable("on", 0)
    s.motor("push", "rail", force="3*on")
    s.event("start", when="t >= 0.25", set={"on": 1})
    for code in ("loops", "specialised"):
        run = mk.simulate(s, 1.0, code=code)
        np.testing.assert_allclose(
            run["rail.displacement.rate"].values, 1.5 * np.maximum(run.t - 0.25, 0), rtol=0, atol=1e-12
        )
        assert run.health.ok


def test_unknown_names_in_conditions():
    s = falling()
    s.event("x", when="bal.position.z < 0", stop=True)
    with pytest.raises(ModelError, match="ball.position.z"):
        mk.simulate(s, 1.0)


def test_results_with_events_are_saved(tmp_path):
    s = falling()
    s.variable("x", 0)
    s.event("low", when="ball.position.z < 0.5", set={"x": 1})
    run = mk.simulate(s, 0.5)
    run.save(tmp_path / "run.nc")
    again = mk.load(tmp_path / "run.nc")
    np.testing.assert_array_equal(again["x"].values, run["x"].values)
    assert repr(again.events) == repr(run.events) and again["x"].values[-1] == 1


WAYS = [(method, code) for method in ("dop853", "implicit", "rk4") for code in ("loops", "specialised")]


@pytest.mark.parametrize("method, code", WAYS)
def test_crossings_and_touches_in_every_way(method, code):
    """Above 1 m for two milliseconds, in steps of 5 ms; and a touch, whose place is the root of round-off. RK4 and its cubic
    are exact on a parabola."""
    width, options = 2e-3, dict(method=method, code=code, **SHARP, **(dict(step=5e-3) if method == "rk4" else {}))
    v = np.sqrt(2 * G * (1.0 + G * width**2 / 8))
    s = falling(0.0, velocity=(0, 0, v))
    s.variable("above", 0)
    s.event("in", when="ball.position.z > 1", set={"above": 1})
    s.event("out", when="above > 0.5 and ball.position.z < 1", set={"above": 2})
    run = mk.simulate(s, 1.0, **options)
    np.testing.assert_allclose(run.events.times, [v / G - width / 2, v / G + width / 2], rtol=0, atol=2e-12)
    s = falling(0.0, velocity=(0, 0, np.sqrt(2 * G)))
    s.event("touch", when="ball.position.z >= 1", stop=True)
    s.event("beyond", when="ball.position.z > 1.0000001", stop=True)
    run = mk.simulate(s, 1.0, **options)
    assert run.info["ended_by"] == "touch" and run.t[-1] == pytest.approx(np.sqrt(2 / G), abs=1e-6)


def test_fixed_steps_end_at_events_and_keep_their_grid():
    """Oracle: the same steps by hand, y after RK4 steps 0.01, to the event, the rest of that step, and on. x'' = -x + u, and
    u changes where x < 0.3: the event is at the root of the RK4 step, to round-off."""
    s = mk.System(gravity=(0, 0, 0))
    s.body("ball", mass=1.0, inertia=(1, 1, 1), position=(1, 0, 0))
    s.slider("rail", s.ground, "ball", axis="x", at=(0, 0, 0))
    s.variable("u", 0.0)
    s.motor("push", "rail", force="u - ball.position.x")
    s.event("low", when="ball.position.x < 0.3", set={"u": 2.0})
    run = mk.simulate(s, 2.0, every=0.1, method="rk4", step=0.1)

    def rk4(y, h, u):
        f = lambda y: np.array([y[1], u - y[0]])
        k1 = f(y)
        k2 = f(y + h / 2 * k1)
        k3 = f(y + h / 2 * k2)
        return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + f(y + h * k3))

    y, found, u, event = np.array([1.0, 0.0]), [1.0], 0.0, None
    for k in range(20):
        new = rk4(y, 0.1, u)
        if event is None and new[0] < 0.3:
            h = brentq(lambda h, y=y: rk4(y, h, 0.0)[0] - 0.3, 0.0, 0.1, xtol=1e-16)
            event, u = 0.1 * k + h, 2.0
            new = rk4(rk4(y, h, 0.0), 0.1 - h, 2.0)
        y = new
        found.append(y[0])
    np.testing.assert_allclose(run.events.times, [event], rtol=0, atol=1e-13)
    np.testing.assert_allclose(run["ball.position.x"].values, found, rtol=0, atol=1e-12)


def test_events_of_time_in_fixed_steps():
    s = falling()
    s.event("push", when="t >= 0.1234", impulse={"ball": (0, 0, 1)})
    run = mk.simulate(s, 0.5, every=0.5, method="rk4", step=0.05)
    assert run.events[0].time == pytest.approx(0.1234, abs=1e-16)
    m, t = s.bodies["ball"].mass, 0.5
    np.testing.assert_allclose(run["ball.position.z"].values[-1], 1 - G * t * t / 2 + (t - 0.1234) / m, atol=1e-13)


@pytest.mark.parametrize("step", [0.1, 0.001])
def test_bounces_in_fixed_steps(step):
    """RK4 is exact on parabolas: twenty bounces, several of them in one step of 0.1 s, to 1e-11 as with error control."""
    s, e = falling(), 0.8
    s.event(
        "bounce", when="ball.position.z < 0", set={"rail.displacement.rate": f"-{e}*rail.displacement.rate"}, once=False
    )
    flights = 2 * np.sqrt(2 / G) * e ** np.arange(1, 20)
    times = np.sqrt(2 / G) + np.concatenate([[0.0], np.cumsum(flights)])
    run = mk.simulate(s, times[-1] + 1e-3, method="rk4", step=step)
    np.testing.assert_allclose(run.events.times, times, rtol=0, atol=1e-11)
