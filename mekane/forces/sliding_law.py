"""Any law on a sliding coordinate of a joint."""

from mekane.forces._given_law import GivenLaw
from mekane.model.force import Force, TranslationCoordinate, given
from mekane.model.values.values import Value


class SlidingLaw(GivenLaw, Force):
    """Any law on a sliding coordinate of a joint: a force, a potential, or both.  F = force(x, ẋ) − dV/dx

    In their expressions and tables q is the displacement [m] and u its rate [m/s]; the force is positive when it drives
    it up.
    """

    between = TranslationCoordinate
    local, law_field = ("q", "u"), "force"
    force: Value = given("force", 0.0, dissipative=True)
    potential: Value = given("energy", 0.0)

    def law(self, q, u):
        return self.at(self.force, q, u) - self.derivative(q)
