"""A joint coordinate as a function of others."""

from mekane.model.attachments import JointCoordinate
from mekane.model.constraint import Constraint, coordinate, position, value
from mekane.model.values.values import Value


class Coupler(Constraint):
    """A joint coordinate is a function of other coordinates and of time, an expression or a table.  φ = q − f

    A cam as a table: to={"table": […], "of": "shaft.angle", "kind": "cubic"}. The multiplier is the force or torque on
    the coordinate.
    """

    is_drive = True
    joint: JointCoordinate = coordinate()
    to: Value = value(None)

    def equations(self, k):
        return [position(k.coordinate(self.joint) - self.to)]
