"""Any law between two points."""

from mekane.forces._given_law import GivenLaw
from mekane.model.force import Axial, Force, given
from mekane.model.values.values import Value


class AxialLaw(GivenLaw, Force):
    """Any law along the line between two points: a tension, a potential, or both.  F = tension(L, L̇) + dV/dL

    In their expressions and tables L is the length [m] and Ld its rate [m/s]; the tension is positive when it pulls. A
    potential is differentiated exactly and counts as stored energy; the work of the tension is counted as it is done.
    """

    example = (
        's.axial_law("rubber", (s.ground, (1, 0, 0)), (arm, (0, 0, 0)), tension="5*Ld", potential="40*(L - 0.5)**4")'
    )
    between = Axial
    local, law_field = ("L", "Ld"), "tension"
    tension: Value = given(
        "force", 0.0, dissipative=True, meaning="law of the length L [m] and its rate Ld [m/s], positive when it pulls"
    )
    potential: Value = given("energy", 0.0, meaning="stored energy, a law of the length L [m]")

    def law(self, L, Ld):
        return self.at(self.tension, L, Ld) + self.derivative(L)
