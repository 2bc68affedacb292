"""Any equation between speeds."""

from mekane.constraints._integrable import is_integrable
from mekane.model.constraint import Constraint, values, velocity


class VelocityConstraint(Constraint):
    """Expressions of time, parameters, positions and speeds that stay zero: one or a list.

    Names: "crank.angle.rate", "ball.velocity.x", "ball.angular_velocity.z", and all those of positions. Written as a
    speed, the multiplier is a force; as an angular speed, a torque.
    """

    example = 's.velocity_constraint("drift", "arm.velocity.x - 0.5")'
    is_drive = True
    expressions: tuple = values(None, meaning="expressions that stay zero: one, or a list")

    def equations(self, k):
        return [velocity(one) for one in self.expressions]

    def remark(self, system):
        graphs = [one.expr() for one in self.expressions]
        known = system.constants
        if is_integrable(graphs, known):
            which = "its equation is" if len(graphs) == 1 else "its equations are together"
        else:
            single = [
                one.given for one, graph in zip(self.expressions, graphs, strict=True) if is_integrable([graph], known)
            ]
            if not single:
                return None
            which = f"the equation {single[0]!r} is"
        return f"{self.part}: {which} the rate of a relation between positions, which is kept as it is at the start (holonomic)."
