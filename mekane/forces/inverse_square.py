"""Forces that fall with the square of the distance."""

from mekane.model.force import Axial, Force, given
from mekane.model.values.values import Value


class AttractsBySquare:
    """What gravity, electric charges and magnetic poles share: `attraction()` over L², and its energy."""

    def law(self, L, Ld):
        return self.attraction() / L**2

    def energy(self, L):
        return -self.attraction() / L


class InverseSquare(AttractsBySquare, Force):
    """Repulsion of two points, falling with the square of their distance; attraction if negative.  F = −strength / L²,
    V = strength / L

    For electric charges the strength is 8.9875e9 qa qb (in coulombs), for magnetic poles 1e-7 pa pb (in ampere metres)
    [N m²].
    """

    example = 's.inverse_square("charges", (s.ground, (1, 0, 0)), (arm, (0, 0, 0)), strength=0.2)'
    between = Axial
    strength: Value = given("inverse_square", meaning="force times distance squared, positive when it repels")

    def attraction(self):
        return -self.strength
