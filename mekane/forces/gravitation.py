"""Mutual gravitation of two bodies."""

from mekane.forces.inverse_square import AttractsBySquare
from mekane.model.force import Force, MassCentres, given
from mekane.model.values.values import Value


class Gravitation(AttractsBySquare, Force):
    """Newton's attraction between the mass centres of two bodies. M.A.K.E.'s Gravitation.  F = G ma mb / L²

    The weight of bodies near the ground is not this but `System(gravity=…)`.
    """

    example = 's.gravitation("pull", arm, rod)'
    between = MassCentres
    G: Value = given("gravitational_constant", 6.67430e-11, meaning="gravitational constant")

    def attraction(self):
        return self.G * self.acts.mass_a * self.acts.mass_b
