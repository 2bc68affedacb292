"""A buffer between two points."""

from mekane.algebra.scalar import select
from mekane.model.force import Axial, Force, given
from mekane.model.values.values import Value


class Bumper(Force):
    """A spring that only pushes.  F = −k (L0 − L) where L < L0"""

    between = Axial
    stiffness: Value = given("stiffness")
    length: Value = given("length")

    def law(self, L, Ld):
        return select(L < self.length, self.stiffness * (L - self.length), 0.0)

    def energy(self, L):
        return select(L < self.length, 0.5 * self.stiffness * (L - self.length) ** 2, 0.0)
