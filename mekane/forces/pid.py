"""A drive with a controller state that brings a coordinate of a joint to a target, whatever load acts on it."""

from mekane.forces._checks import refuse_negative
from mekane.forces.pd import COORDINATE, DAMPING, STIFFNESS, check_target, towards
from mekane.model.force import Force, JointCoordinate, given
from mekane.model.values.values import Value


class Pid(Force):
    """Drive on a coordinate of a joint, as pd, that also sums up how far it was from the target.

        F = kp (target − q) + kd (d target/dt − u) + ki ∫(target − q) dt

    kp is `stiffness`, ki is `integral`, kd is `damping`. The integral is zero at the start unless
    s.initial_conditions({"name.integral": …}) sets it; it is part of the state, and "name.integral" in results and expressions.
    """

    example = 's.pid("hold", "hinge", target="30 deg", stiffness=40, integral=10, damping=2)'
    between = JointCoordinate
    is_drive = True
    target: Value = given(COORDINATE, meaning="value that the coordinate is driven to")
    stiffness: Value = given(STIFFNESS, meaning="kp, per error")
    integral: Value = given(
        {"angle": "angular_stiffness_rate", "length": "stiffness_rate"}, meaning="ki, per integral of the error"
    )
    damping: Value = given(DAMPING, 0.0, meaning="kd, per rate of the error")

    def check(self):
        check_target(self)
        refuse_negative(self, "stiffness", "integral", "damping", why="the drive would run away from its target")

    def integrand(self, q, u):
        return self.target - q

    def law(self, q, u, z):
        return towards(self, q, u) + self.integral * z
