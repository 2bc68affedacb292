"""A spring on a sliding coordinate of a joint."""

from mekane.model.force import Force, TranslationCoordinate, given
from mekane.model.values.values import Value


class SlidingSpring(Force):
    """Spring and damper on a sliding coordinate of a joint, at rest at displacement.  F = −k (x − x0) − c ẋ"""

    example = 's.sliding_spring("centre", "guide", stiffness="10 N/mm")'
    between = TranslationCoordinate
    stiffness: Value = given("stiffness", meaning="force per displacement")
    displacement: Value = given("length", 0.0, meaning="where it is at rest")
    damping: Value = given("damping", 0.0, dissipative=True, meaning="force per speed")

    def law(self, q, u):
        return -self.stiffness * (q - self.displacement) - self.damping * u

    def energy(self, q):
        return 0.5 * self.stiffness * (q - self.displacement) ** 2
