"""Questions about one state, and runs from it, where something has no finite value there. Oracle: by hand; a spring of
length zero has no direction, a speed that moves no mass has no acceleration, a root of a negative number has no value.
Each is named."""

import numpy as np
import pytest

import mekane as mk
from mekane.errors import ModelError

FORMULATIONS = ("joint", "absolute", "mixed")


def cart(at=0.0):
    s = mk.System("cart", gravity=(0, 0, 0))
    s.body("b", mass=2, inertia=(0.1, 0.1, 0.1), position=(at, 0, 0.1))
    s.slider("g", s.ground, "b", axis="x")
    s.sliding_spring("other", "g", stiffness=3)
    s.spring("rubber", ("ground", (0, 0, 0.1)), ("b", (0, 0, 0)), stiffness=30, length=0.0)
    return s


def rooted(law):
    s = mk.System("rooted", gravity=(0, 0, 0))
    s.body("b", mass=2, inertia=(0.1, 0.1, 0.1))
    s.slider("g", s.ground, "b", axis="x")
    s.motor("m", "g", force=law)
    return s


def massless():
    s = mk.System("light")
    s.body("a", mass=1, inertia=(0.1, 0.1, 0.1))
    s.body("b", massless=True)
    s.slider("g", s.ground, "a", axis="x")
    s.slider("h", "a", "b", axis="z")
    return s


ANALYSES = {
    "forward_dynamics": lambda s, q, u, form: s.forward_dynamics(q, u, formulation=form),
    "forward_dynamics_derivatives": lambda s, q, u, form: s.forward_dynamics_derivatives(q, u, formulation=form),
    "inverse_dynamics": lambda s, q, u, form: s.required_forces(q, u, 0 * u, formulation=form),
    "simulate": lambda s, q, u, form: mk.simulate(s, 1.0, formulation=form),
    "simulate implicit": lambda s, q, u, form: mk.simulate(s, 1.0, formulation=form, method="implicit"),
    "simulate rk4": lambda s, q, u, form: mk.simulate(s, 1.0, formulation=form, method="rk4", step=0.01),
}


def ask(analysis, s, formulation):
    from mekane.analyses.state.dynamics import initial_state

    return ANALYSES[analysis](s, *initial_state(s, formulation), formulation)


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("analysis", ANALYSES)
def test_a_spring_of_length_zero_is_named(analysis, formulation):
    with pytest.raises(ModelError, match=r"force 'rubber'.*not finite.*ends meet"):
        ask(analysis, cart(), formulation)


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("analysis", ANALYSES)
def test_a_law_without_a_value_is_named(analysis, formulation):
    with pytest.raises(ModelError, match=r"force 'm'.*not finite.*root or a quotient"):
        ask(analysis, rooted("sqrt(g.displacement - 0.5)"), formulation)


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("analysis", [name for name in ANALYSES if name != "inverse_dynamics"])
def test_a_speed_without_inertia_is_named(analysis, formulation):
    """The massless body's own, not those further in, which lose their accelerations by it. Inverse dynamics needs
    none."""
    with pytest.raises(ModelError, match=r"no inertia resists the speed 'h\.displacement\.rate'.*Give the body a mass"):
        ask(analysis, massless(), formulation)


def test_an_infinite_slope_is_refused():
    """√x at 0: the force is zero, its slope is not finite; so accelerations are given and their derivatives are not."""
    s = rooted("sqrt(g.displacement)")
    np.testing.assert_array_equal(s.forward_dynamics([0.0], [0.0]), [0.0])
    with pytest.raises(ModelError, match=r"'g\.displacement\.rate', or its derivative, is not finite"):
        s.forward_dynamics_derivatives([0.0], [0.0])


def test_a_run_that_meets_it_later_keeps_what_it_has():
    """x = −t²/4 until √(1 + x) has no value at x = −1, t = 2; it says so."""
    s = rooted("-1 + 1e-30*sqrt(1 + g.displacement)")
    run = mk.simulate(s, 3.0, every=0.1)
    t = run.record.t
    np.testing.assert_allclose(run["g.displacement"].values, -(t**2) / 4, rtol=1e-8, atol=1e-12)
    assert 1.85 < t[-1] < 2.0 + 1e-9
    assert "stopped at t = " in run.info["stopped"] and "law" in run.info["stopped"]
