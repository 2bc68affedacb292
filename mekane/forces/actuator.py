"""A drive with a state of its own, such as a filter or the activation of a muscle."""

from mekane.expressions.graph import substitute
from mekane.forces.motor import Motor
from mekane.model.force import given
from mekane.model.values.values import Value


class Actuator(Motor):
    """Drive on a coordinate of a joint with a state a, whose rate is given, and which the torque or force may read.

        ȧ = rate(a, q, u),   F = torque(a, q, u)

    In its expressions a is the state, q the coordinate and u its rate. The state is zero at the start unless
    s.initial_conditions({"name.integral": …}) sets it; it is "name.integral" in results and in other expressions.
    """

    example = 's.actuator("servo", "hinge", torque="50*(a - q) - 2*u", rate="(0.5*sin(t) - a)/0.1")'
    is_actuator = False
    local = ("a", "q", "u")
    rate: Value = given("number", 0.0, meaning="rate of the state a, a law of a, q and u [1/s]")

    def integrand(self, q, u, a):
        return self.at(self.rate, q, u, a)

    def law(self, q, u, a):
        return self.at(super().law(q, u), q, u, a)

    def at(self, expression, q, u, a):
        return substitute(expression, {"a": a, "q": q, "u": u})
