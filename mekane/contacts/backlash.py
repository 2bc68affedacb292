"""Play between two coordinates."""

from mekane.model.attachments import JointCoordinate
from mekane.model.constraint import coordinate, number, position, value
from mekane.model.set_valued import LAWS, Element, SetValued, choice, refuse_restitution
from mekane.model.values.values import Value


class Backlash(SetValued):
    """Play: a joint coordinate stays within half of `gap` on either side of `to`, a number or an expression of other
    coordinates; gear teeth with play, for example. It pushes at the ends of the play."""

    example = 's.backlash("teeth", "hinge", gap="0.5 deg", to="-2*shaft.angle")'
    joint: JointCoordinate = coordinate(meaning="the joint, or (joint, coordinate)")
    gap: float = number(None, above_zero=True, meaning="play from end to end")
    to: Value = value(None, 0.0, meaning="middle of the play: an expression of other coordinates and of t")
    restitution: float = number("number", 0.0, meaning="rebound at the ends, 0 to 1")
    law: str = choice(LAWS, "poisson", meaning="law of restitution: poisson, stronge, newton or phases")

    def check(self):
        refuse_restitution(self, self.restitution)

    def labels(self, system):
        return ["lower", "upper"]

    def elements(self, k):
        off, half = k.coordinate(self.joint) - self.to, 0.5 * self.gap
        return [
            Element(label, position(gap), restitution=self.restitution, law=self.law)
            for label, gap in (("lower", off + half), ("upper", half - off))
        ]
