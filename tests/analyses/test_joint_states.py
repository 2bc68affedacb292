"""Coordinates of joints as states of linearized motion in every formulation. Oracle: the formulation in which they are
coordinates."""

import numpy as np
import pytest

import mekane as mk
from mekane.errors import ModelError
from mekane.formulations import NAMES


def double():
    s = mk.System("double")
    s.body("a", mass=1, inertia=(0.1, 0.1, 0.1), position=(0, 0, -0.5))
    s.body("b", mass=1, inertia=(0.1, 0.1, 0.1), position=(0, 0, -1.5))
    s.pin("h", s.ground, "a", at=(0, 0, 0), axis="y")
    s.pin("k", "a", "b", at=(0, 0, -1), axis="y")
    s.motor("m", "h", torque=0.0)
    s.torsional_damper("d", "k", damping=0.3)
    s.pid("p", "k", target=0, stiffness=2, integral=1, damping=0.1)
    return s


@pytest.mark.parametrize("formulation", NAMES)
@pytest.mark.parametrize("outputs", [None, ["b.position.x", "k.angle.rate"]])
def test_all_formulations_give_the_same_matrices(formulation, outputs):
    """To round-off of the solution of a few equations."""
    keywords = dict(inputs=["m.torque"], outputs=outputs, independent=["h.angle", "k.angle.rate"])
    one, other = mk.linearize(double(), **keywords), mk.linearize(double(), formulation=formulation, **keywords)
    order = [other.states.index(name) for name in one.states]
    assert sorted(one.states) == sorted(other.states)
    np.testing.assert_allclose(other.A[np.ix_(order, order)], one.A, atol=1e-11)
    np.testing.assert_allclose(other.B[order], one.B, atol=1e-11)
    rows = order if outputs is None else slice(None)
    np.testing.assert_allclose(other.C[rows][:, order], one.C, atol=1e-11)
    if order == [0, 1, 2, 3, 4]:
        for mine, its in zip(other.second_order(), one.second_order(), strict=True):
            np.testing.assert_allclose(mine, its, atol=1e-11)


def test_places_of_bodies_over_the_angles():
    """x = −sin h − 0.5 sin(h + k), at rest: −1.5 per radian of h, −0.5 per radian of k."""
    linear = mk.linearize(double(), formulation="absolute", independent=["h.angle", "k.angle"])
    row = dict(zip(linear.states, linear.full[linear.coordinates.index("b.x")], strict=True))
    np.testing.assert_allclose(
        [row["h.angle"], row["k.angle"], row["h.angle.rate"], row["p.integral"]], [-1.5, -0.5, 0, 0], atol=1e-13
    )


def test_one_of_each():
    """A place of a body stays where it was requested, and the angle takes another state's place; eigenvalues know
    nothing of it."""
    linear = mk.linearize(double(), formulation="absolute", independent=["b.x", "h.angle"])
    assert {"b.x", "b.x.rate", "h.angle", "h.angle.rate"} < set(linear.states)
    np.testing.assert_allclose(np.poly(linear.A), np.poly(mk.linearize(double()).A), atol=1e-10)


def spinning():
    """Watt's governor without its sleeve: an arm on a shaft that turns at 6 rad/s, at the angle where weight and speed
    balance."""
    s = mk.System("governor")
    s.body("shaft", mass=1, inertia=(0.01, 0.01, 0.01))
    s.body("arm", mass=2, inertia=(0.05, 0.05, 0.05), position=(0.3, 0, -0.4))
    s.pin("bearing", s.ground, "shaft", at=(0, 0, 0), axis="z", rate=6.0)
    s.pin("hinge", "shaft", "arm", at=(0, 0, 0), axis="y")
    return s


def test_about_a_steady_motion():
    s = spinning()
    steady = mk.steady(s, speeds={"bearing.angle.rate": 6.0})
    one = mk.linearize(s, at=steady)
    other = mk.linearize(s, at=steady.system, formulation="absolute", independent=["bearing.angle", "hinge.angle"])
    order = [other.states.index(name) for name in one.states]
    np.testing.assert_allclose(other.A[np.ix_(order, order)], one.A, atol=1e-7)  # the motion is steady to about 1e-9


def test_names_that_cannot_be():
    with pytest.raises(
        ModelError, match=r"there is no 'h.angel'; there are h.angle, k.angle, a.x.*Did you mean 'h.angle'"
    ):
        mk.linearize(double(), formulation="absolute", independent=["h.angel"])
    s = double()
    s.pin("again", s.ground, "a", at=(0, 1, 0), axis="y")
    with pytest.raises(ModelError, match="cannot be independent together"):
        mk.linearize(s, formulation="absolute", independent=["h.angle", "again.angle"])
