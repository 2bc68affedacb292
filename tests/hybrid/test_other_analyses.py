"""Analyses other than runs see what is active at the start. Oracle: the same system without what is not."""

import numpy as np
import pytest

import mekane as mk


def pendulum(extra):
    s = mk.System()
    s.body("bob", mass=2.0, inertia=(0.1, 0.1, 0.1), position=(0.3, 0, -0.7))
    s.pin("hinge", s.ground, "bob", at=(0, 0, 0), axis="y")
    if extra:
        s.ball("grip", s.ground, "bob", on_a=(1, 0, 0), on_b=(0, 0, 0), active=False)
        s.event("grab", when="hinge.angle < -1", lock="grip")
    return s


@pytest.mark.parametrize(
    "quantity",
    [
        lambda s: mk.equilibrium(s)["hinge.angle"],
        lambda s: mk.linearize(mk.equilibrium(s).system).A,
        lambda s: s.mass_matrix(s.initial_state()[0]),
        lambda s: s.forward_dynamics(*s.initial_state()),
    ],
    ids=["equilibrium", "linearize", "mass matrix", "accelerations"],
)
def test_what_is_not_active_does_not_constrain(quantity):
    found, expected = quantity(pendulum(True)), quantity(pendulum(False))
    np.testing.assert_array_equal(np.asarray(found, float), np.asarray(expected, float))


def driven(as_input):
    s = pendulum(False)
    s.input("u", 2.0) if as_input else s.parameter("u", 2.0)
    s.motor("drive", "hinge", torque="u")
    return s


def test_inputs_have_their_values_in_every_analysis():
    """A number is the same whether it is an input or a parameter."""
    for quantity in (
        lambda s: mk.equilibrium(s)["hinge.angle"],
        lambda s: mk.linearize(mk.equilibrium(s).system).A,
        lambda s: mk.linearize(mk.equilibrium(s).system, formulation="absolute").A,
    ):
        np.testing.assert_array_equal(np.asarray(quantity(driven(True))), np.asarray(quantity(driven(False))))


def test_laws_read_what_is_active():
    s = pendulum(True)
    s.event("other", when="t > 1", release="hinge")
    s.motor("drive", "hinge", torque="2*hinge.active + 3*grip.active")
    t = pendulum(False)
    t.motor("drive", "hinge", torque=2.0)
    assert mk.equilibrium(s)["hinge.angle"] == mk.equilibrium(t)["hinge.angle"]
    assert mk.equilibrium(s)["hinge.active"] == 1.0 and mk.equilibrium(s)["grip.active"] == 0.0
