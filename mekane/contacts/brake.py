"""A brake on a joint."""

from mekane.contacts._friction import capacity, capacity_of, check_capacity, sliding_element
from mekane.model.attachments import JointCoordinate
from mekane.model.constraint import coordinate
from mekane.model.set_valued import SetValued
from mekane.model.values.values import Value


class Brake(SetValued):
    """A brake holds a coordinate of a joint with at most `torque` or `force`, which may change with time."""

    example = 's.brake("brake", "hinge", torque="40 if t > 1 else 0")'
    joint: JointCoordinate = coordinate(meaning="the joint, or (joint, coordinate)")
    torque: Value | None = capacity("torque", "the most it can hold a turning coordinate with")
    force: Value | None = capacity("force", "the most it can hold a sliding coordinate with")

    def check(self):
        check_capacity(self)

    def elements(self, k):
        return [sliding_element(k.rate(self.joint), capacity_of(self))]
