"""A drive with a controller state that brings a coordinate of a joint to a target, whatever load acts on it."""

from mekane.algebra.scalar import maximum, minimum
from mekane.forces._checks import refuse_negative
from mekane.forces._limit import LIMIT, MEANING, check_limit, limited
from mekane.forces.pd import COORDINATE, DAMPING, STIFFNESS, check_target, towards
from mekane.model.force import Force, JointCoordinate, given
from mekane.model.values.values import Value

FADING = 0.01  # of the limit: over so much of a force wanted beyond it the integral comes to rest


class Pid(Force):
    """Drive on a coordinate of a joint, as pd, that also sums up how far it was from the target.

        F = kp (target − q) + kd (d target/dt − u) + ki ∫(target − q) dt

    kp is `stiffness`, ki is `integral`, kd is `damping`. The integral is zero at the start unless
    s.initial_conditions({"name.integral": …}) sets it; it is part of the state, and "name.integral" in results and expressions.

    With `limit`, F is cut off there, and the integral does not wind up: it stops while the drive is at its limit and
    the error asks for still more, and goes on as soon as the error changes sign. It comes to rest over the first
    hundredth of the limit beyond it, so that the law has no jump.
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
    limit: Value | None = given(LIMIT, None, meaning=MEANING)

    def check(self):
        check_target(self)
        check_limit(self)
        refuse_negative(self, "stiffness", "integral", "damping", why="the drive would run away from its target")

    def integrand(self, q, u, z):
        error = self.target - q
        if self.limit is None:
            return error
        wanted = self.wanted(q, u, z)
        beyond = (wanted - limited(self, wanted)) / (FADING * self.limit)
        above, below = (minimum(maximum(x, 0.0), 1.0) for x in (beyond, -beyond))
        return error - maximum(error, 0.0) * above - minimum(error, 0.0) * below

    def law(self, q, u, z):
        return limited(self, self.wanted(q, u, z))

    def wanted(self, q, u, z):
        return towards(self, q, u) + self.integral * z
