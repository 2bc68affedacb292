"""Two angles (or two displacements) in a fixed ratio."""

from mekane.constraints._gear_wheels import gear_wheels
from mekane.errors import ModelError
from mekane.model.attachments import JointCoordinate
from mekane.model.constraint import Constraint, coordinate, number, position


class Gear(Constraint):
    """Two joint coordinates in a fixed ratio: gear wheels, belts, a differential drive.  φ = q_a − ratio q_b − phase

    Wheels that mesh from outside have a negative ratio. The multiplier is the torque (or force) on a's coordinate.
    """

    example = 's.gear("mesh", "hinge", "guide", ratio=-2)'
    a: JointCoordinate = coordinate(meaning="joint, or (joint, coordinate)")
    b: JointCoordinate = coordinate(meaning="joint, or (joint, coordinate)")
    ratio: float = number("number", meaning="q_a per q_b; negative where wheels mesh from outside")
    phase: float = number(None, 0.0, meaning="q_a where q_b is zero")

    def check(self):
        if self.ratio == 0.0:
            raise ModelError(
                self.part, "ratio is 0", "a ratio is not zero", "To hold a coordinate still, use prescribed with 0."
            )
        if self.a == self.b:
            raise ModelError(
                self.part, f"both are {self.a.joint}.{self.a.coordinate}", "two different coordinates are expected"
            )

    def equations(self, k):
        return [position(k.coordinate(self.a) - self.ratio * k.coordinate(self.b) - self.phase)]

    def solids(self, system):
        return gear_wheels(system, self)
