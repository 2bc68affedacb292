"""Rigid limits of anything that follows from positions."""

from mekane.contacts._between import limit_elements, limit_labels, refuse_limits
from mekane.model.constraint import number, value
from mekane.model.set_valued import LAWS, SetValued, choice
from mekane.model.values.values import Value


class PositionLimit(SetValued):
    """Rigid limits that keep an expression of joint coordinates and positions between `lower` and `upper`, or on one side of
    one of them: the length of a tendon over several joints, for example.

    Names: "crank.angle", "ball.position.x", "spring.length", "t" … It pushes and never pulls; hit at a rate v, the
    expression goes back at restitution × v. `limit` is that of one coordinate.
    """

    example = 's.position_limit("reach", "hinge.angle + 0.5*arm.position.x", upper=1.2)'
    expression: Value = value(None, meaning="what is kept between the limits", unit="m or rad")
    lower: Value | None = value(None, None, meaning="its least value", unit="m or rad")
    upper: Value | None = value(None, None, meaning="its largest value", unit="m or rad")
    restitution: float = number("number", 0.0, meaning="rate after over rate before an impact, 0 to 1")
    law: str = choice(LAWS, "poisson", meaning="law of restitution: poisson, stronge, newton or phases")

    def check(self):
        refuse_limits(self)

    def labels(self, system):
        return limit_labels(self)

    def elements(self, k):
        return limit_elements(self, self.expression)
