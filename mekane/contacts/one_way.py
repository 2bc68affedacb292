"""A one-way clutch."""

from mekane.model.attachments import JointCoordinate
from mekane.model.constraint import coordinate, value, velocity
from mekane.model.set_valued import Element, SetValued, refuse_unit
from mekane.model.values.values import Value


class OneWay(SetValued):
    """A freewheel: the rate of a coordinate is never less than `rate`, that of what drives it (0: it does not turn back).
    It takes hold without a rebound."""

    example = 's.one_way("freewheel", "hinge")'
    joint: JointCoordinate = coordinate(meaning="the joint, or (joint, coordinate)")
    rate: Value = value(
        None, 0.0, meaning="least rate: a number, or an expression of time and other rates", unit="m/s or rad/s"
    )

    def check(self):
        refuse_unit(self, "rate", "angular_velocity", "velocity")

    def elements(self, k):
        return [Element(normal=velocity(k.rate(self.joint) - self.rate))]
