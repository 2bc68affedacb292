"""A joint coordinate as a function of others."""

from mekane.model.attachments import JointCoordinate
from mekane.model.constraint import Constraint, coordinate, position, value
from mekane.model.values.values import Value


class Coupler(Constraint):
    """A joint coordinate is a function of other coordinates and of time, an expression or a table.  φ = q − f

    A cam as a table: to={"table": […], "of": "shaft.angle", "kind": "cubic"}. The multiplier is the force or torque on
    the coordinate.
    """

    example = 's.coupler("cam", "guide", to="0.1*sin(hinge.angle)")'
    is_drive = True
    joint: JointCoordinate = coordinate(meaning="the joint that follows, or (joint, coordinate)")
    to: Value = value(None, meaning="what its coordinate is: an expression or a table of other coordinates and of t")

    def equations(self, k):
        return [position(k.coordinate(self.joint) - self.to)]
