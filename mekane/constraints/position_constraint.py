"""Any equation between positions."""

from mekane.model.constraint import Constraint, position, values


class PositionConstraint(Constraint):
    """Expressions of time, parameters, joint coordinates and positions of bodies that stay zero: one or a list.

    Names: "crank.angle", "ball.position.x", "spring.length", "t" … Written in metres, the multiplier is a force; in
    radians, a torque.
    """

    example = 's.position_constraint("slot", "arm.position.x - 0.1*hinge.angle")'
    expressions: tuple = values(None, meaning="expressions that stay zero: one, or a list")

    def equations(self, k):
        return [position(one) for one in self.expressions]
