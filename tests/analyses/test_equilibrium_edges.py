"""Equilibria where numbers go wrong easily: soft beside stiff, laws without a finite value. Oracles: closed forms,
words instead of nan."""

import numpy as np
import pytest

import mekane as mk
from mekane.analyses.state.dynamics import prepared
from mekane.errors import ModelError


@pytest.mark.parametrize(
    ("formulation", "stiff"), [("joint", 1e6), ("joint", 1e9), ("absolute", 1e6), ("absolute", 1e9)]
)
def test_a_soft_spring_beside_a_stiff_one(stiff, formulation):
    """Both sag by m g / k, whatever the other is, eleven decades apart: round-off of the stiff one, 1e-16·1e9, is 1e-5
    of the soft one's stiffness at most, and its force is of that accuracy. Whether it is reported as supported is tested up to
    eight decades."""
    s = mk.System("two")
    s.body("a", mass=1, inertia=(0.01, 0.01, 0.01))
    s.body("b", mass=1e-3, inertia=(1e-6, 1e-6, 1e-6), position=(1, 0, 0))
    for name, k in (("a", stiff), ("b", 1e-2)):
        s.slider(f"guide {name}", s.ground, name, axis="z")
        s.sliding_spring(f"spring {name}", f"guide {name}", stiffness=k)
    rest = mk.equilibrium(s, formulation=formulation)
    np.testing.assert_allclose(rest["guide a.displacement"], -9.81 / stiff, rtol=1e-9)
    np.testing.assert_allclose(rest["guide b.displacement"], -0.981, rtol=1e-6)
    assert rest.stable and (rest.indifferent == [] or stiff > 1e6)


def cart(force=None, at=0.0):
    s = mk.System("cart", gravity=(0, 0, 0))
    s.body("b", mass=2, inertia=(0.1, 0.1, 0.1), position=(at, 0, 0.1))
    s.slider("g", s.ground, "b", axis="x")
    if force is None:
        s.spring("rubber", ("ground", (0, 0, 0.1)), ("b", (0, 0, 0)), stiffness=30, length=0.0)
    else:
        s.motor("m", "g", force=force)
    return s


ANALYSES = {
    "equilibrium": lambda s: mk.equilibrium(s),
    "all": lambda s: mk.equilibrium(s, all=True),
    "linearize": lambda s: mk.linearize(s),
    "modes": lambda s: mk.modes(s),
    "steady": lambda s: mk.steady(s),
    "continuation": lambda s: mk.continuation(s, "rubber.stiffness", (10, 20)),
    "trim": lambda s: mk.equilibrium(s, solve_for="rubber.stiffness"),
    "inverse_dynamics": lambda s: mk.inverse_dynamics(s, {"g": "t"}, times=[0.0, 1.0]),
}


@pytest.mark.parametrize("analysis", ANALYSES)
def test_a_spring_whose_ends_meet(analysis):
    """The direction in which it pulls is not known."""
    with pytest.raises(ModelError, match=r"not finite.*spring whose ends meet"):
        ANALYSES[analysis](cart())


def test_towards_a_spring_of_no_length():
    """From beside, it ends where the ends all but meet: forces count as balanced below 1e-9 of those at work, 30·0.3
    N."""
    assert abs(mk.equilibrium(cart(at=0.3))["b.position"][0]) < 1e-9 * 0.3


def test_a_law_that_is_not_defined_everywhere():
    """1 − √x: one equilibrium at 1; at 0 the slope is infinite, which is no balance; below there is no force at all."""
    s = cart("1 - sqrt(g.displacement)")
    np.testing.assert_allclose(mk.equilibrium(s, at={"g": 0.3})["g.displacement"], 1.0, rtol=1e-12)
    assert [round(one["g.displacement"], 9) for one in mk.equilibrium(s, all=True, at={"g": 0.3})] == [1.0]
    for x in (0.0, -0.3):
        with pytest.raises(ModelError, match="not finite"):
            mk.equilibrium(s, at={"g": x})


def swing(beside, l=0.5):
    """A board on two bars and a massless third one, which is parallel to them but for a small distance at its end."""
    s, turn = mk.System("swing"), 0.4
    along = l * np.array([np.sin(turn), 0.0, -np.cos(turn)])
    for name, x in (("left", 0.0), ("right", 1.0)):
        s.body(name, mass=1, inertia=(1 / 48, 1 / 48, 1 / 48), position=np.array([x, 0, 0]) + along / 2)
        s.pin(f"post {name}", s.ground, name, at=(x, 0, 0), axis="y")
    s.body("board", mass=2, inertia=(0.2, 0.2, 0.2), position=np.array([0.5, 0, 0]) + along)
    s.pin("left end", "left", "board", at=along, axis="y")
    s.pin("right end", "right", "board", at=np.array([1, 0, 0]) + along, axis="y")
    s.distance("third bar", ("ground", (0.5 + beside, 0, 0)), ("board", (0, 0, 0)))
    return s


@pytest.mark.parametrize("beside", [0.0, 1e-6])
def test_a_bar_that_is_nearly_parallel(beside):
    """A third bar whose end is off by 1e-6 repeats the others in the time loop, so it does at rest: one freedom, which
    hangs straight down and swings with ω² = g (m + M) / (l (2 m / 3 + M)) where bars have m l² / 12. Which of the rows are
    active changes the directions they allow by 1e-6 of the size and a few: 1e-5."""
    s = swing(beside)
    rest = mk.equilibrium(s)
    omega = np.sqrt(9.81 * (1 + 2) / (0.5 * (2 / 3 + 2)))
    active = prepared(s).active_rows(0.0, np.concatenate(s.initial_state()))  # as the time loop chooses them
    assert len(s.speeds) - active.sum() == 1 and rest.stable and len(rest.eigenvalues) == 2
    np.testing.assert_allclose(rest["left.position"], (0, 0, -0.25), atol=1e-5)
    np.testing.assert_allclose(np.abs(rest.eigenvalues.imag), omega, rtol=1e-5)
    np.testing.assert_allclose([mode.frequency * 2 * np.pi for mode in mk.modes(s, at=rest)], [omega], rtol=1e-5)


def test_a_run_from_rest_where_rows_repeat_others_but_for_rounding():
    """Bars parallel to the eighth digit, as in a file of five-digit angles: what no motion can close stays open, the run begins
    at rest and stays there. Oracle: rest. Forces are balanced to 1e-12 of the weight, so nothing moves by more in 0.2 s.
    One that is off by more is no rounding: it is refused."""
    s = swing(beside=2e-8)
    s.limit("stop", "post left", lower=-2, upper=2)  # rows of contact laws are chosen after those of loops
    rest = mk.equilibrium(s)
    run = mk.simulate(rest.system, 0.2)
    assert run.health.ok and run.health.residual < 1e-8
    for body in s.bodies:
        np.testing.assert_allclose(
            run[f"{body}.position"], np.tile(rest[f"{body}.position"], (len(run.t), 1)), atol=1e-12
        )
    with pytest.raises(ModelError, match="cannot (both|all) hold"):
        mk.simulate(mk.equilibrium(swing(beside=1e-6)).system, 0.2)
