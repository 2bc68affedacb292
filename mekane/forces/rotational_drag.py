"""Drag of a medium on the rotation of a body."""

from mekane.forces._checks import refuse_negative, refuse_nothing
from mekane.forces.drag import length
from mekane.model.force import Force, RotatingBody, given
from mekane.model.values.values import Value


class RotationalDrag(Force):
    """Torque against the angular velocity of a body.  M = −(c1 + c2 |ω|) ω, with c1 = `linear` and c2 = `quadratic`"""

    example = 's.rotational_drag("oil", arm, linear=0.02)'
    between = RotatingBody
    linear: Value = given("angular_damping", 0.0, meaning="torque per angular speed, c1")
    quadratic: Value = given("angular_quadratic_damping", 0.0, meaning="torque per angular speed squared, c2")

    def check(self):
        refuse_negative(self, "linear", "quadratic", why="drag slows down")
        refuse_nothing(self, "linear", "quadratic", remedy="Give linear=, quadratic= or both.")

    def law(self, w):
        return tuple(-(self.linear + self.quadratic * length(w)) * component for component in w)
