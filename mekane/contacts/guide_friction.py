"""Friction of a guide."""

from mekane.model.attachments import JointCoordinate
from mekane.model.constraint import coordinate, value, velocity
from mekane.model.joint import FX, FY, FZ
from mekane.model.set_valued import Element, JointLoad, SetValued, refuse_friction
from mekane.model.values.values import Value


class GuideFriction(SetValued):
    """Dry friction of a straight guide, from the joint's own reaction: the force is at most friction × (|N1| + |N2|), the
    forces on its two pairs of faces, across the axis. It is solved with the reaction, which it changes."""

    example = 's.guide_friction("cylinder", "guide", friction=0.15)'
    joint: JointCoordinate = coordinate("length", meaning="the joint, or (joint, coordinate)")
    friction: Value = value("number", meaning="coefficient of friction while it slides")
    static: Value | None = value("number", None, meaning="coefficient while it sticks; by default as sliding")

    def check(self):
        refuse_friction(self, self.friction, self.static)

    def elements(self, k):
        across = tuple(e for e in (FX, FY, FZ) if e != k.measure(self.joint).e)
        load = JointLoad(self.joint.joint, across, sums=True)
        return [Element("", None, (velocity(k.rate(self.joint)),), self.friction, self.static, reaction=load)]
