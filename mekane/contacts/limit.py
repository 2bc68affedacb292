"""Rigid limits of a joint."""

from mekane.contacts._between import limit_elements, limit_labels, refuse_limits
from mekane.model.attachments import JointCoordinate
from mekane.model.constraint import coordinate, number, value
from mekane.model.set_valued import LAWS, SetValued, choice, refuse_unit
from mekane.model.values.values import Value


class Limit(SetValued):
    """Rigid limits that keep a coordinate of a joint between `lower` and `upper`, or on one side of one of them.

    It pushes and never pulls; hit at a rate v, the coordinate goes back at restitution × v. `stop` is the elastic one.
    """

    example = 's.limit("bumper", "hinge", lower="-30 deg", upper="45 deg", restitution=0.4)'
    joint: JointCoordinate = coordinate(meaning="the joint, or (joint, coordinate)")
    lower: Value | None = value(None, None, meaning="least value of the coordinate", unit="m or rad")
    upper: Value | None = value(None, None, meaning="largest value of the coordinate", unit="m or rad")
    restitution: float = number("number", 0.0, meaning="rate after over rate before an impact, 0 to 1")
    law: str = choice(LAWS, "poisson", meaning="law of restitution: poisson, stronge, newton or phases")

    def check(self):
        for keyword in ("lower", "upper"):
            refuse_unit(self, keyword, "angle", "length")
        refuse_limits(self)

    def labels(self, system):
        return limit_labels(self)

    def elements(self, k):
        return limit_elements(self, k.coordinate(self.joint))
