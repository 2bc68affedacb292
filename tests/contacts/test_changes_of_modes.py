"""What happens where modes of contacts change: inputs that jump, sliding that reverses, events that are very many.

Oracles: closed forms of one body on a rail or a slope. Tolerance 1e-12 of the size: events are found to round-off.
"""

import math
import warnings

import numpy as np
import pytest
from scipy.optimize import brentq

import mekane as mk
from mekane.errors import ExpressionError, ModelError
from mekane.solvers.hybrid import phases


def cart(pull, rate=0.0):
    """1 kg on a rail with 10 N of friction, pulled by an input."""
    s = mk.System("cart")
    s.input("pull", pull)
    s.body("cart", mass=1.0, inertia=(1, 1, 1))
    s.slider("rail", s.ground, "cart", axis="x", rate=rate)
    s.motor("drive", "rail", force="pull")
    s.dry_friction("seal", "rail", force=10.0)
    return s


def test_an_input_that_jumps_ends_sticking_at_once():
    """Friction holds 5 N; 20 N are too much for its 10 N: it slides from that instant on, with ½ (20 − 10) t²."""
    sim = mk.stepper(cart(5.0), rtol=1e-12, atol=1e-14)
    sim.step(0.1)
    assert sim["seal.mode"] == 2 and sim["seal.force"] == pytest.approx(-5.0, rel=1e-12)
    sim.set(pull=20.0)
    assert sim["seal.mode"] == 1 and sim["seal.force"] == pytest.approx(-10.0, rel=1e-12)
    sim.step(0.3)
    assert sim["rail.displacement"] == pytest.approx(0.5 * 10.0 * 0.3**2, rel=1e-12)
    line = sim.result().events[-1]
    assert line.time == pytest.approx(0.1, rel=1e-12) and line.changes == {"seal.mode": (2.0, 1.0)}


def test_an_input_that_jumps_within_the_limit_changes_no_mode():
    sim = mk.stepper(cart(5.0))
    sim.step(0.1)
    sim.set(pull=-9.0)
    assert sim["seal.mode"] == 2 and sim["seal.force"] == pytest.approx(9.0, rel=1e-12)
    sim.step(0.3)
    assert sim["rail.displacement"] == 0.0


def test_a_reversal_of_sliding_is_an_event():
    """Pushed against 20 N at 3 m/s with 10 N of friction: it stops after 3/30 s, and slides back with 10 m/s²."""
    run = mk.simulate(cart(-20.0, rate=3.0), 0.3, every=0.3, rtol=1e-12, atol=1e-14)
    line = run.events[-1]
    assert line.kind == "modes" and line.event == "seal" and line.changes == {"seal.direction": (1.0, -1.0)}
    assert line.time == pytest.approx(0.1, rel=1e-12)
    assert run["rail.displacement"].values[-1] == pytest.approx(0.5 * 3.0 * 0.1 - 0.5 * 10.0 * 0.2**2, rel=1e-12)


def puck(a, k, aside, t):
    """It begins with 1 m/s against a force, which alone accelerates it by a, friction by k; and a little aside."""
    s = mk.System("puck", gravity=(0, 0, -k))
    puck = s.body("puck", mass=1.0, inertia=(1, 1, 1), velocity=(-1, aside, 0))
    s.contact("floor", (puck, (0, 0, 0)), (s.ground, mk.Plane()), friction=1.0)
    s.force("push", "puck", (a, 0, 0))
    return mk.simulate(s, t, every=t, rtol=1e-12, atol=1e-13)


def test_sliding_that_turns_while_it_stops_ends_in_few_steps():
    """ϑ from the force to the velocity: v (k + a cos ϑ) falls with k² − a², to zero. Directions of less than 1e-10 m/s were
    kept, rest was less than that, and steps below 1e-9 of the largest were not looked through: it went by rest again and
    again, for ever. 200 of the steps are the longest there may be."""
    a, k, aside = 1000.0, 2500.0, 1e-3
    run = puck(a, k, aside, 1.0)
    assert run.events[-1].changes == {"floor.mode": (1.0, 2.0)} and run.info["steps"] < 350
    assert run.events[-1].time == pytest.approx((k * math.hypot(1, aside) - a) / (k * k - a * a), rel=1e-11)


