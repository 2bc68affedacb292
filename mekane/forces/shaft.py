"""An elastic shaft or belt between two joints."""

from mekane.errors import ModelError
from mekane.forces._checks import refuse_negative, refuse_nothing
from mekane.model.force import BetweenCoordinates, Force, given
from mekane.model.values.values import Value, is_zero


class Shaft(Force):
    """Elastic shaft or belt between two joint coordinates: a spring and a damper where a `gear` is rigid.

        w = q_a − ratio q_b       F_a = −k (w − twist) − c dw/dt       F_b = −ratio F_a

    Stiffness and damping are those seen at a. Wheels that mesh from outside have a negative ratio.
    """

    example = 's.shaft("belt", "hinge", "guide", stiffness=40, damping=0.1, ratio=3)'
    between = BetweenCoordinates
    stiffness: Value = given(
        {"angle": "angular_stiffness", "length": "stiffness"}, meaning="torque or force on a, per twist"
    )
    damping: Value = given(
        {"angle": "angular_damping", "length": "damping"}, 0.0, dissipative=True, meaning="the same, per rate of twist"
    )
    ratio: Value = given("number", 1.0, meaning="q_a per q_b, where the shaft is rigid")
    twist: Value = given({"angle": "angle", "length": "length"}, 0.0, meaning="q_a − ratio q_b where it is relaxed")

    def check(self):
        refuse_negative(self, "stiffness", "damping", why="a shaft twists back")
        refuse_nothing(self, "stiffness", "damping", remedy="Give a stiffness.")
        if is_zero(self.ratio):
            raise ModelError(self.part, "ratio is 0", "a ratio is not zero", "It is how far a turns for one turn of b.")

    def law(self, w, wd):
        return -(self.stiffness * (w - self.twist)) - self.damping * wd

    def energy(self, w):
        return 0.5 * self.stiffness * (w - self.twist) ** 2
