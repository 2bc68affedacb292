"""Any law between two points."""

from mekane.forces._given_law import GivenLaw
from mekane.model.force import Axial, Force, given
from mekane.model.values.values import Value


class AxialLaw(GivenLaw, Force):
    """Any law along the line between two points: a tension, a potential, or both.  F = tension(L, L̇) + dV/dL

    In their expressions and tables L is the length [m] and Ld its rate [m/s]; the tension is positive when it pulls. A
    potential is differentiated exactly and counts as stored energy; the work of the tension is counted as it is done.
    """

    between = Axial
    local, law_field = ("L", "Ld"), "tension"
    tension: Value = given("force", 0.0, dissipative=True)
    potential: Value = given("energy", 0.0)

    def law(self, L, Ld):
        return self.at(self.tension, L, Ld) + self.derivative(L)
