"""A drive that holds a coordinate of a joint at a target."""

from mekane.errors import ModelError
from mekane.expressions.graph import differentiate, symbol
from mekane.forces._checks import needs_expression, refuse_negative
from mekane.forces._limit import LIMIT, MEANING, check_limit, limited
from mekane.model.force import Force, JointCoordinate, given
from mekane.model.values.values import Value, is_of_state

COORDINATE = {"angle": "angle", "length": "length"}
STIFFNESS = {"angle": "angular_stiffness", "length": "stiffness"}
DAMPING = {"angle": "angular_damping", "length": "damping"}


class Pd(Force):
    """Drive on a coordinate of a joint: proportional to how far it is from the target, and how fast it leaves it.

        F = kp (target − q) + kd (d target/dt − u)

    The target is a number, an expression or a table of time; its rate is its exact derivative. kp is `stiffness`, kd is
    `damping`. With `limit`, F is cut off there. A drive stores no energy: all its work is counted.
    """

    example = 's.pd("hold", "hinge", target="30 deg", stiffness=40, damping=2)'
    between = JointCoordinate
    is_drive = True
    target: Value = given(COORDINATE, meaning="value that the coordinate is driven to")
    stiffness: Value = given(STIFFNESS, meaning="kp, per error")
    damping: Value = given(DAMPING, 0.0, meaning="kd, per rate of the error")
    limit: Value | None = given(LIMIT, None, meaning=MEANING)

    def check(self):
        check_target(self)
        check_limit(self)
        refuse_negative(self, "stiffness", "damping", why="the drive would run away from its target")

    def law(self, q, u):
        return limited(self, towards(self, q, u))


def check_target(force) -> None:
    needs_expression(force, "target")
    for name in force.target.names():
        if is_of_state(name):
            remedy = "Write the whole law as the torque= or force= of a motor."
            raise ModelError(
                force.part, f"target reads {name!r}", "a target depends on the time and on parameters", remedy
            )


def towards(force, q, u):
    """kp (target − q) + kd (d target/dt − u)"""
    return force.stiffness * (force.target - q) + force.damping * (differentiate(force.target, symbol("t")) - u)
