"""Events that contradict one another, come without end, or never come: each is reported, none is a compromise."""

import numpy as np
import pytest

import mekane as mk
from mekane.errors import ModelError, SimulationError

FORMULATIONS = ("joint", "absolute", "relative", "mixed", "bryan")


def cart(**locks):
    """A cart at 1 m/s. locks: motions that may be prescribed to it later."""
    s = mk.System(gravity=(0, 0, 0))
    s.body("cart", mass=2.0, inertia=(1, 1, 1), velocity=(1, 0, 0))
    s.slider("rail", s.ground, "cart", axis="x", at=(0, 0, 0))
    for name, motion in locks.items():
        s.prescribed(name, ("rail", "displacement"), motion=motion, active=False)
    return s


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("constraints", ["multipliers", "embedded"])
@pytest.mark.parametrize("events", [[["stay"], ["go"]], [["stay", "go"]]], ids=["one after the other", "together"])
def test_locks_that_cannot_both_hold(events, formulation, constraints):
    """Both fit at 0.5 m, one stands still there and the other goes on at 2 m/s."""
    s = cart(stay="0.5", go="0.5 + 2*(t - 0.5)")
    for k, names in enumerate(events):
        s.event(f"e{k}", when="t >= 0.5", lock=names)
    with pytest.raises(
        SimulationError, match=r"event 'e\d' at t = 0.5 s: a lock of .* contradicts .* would open at 2 "
    ):
        mk.simulate(s, 1.0, formulation=formulation, constraints=constraints)


def test_a_lock_elsewhere_does_not_fit():
    s = cart(here="0.5", there="0.7")
    s.event("first", when="t >= 0.5", lock="here")
    s.event("second", when="t >= 0.6", lock="there")
    with pytest.raises(ModelError, match="event 'second': it locks 'there' at t = 0.6 s, which is 0.2 "):
        mk.simulate(s, 1.0)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_locks_that_agree_are_redundant(formulation):
    """The same twice: the second changes nothing, and the motion is known."""
    s = cart(one="0.5", two="0.5 + 0*t")
    s.event("first", when="t >= 0.5", lock="one")
    s.event("second", when="t >= 0.6", lock=["two"])
    s.event("again", when="t >= 0.7", lock=["one"])
    run = mk.simulate(s, 1.0, formulation=formulation)
    assert [line.event for line in run.events] == ["first", "second", "again"] and run.health.ok
    assert run.events[1].kinetic_energy[1] == pytest.approx(0.0, abs=1e-25)
    np.testing.assert_allclose(run["rail.displacement"].values[-1], 0.5, rtol=0, atol=1e-14)


@pytest.mark.parametrize("active", [True, False])
def test_a_rate_that_a_constraint_does_not_allow(active):
    """Prescribed to stand still at 0.5 m or to go at 1 m/s, set to 3 m/s: what is left is named."""
    s = cart(**({"hold": "0.5"} if not active else {}))
    if active:
        s.prescribed("hold", ("rail", "displacement"), motion="t")
    s.event("kick", when="t >= 0.5", set={"rail.displacement.rate": 3}, **({} if active else {"lock": "hold"}))
    with pytest.raises(SimulationError, match="event 'kick'.*rates are set that the constraints do not allow"):
        mk.simulate(s, 1.0)


def test_a_release_of_what_is_free_changes_nothing():
    s = cart(hold="0.5")
    s.event("free", when="t >= 0.2", release="hold")
    s.event("hold it", when="t >= 0.5", lock="hold")
    run = mk.simulate(s, 1.0)
    assert run.events[0].changes == {} and run.events[0].energy == (1.0, 1.0)
    assert run["rail.displacement"].values[-1] == pytest.approx(0.5, abs=1e-14)


def test_an_event_that_changes_its_own_condition():
    """A clock made of a variable; a wall on each side: instants in closed form."""
    s = cart()
    s.variable("n", 0)
    s.event("tick", when="t >= 0.1*(n + 1)", set={"n": "n + 1"}, once=False)
    for name, condition in (("right", "> 0.5"), ("left", "< -0.2")):
        turn = {"rail.displacement.rate": "-rail.displacement.rate"}
        s.event(name, when=f"rail.displacement {condition}", set=turn, once=False)
    run = mk.simulate(s, 5.0)
    np.testing.assert_allclose(
        [line.time for line in run.events.of("tick")], 0.1 * np.arange(1, 50), rtol=0, atol=1e-12
    )
    walls = [line.time for line in run.events if line.event != "tick"]
    np.testing.assert_allclose(walls, 0.5 + 0.7 * np.arange(7), rtol=0, atol=1e-12)


def test_a_sample_at_the_instant_of_an_event_is_no_error():
    """An instant found 1e-15 s later shows the speed before it: the estimate of the error looks elsewhere."""
    s = cart()
    s.event("turn", when="rail.displacement > 0.5", set={"rail.displacement.rate": -1}, once=False)
    run = mk.simulate(s, 2.0, every=0.25)
    assert run.health.ok and run.error.velocity < 1e-9, run.health


def test_an_impulse_that_lifts_its_own_condition():
    """a = −1, and each time the speed falls below 0.5 an impulse adds 1: every second, closed form."""
    s = cart()
    s.motor("brake", "rail", force=-2.0)
    s.event("push", when="rail.displacement.rate < 0.5", impulse={"cart": (2, 0, 0)}, once=False)
    run = mk.simulate(s, 3.0)
    np.testing.assert_allclose(run.events.times, [0.5, 1.5, 2.5], rtol=0, atol=1e-12)
    assert run["rail.displacement"].values[-1] == pytest.approx(0.375 + 1 + 1 + 0.625, abs=1e-12) and run.health.ok


