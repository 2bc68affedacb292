"""Mass properties that follow from a shape: where a parameter gives the mass, the density or a size, all numbers that the
inertia is computed from are symbols.

Oracle: the same model with numbers alone, whose mass matrix and forcing the kernels give; and the model with another
value of the parameter. Both sides are the same operations in another order: a few units of round-off.
"""

import numpy as np
import pytest

import mekane as mk
from mekane.symbolic.printing.printer import simple_fraction

STATE = {"q_hinge": 0.3, "q_wrist": -0.7, "u_hinge": 1.1, "u_wrist": -0.4}
ROUND_OFF = 1e-14
SHAPES = {
    "rod": lambda l: mk.Rod(l, axis="x", radius=0.02),
    "box": lambda l: mk.Box(l, 0.1, l / 3),
    "cylinder": lambda l: mk.Cylinder(radius=0.03, length=l, axis="x"),
    "capsule": lambda l: mk.Capsule(0.03, l, axis="x"),
    "ellipsoid": lambda l: mk.Ellipsoid(l, 0.1, 0.2),
}
MASSES = {"mass": 2.97, "density": 7800.0}


def model(shape, by, length=0.9):
    """Two bodies, of which the second is given by numbers alone."""
    s = mk.System("arm")
    s.body("arm", shape=shape(length), **{by: MASSES[by]}, position=(0.45, 0, 0))
    s.body("hand", mass=0.4, shape=mk.Box(0.2, 0.1, 0.05), position=(1.0, 0, 0))
    s.pin("hinge", s.ground, "arm", at=(0, 0, 0), axis="y")
    s.pin("wrist", "arm", "hand", at=(0.9, 0, 0), axis="z")
    return s


def numbers(equations, **values):
    return [np.asarray(part.evaluate(**STATE, **values), float) for part in (equations.mass_matrix, equations.forcing)]


def assert_same(one, other):
    for a, b in zip(one, other, strict=True):
        np.testing.assert_allclose(a, b, rtol=0, atol=ROUND_OFF * np.abs(b).max())


@pytest.mark.parametrize("by", MASSES)
@pytest.mark.parametrize("shape", SHAPES)
def test_values_put_in_are_the_numbers_of_the_model(shape, by):
    eq = mk.equations(model(SHAPES[shape], by, mk.Param("l", 0.9)))
    of_numbers = lambda l: numbers(mk.equations(model(SHAPES[shape], by, l), parameters="numeric"))
    assert_same(numbers(eq), of_numbers(0.9))
    assert_same(numbers(eq, l=1.3), of_numbers(1.3))  # with the equations of 0.9


def test_the_equations_of_a_rod_are_those_of_a_textbook():
    """m l²/12 about its middle, and m l²/3 about its end."""
    s = mk.System("rod")
    length = mk.Param("l", 0.9)
    s.body("arm", mass=2.97, shape=mk.Rod(length, axis="x"), position=(length / 2, 0, 0))
    s.pin("hinge", s.ground, "arm", at=(0, 0, 0), axis="y")
    assert mk.equations(s).mass_matrix.text == "M[1,1] = l**2*m_arm/3"
    free = mk.System("free", gravity=(0, 0, 0))
    free.body("arm", mass=mk.Param("m", 2.97), shape=mk.Rod(0.9, axis="x"))
    free.pin("hinge", free.ground, "arm", at=(0, 0, 0), axis="y")
    assert mk.equations(free).mass_matrix.text == "M[1,1] = m*l_arm**2/12"


def test_a_model_of_numbers_keeps_its_inertias_as_symbols():
    eq = mk.equations(model(SHAPES["box"], "mass"))
    assert "l_arm" not in eq.parameters and any("inertia" in meaning for _, meaning in eq.parameters.values())


def test_fractions_that_come_up_in_mechanics():
    """Oracle: 5/48 of a plate, 1/1200 of one of 0.1 m; numbers that are short in decimals stay as they were given."""
    assert [simple_fraction(x) for x in (5 / 48, 1 / 1200, 53 / 48, 0.0625, 0.1**2, 9.81, np.pi, 0.104166)] == [
        (5, 48), (1, 1200), (53, 48), None, None, None, None, None,
    ]  # fmt: skip
