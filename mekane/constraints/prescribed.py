"""A joint coordinate that follows a given motion."""

from mekane.model.attachments import JointCoordinate
from mekane.model.constraint import Constraint, coordinate, position, value
from mekane.model.values.values import Value


class Prescribed(Constraint):
    """A joint coordinate as a given function of time; its reaction is the force or torque of the drive.  φ = q −
    f(t)"""

    example = 's.prescribed("crank", "hinge", motion="2*pi*t")'
    is_drive = True
    joint: JointCoordinate = coordinate(meaning="the joint that is driven, or (joint, coordinate)")
    motion: Value = value(None, meaning="what its coordinate is: a law of t")

    @property
    def prescribes(self):
        return self.joint

    def equations(self, k):
        return [position(k.coordinate(self.joint) - self.motion)]