def test_impulses_without_end():
    s = cart()
    s.event("left", when="rail.displacement.rate > 0 and t >= 0.1", set={"rail.displacement.rate": -1}, once=False)
    s.event("right", when="rail.displacement.rate < 0", set={"rail.displacement.rate": 1}, once=False)
    with pytest.raises(SimulationError, match="no time passes: 'left', 'right'"):
        mk.simulate(s, 1.0)


@pytest.mark.parametrize("restitution", [0.2, 0.5, 0.8])
@pytest.mark.parametrize("code", ["loops", "specialised"])
def test_a_ball_that_bounces_ever_lower_is_not_lost(restitution, code):
    """It once fell through the floor, when a flight became shorter than a step. Where bounces end: t₁ (1 + e)/(1 − e); the
    estimate from the last two intervals is right to their round-off, 1e-6 of the last flight."""
    s = mk.System(gravity=(0, 0, -9.81))
    s.body("ball", mass=1.0, inertia=(1, 1, 1), position=(0, 0, 1))
    s.slider("rail", s.ground, "ball", axis="z", at=(0, 0, 0))
    turn = {"rail.displacement.rate": f"-{restitution}*rail.displacement.rate"}
    s.event("bounce", when="ball.position.z < 0", set=turn, once=False)
    with pytest.raises(SimulationError, match="'bounce' happens faster and faster") as caught:
        mk.simulate(s, 10.0, code=code)
    limit = float(str(caught.value).split("without end before t = ")[1].split(" s")[0])
    exact = np.sqrt(2 / 9.81) * (1 + restitution) / (1 - restitution)
    assert limit == pytest.approx(exact, abs=1e-8)


@pytest.mark.parametrize("when", ["rail.displacement > 5", "n > 5", "rail.displacement == 5"])
def test_what_did_not_happen_is_reported(when):
    s = cart()
    s.variable("n", 0)
    s.event("far", when=when, stop=True)
    run = mk.simulate(s, 1.0)
    assert "event 'far' did not happen: its condition did not become true" in run.info["notes"]
    assert "Event 'far' did not happen" in str(run.health)


def test_an_end_that_does_not_come_is_reported():
    run = mk.simulate(cart(), 1.0, until="rail.displacement > 5")
    assert any("'until' did not happen" in note for note in run.info["notes"])


@pytest.mark.parametrize(
    "until, words",
    [
        ("rial.displacement > 1", "Did you mean 'rail.displacement'"),
        ("1 > 0", "never changes"),
        ("", "when is empty"),
        (3, "never changes"),
        ("rail.displacement", "compares nothing"),
    ],
)
def test_bad_ends(until, words):
    with pytest.raises(ModelError, match=words):
        mk.simulate(cart(), 1.0, until=until)


@pytest.mark.parametrize(
    "add",
    [
        lambda s: s.event("e", when="rail.displcement > 1", stop=True),
        lambda s: s.event("e", when="t > 0.1", set={"n": "rail.displcement"}),
        lambda s: s.event("e", when="t > 0.1", impulse={"cart": (0, "rail.displcement", 0)}),
        lambda s: s.controller("c", 0.1, writes="u", function="rail.displcement"),
        lambda s: s.controller("c", 0.1, reads="rail.displcement", writes="u", function=lambda t, x: x),
        lambda s: s.output("o", "rail.displcement"),
        lambda s: s.motor("m", "rail", force="rail.displcement"),
    ],
    ids=["when", "set", "impulse", "controller", "reads", "output", "law"],
)
def test_unknown_names_in_every_expression(add):
    s = cart()
    s.variable("n", 0)
    s.input("u", 0.0)
    with pytest.raises(ModelError, match=r"rail\.displcement.*Did you mean 'rail\.displacement'"):
        add(s)
        mk.simulate(s, 0.2)


@pytest.mark.parametrize(
    "add, words",
    [
        (lambda s: s.event("e", when="t > 1", lock="hod"), "Did you mean 'hold'"),
        (lambda s: s.event("e", when="t > 1", release="hod"), "Did you mean 'hold'"),
        (lambda s: s.event("e", when="t > 1", impulse={"crat": (1, 0, 0)}), "Did you mean 'cart'"),
        (lambda s: s.event("e", when="t > 1", impulse=(1, 0, 0), between=("crat", "cart")), "Did you mean 'cart'"),
        (lambda s: s.event("e", when="t > 1", set={"gera": 1}), "Did you mean 'gear'"),
        (
            lambda s: s.event("e", when="t > 1", set={"rail.displacement.rat": 1}),
            "Did you mean 'rail.displacement.rate'",
        ),
        (lambda s: s.event("e", wen="t > 1", stop=True), "Did you mean 'when'"),
        (lambda s: s.controller("c", 0.1, writes="thrst", function="t"), "Did you mean 'thrust'"),
        (lambda s: s.controller("c", evry=0.1, writes="thrust", function="t"), "Did you mean 'every'"),
        (lambda s: s.marker("m", "crat"), "Did you mean 'cart'"),
        (lambda s: s.input("w", 0.0, unt="N"), "Did you mean 'unit'"),
        (lambda s: s.variable("w", vaue=0.0), "Did you mean 'value'"),
        (lambda s: s.output("o", "t", unt="N"), "Did you mean 'unit'"),
    ],
)
def test_unknown_names_of_parts_and_keywords(add, words):
    s = cart(hold="0.5")
    s.variable("gear", 1)
    s.input("thrust", 0.0)
    with pytest.raises(ModelError, match=words):
        add(s)
