"""Any equation between accelerations."""

from mekane.model.constraint import Constraint, acceleration, values


class AccelerationConstraint(Constraint):
    """Expressions that stay zero and hold accelerations linearly, one or a list: "ball.acceleration.x - 0.1*t".

    Names: "crank.angle.rate.rate", "ball.acceleration.x", "ball.angular_acceleration.z", and all those of positions and
    speeds. Positions and speeds are not constrained: they go on from where they start. Its force may do work.
    """

    example = 's.acceleration_constraint("lift", "arm.acceleration.z - 0.5")'
    expressions: tuple = values(None, meaning="expressions that stay zero: one, or a list")

    def equations(self, k):
        return [acceleration(one) for one in self.expressions]
