"""Drag of a medium on a point of a body."""

import numpy as np

from mekane.forces._checks import refuse_negative, refuse_nothing
from mekane.model.force import Force, MovingPoint, given, given3
from mekane.model.values.values import Value

TINY = 1e-12  # [m/s, rad/s]


def length(v):
    """√(v·v + TINY²): has a derivative at v = 0, too, and is |v| to the last digit from 0.1 mm/s on. What TINY adds to
    a drag is below 1e-24."""
    return np.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + TINY * TINY)


class Drag(Force):
    """Drag at a point of a body, against its velocity relative to the medium.  F = −(c1 + c2 |v|) v,  v = velocity of
    the point − wind

    `linear` is c1 [N s/m], `quadratic` c2 [N s²/m²]: ½ ρ Cd A of a body in a fluid. `at` is the point, in the body's
    frame; the mass centre by default. `wind` is the velocity of the medium, world axes.
    """

    example = 's.drag("air", arm, quadratic=0.02, wind=("5 m/s", 0, 0))'
    between = MovingPoint
    linear: Value = given("damping", 0.0, meaning="drag per speed, c1")
    quadratic: Value = given("quadratic_damping", 0.0, meaning="drag per speed squared, c2")
    wind: tuple = given3("velocity", (0.0, 0.0, 0.0), meaning="velocity of the medium, world axes")

    def check(self):
        refuse_negative(self, "linear", "quadratic", why="drag slows down")
        refuse_nothing(self, "linear", "quadratic", remedy="Give linear=, quadratic= or both.")

    def law(self, p, v):
        v = [one - other for one, other in zip(v, self.wind, strict=True)]
        return tuple(-(self.linear + self.quadratic * length(v)) * component for component in v)
