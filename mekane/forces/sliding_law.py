"""Any law on a sliding coordinate of a joint."""

from mekane.forces._given_law import GivenLaw
from mekane.model.force import Force, TranslationCoordinate, given
from mekane.model.values.values import Value


class SlidingLaw(GivenLaw, Force):
    """Any law on a sliding coordinate of a joint: a force, a potential, or both.  F = force(x, ẋ) − dV/dx

    In their expressions and tables q is the displacement [m] and u its rate [m/s]; the force is positive when it drives
    it up.
    """

    example = 's.sliding_law("rubber", "guide", force="-5*u", potential="40*q**4")'
    between = TranslationCoordinate
    local, law_field = ("q", "u"), "force"
    force: Value = given("force", 0.0, dissipative=True, meaning="law of the displacement q [m] and its rate u [m/s]")
    potential: Value = given("energy", 0.0, meaning="stored energy, a law of the displacement q [m]")

    def law(self, q, u):
        return self.at(self.force, q, u) - self.derivative(q)
