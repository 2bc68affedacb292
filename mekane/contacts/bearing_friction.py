"""Friction of a bearing."""

from mekane.errors import ModelError
from mekane.model.attachments import JointCoordinate
from mekane.model.constraint import coordinate, number, value, velocity
from mekane.model.joint import FX, FY, FZ
from mekane.model.set_valued import Element, JointLoad, SetValued, refuse_friction
from mekane.model.values.values import Value


class BearingFriction(SetValued):
    """Dry friction of a journal bearing, from the joint's own reaction: the torque is at most friction × radius × force
    across the axis. With `collar`, the force along the axis rubs, too, at that radius. It is solved with the reaction,
    which it changes."""

    example = 's.bearing_friction("bearing", "hinge", friction=0.1, radius="10 mm")'
    joint: JointCoordinate = coordinate("angle", meaning="the joint, or (joint, coordinate)")
    friction: Value = value("number", meaning="coefficient of friction while it turns")
    radius: float = number("length", above_zero=True, meaning="of the journal")
    static: Value | None = value("number", None, meaning="coefficient while it sticks; by default as turning")
    collar: float | None = number(
        "length", None, above_zero=True, meaning="mean radius of the collar that takes thrust"
    )

    def check(self):
        refuse_friction(self, self.friction, self.static)

    def labels(self, system):
        return [""] if self.collar is None else ["journal", "collar"]

    def elements(self, k):
        axis = k.measure(self.joint).e
        if axis not in (FX, FY, FZ):
            raise ModelError(self.part, f"{self.joint.joint!r} has no axis fixed in its body a", "a pin is expected")
        across = tuple(e for e in (FX, FY, FZ) if e != axis)
        found = [(self.radius, JointLoad(self.joint.joint, across))]
        if self.collar is not None:
            found.append((self.collar, JointLoad(self.joint.joint, (axis,), sums=True)))
        rate, found = velocity(k.rate(self.joint)), zip(self.labels(k.system), found, strict=True)
        return [self.element(label, rate, arm, load) for label, (arm, load) in found]

    def element(self, label, rate, arm, load):
        static = None if self.static is None else self.static * arm
        return Element(label, None, (rate,), self.friction * arm, static, reaction=load)
