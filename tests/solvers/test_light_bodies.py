"""Bodies that weigh next to nothing among others that do. Oracle: joint coordinates, in which no constraint row passes
through the cart, and in which the four-bar's rows are well apart, at tighter tolerance.

1e-7: forty times the tolerance of the runs (1e-9) for what accumulates in two seconds, and what is left of 16 digits
where rows differ by the ratio of the masses.
"""

import numpy as np
import pytest

import mekane as mk

CORNERS = np.array([(0, 0, 0), (0.3, 0, 0.9), (1.8, 0, 1.4), (2.2, 0, 0)])


def cart(mass):
    s = mk.System("cart under a bob")
    s.body("cart", mass, (mass,) * 3)
    s.body("bob", 1.0, (0.01, 0.01, 0.01), position=(0.6, 0, -0.8))
    s.slider("rail", s.ground, "cart", at=(0, 0, 0), axis="x")
    s.pin("hinge", "cart", "bob", at=(0, 0, 0), axis="y")
    return s


def four_bar(mass):
    s, last = mk.System("four-bar with a light coupler"), "ground"
    for k, m in enumerate((1.0, mass, 1.0)):
        s.body(f"link{k}", m, (0.1 * m,) * 3, position=(CORNERS[k] + CORNERS[k + 1]) / 2)
        s.pin("hinge" if k == 0 else f"pin{k}", last, f"link{k}", at=CORNERS[k], axis="y")
        last = f"link{k}"
    s.pin("pin3", last, "ground", at=CORNERS[3], axis="y")
    return s


@pytest.mark.parametrize("mass", [1e-3, 1e-6])
@pytest.mark.parametrize("make", [cart, four_bar], ids=lambda made: made.__name__)
def test_formulations_agree_however_light_a_body_is(make, mass):
    """Softness that was meant for singular positions once made the correction of every step wrong by a tenth, and more:
    up to 1 rad."""
    system, last = make(mass), dict(every=2.0)
    exact = float(mk.simulate(system, 2.0, rtol=1e-12, atol=1e-14, **last)["hinge.angle"][-1])
    for formulation in ("absolute", "mixed"):
        run = mk.simulate(system, 2.0, formulation=formulation, **last)
        assert run.health.ok, formulation
        assert float(run["hinge.angle"][-1]) == pytest.approx(exact, abs=1e-7), formulation


@pytest.mark.parametrize("formulation", ["joint", "absolute"])
@pytest.mark.parametrize("radius", [1e-6, 1e-8, 1e-10])
def test_a_speck_has_an_inertia(radius, formulation):
    """kg m² are few beside kg where metres are many. A free ball falls and keeps its spin: z = -g t²/2, angle ω t. 1e-9,
    the tolerance of the run."""
    s = mk.System("speck")
    s.body("ball", shape=mk.Sphere(radius), density=1000.0, angular_velocity=(0, 0, 2.0))
    run = mk.simulate(s, 0.5, every=0.5, formulation=formulation)
    assert run["ball.position"].values[-1] == pytest.approx([0, 0, -0.125 * 9.81], abs=1e-9)
    assert run["ball.angular_velocity"].values[-1] == pytest.approx([0, 0, 2.0], abs=1e-9)


def test_what_only_round_off_resists_is_refused_whatever_the_units():
    """A point mass straight below the axis about which it may turn, of a nanometre."""
    s = mk.System("fork")
    s.body("fork", mass=0, massless=True)
    s.body("bob", mass=1e-18, position=(0, 0, -1e-9))
    s.pin("upright", s.ground, "fork", at=(0, 0, 0), axis="z", rate=3.0)
    s.pin("hinge", "fork", "bob", at=(0, 0, 0), axis="y", rate=0.0)
    with pytest.raises(mk.ModelError, match=r"no inertia resists the speed 'upright\.angle\.rate'"):
        mk.simulate(s, 1.0)
