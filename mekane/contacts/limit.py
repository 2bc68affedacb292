"""Rigid limits of a joint."""

from mekane.errors import ModelError
from mekane.model.attachments import JointCoordinate
from mekane.model.constraint import coordinate, number, position, value
from mekane.model.set_valued import LAWS, Element, SetValued, choice, number_of, refuse_restitution, refuse_unit
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
        refuse_restitution(self, self.restitution)
        for keyword in ("lower", "upper"):
            refuse_unit(self, keyword, "angle", "length")
        if self.lower is None and self.upper is None:
            raise ModelError(
                self.part, "neither lower nor upper is given", "a limit is somewhere", "Give lower=, upper= or both."
            )
        limits = number_of(self.lower), number_of(self.upper)
        if None not in limits and not limits[0] < limits[1]:
            problem = f"lower is {self.lower.given} and upper is {self.upper.given}"
            raise ModelError(self.part, problem, "lower must be less than upper")

    def labels(self, system):
        found = [label for label in ("lower", "upper") if getattr(self, label) is not None]
        return found if len(found) == 2 else [""]

    def elements(self, k):
        q, found = k.coordinate(self.joint), []
        both = self.lower is not None and self.upper is not None
        for label, gap in (("lower", lambda: q - self.lower), ("upper", lambda: self.upper - q)):
            if getattr(self, label) is not None:
                found.append(
                    Element(label if both else "", position(gap()), restitution=self.restitution, law=self.law)
                )
        return found
