"""Any law on a turning coordinate of a joint."""

from mekane.forces._given_law import GivenLaw
from mekane.model.force import Force, RotationCoordinate, given
from mekane.model.values.values import Value


class TorsionalLaw(GivenLaw, Force):
    """Any law on a turning coordinate of a joint: a torque, a potential, or both.  M = torque(θ, θ̇) − dV/dθ

    In their expressions and tables q is the angle [rad] and u its rate [rad/s]; the torque is positive when it drives
    the angle up.
    """

    example = 's.torsional_law("rubber", "hinge", torque="-0.1*u", potential="4*q**4")'
    between = RotationCoordinate
    local, law_field = ("q", "u"), "torque"
    torque: Value = given("torque", 0.0, dissipative=True, meaning="law of the angle q [rad] and its rate u [rad/s]")
    potential: Value = given("energy", 0.0, meaning="stored energy, a law of the angle q [rad]")

    def law(self, q, u):
        return self.at(self.torque, q, u) - self.derivative(q)