@pytest.mark.parametrize("aside", [1e-2, 1e-7])
def test_sliding_that_turns_while_it_nearly_stops(aside):
    """It turns round at 6e-4 m/s, or slower than what differs from rest: v sin ϑ tan^(−k/a)(ϑ/2) is constant and
    v (k + a cos ϑ) grows with a² − k². Tolerance: where it passes through rest a speed within the tolerances, rtol of the
    largest, is taken for none."""
    a, k, t = 5.0, 3.0, 1.0
    v, angle = math.hypot(1, aside), math.atan2(aside, -1)
    known = math.log(v * math.sin(angle)) - k / a * math.log(math.tan(0.5 * angle))

    def speed(x):  # x = log tan ϑ/2
        return math.exp(known + k / a * x) * math.cosh(x)

    def beyond(x):
        return speed(x) * (k - a * math.tanh(x)) - v * (k + a * math.cos(angle)) - (a * a - k * k) * t

    x = brentq(beyond, -150.0, math.log(math.tan(0.5 * angle)), xtol=1e-13, rtol=1e-14)
    expected = speed(x) * np.array([-math.tanh(x), 1.0 / math.cosh(x), 0.0])
    np.testing.assert_allclose(puck(a, k, aside, t)["puck.velocity"].values[-1], expected, rtol=0, atol=1e-11)


def test_very_many_impacts_are_announced(monkeypatch):
    """A puck between two walls a millimetre apart: 10 m/s make 10⁴ impacts in a second, 9 900 more after the first hundred."""
    monkeypatch.setattr(phases, "MANY_EVENTS", 100)
    s = mk.System("puck")
    s.body("puck", mass=1.0, inertia=(1, 1, 1))
    s.slider("rail", s.ground, "puck", axis="x", rate=10.0)
    s.limit("walls", "rail", lower=-0.5e-3, upper=0.5e-3, restitution=1.0)
    s.event("enough", when="t > 0.0101", stop=True)
    expected = r"100 events up to t = 0.00995 s, of late 1e\+04 in a second .*about 9.9e\+03 more until t = 1 s.*moreau"
    with pytest.warns(phases.ManyEventsWarning, match=expected):
        run = mk.simulate(s, 1.0, every=0.01)
    assert any("about 9.9e+03 more" in note for note in run.info["notes"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # health repeats the run, and does not warn again
        assert run.health.ok


def test_unknown_names_are_answered_with_names_that_users_know():
    """Where directions and flags of a law are kept is no answer to somebody who asks for its friction."""
    s = cart(5.0)
    s.event("slips", when="seal.friction > 0", stop=True)
    with pytest.raises(ExpressionError, match="knows t, pull, seal.mode, rail.displacement, "):
        mk.simulate(s, 0.1, every=0.1)
    with pytest.raises(ModelError, match="'seal' has force, slip, heat, multiplier, work, mode"):
        mk.simulate(cart(5.0), 0.1, every=0.1)["seal.friction"]


def speck(mass):
    """A point mass on a rough floor."""
    s = mk.System("speck")
    s.body("speck", mass=mass, inertia=(1e-6 * mass,) * 3)
    s.contact("floor", ("speck", (0, 0, 0)), (s.ground, mk.Plane()), friction=0.5)
    return s


@pytest.mark.parametrize("mass", (1e4, 1.0, 1e-7, 1e-10))
def test_what_counts_as_no_force_does_not_hang_on_the_mass(mass):
    """Pushed by m g t it breaks away at 0.5 s, and goes g (t − ½)³/6; pulled up by m g t it leaves the floor at 1 s. Once, specks of less
    than 1 mg stuck and were pulled down for ever."""
    pushed, pulled = speck(mass), speck(mass)
    pushed.force("push", "speck", at=(0, 0, 0), value=(f"{mass}*9.81*t", 0, 0))
    pulled.force("pull", "speck", at=(0, 0, 0), value=(0, 0, f"{mass}*9.81*t"))
    run = mk.simulate(pushed, 1.0, every=0.5)
    assert [line.time for line in run.events][1:] == pytest.approx([0.5], rel=1e-12)
    assert float(run["speck.position.x"][-1]) == pytest.approx(9.81 * 0.5**3 / 6.0, rel=1e-9)
    run = mk.simulate(pulled, 2.0, every=0.5)
    assert run.events[-1].time == pytest.approx(1.0, rel=1e-9)
    assert float(run["speck.position.z"][-1]) == pytest.approx(9.81 / 6.0, rel=1e-9)


@pytest.mark.parametrize("size", [1e-290, 1.0, 1e300])
def test_axes_that_can_move_do_not_depend_on_the_unit_of_mass(size):
    """Mobilities of a body of 1e-300 kg have squares beyond floats. Oracle: the same matrix of size 1."""
    from mekane.solvers.contacts.local import movable_axes

    for D in (
        np.array([[2.0, 0.5], [0.5, 1.0]]),
        np.array([[1.0, 1.0], [1.0, 1.0]]),
        np.array([[1.0, 0.0], [0.0, 1e-9]]),
    ):
        expected = movable_axes(D)
        assert np.abs(movable_axes(size * D)) == pytest.approx(np.abs(expected), abs=1e-12)
