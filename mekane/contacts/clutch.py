"""A clutch between two shafts."""

from mekane.contacts._friction import sliding_element
from mekane.model.attachments import JointCoordinate
from mekane.model.constraint import coordinate, number, value
from mekane.model.set_valued import SetValued, refuse_friction
from mekane.model.values.values import Value


class Clutch(SetValued):
    """A friction clutch between two turning coordinates: it drives both to the same rate with at most `torque`, which may
    change with time, and then holds them together. With a ratio, a.rate = ratio × b.rate."""

    example = 's.clutch("clutch", "hinge", "axle", torque="50 if t > 0.1 else 0")'
    a: JointCoordinate = coordinate("angle", meaning="one joint, or (joint, coordinate)")
    b: JointCoordinate = coordinate("angle", meaning="the other")
    torque: Value = value("torque", meaning="the most it can carry, on a")
    ratio: float = number("number", 1.0, meaning="rate of a over that of b when it holds")

    def check(self):
        refuse_friction(self, self.torque, None, ("torque", "static"))

    def elements(self, k):
        return [sliding_element(k.rate(self.a) - self.ratio * k.rate(self.b), self.torque)]
