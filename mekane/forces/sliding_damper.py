"""A damper on a sliding coordinate of a joint."""

from mekane.model.force import Force, TranslationCoordinate, given
from mekane.model.values.values import Value


class SlidingDamper(Force):
    """Damper on a sliding coordinate of a joint.  F = −c ẋ"""

    example = 's.sliding_damper("oil", "guide", damping=15)'
    between = TranslationCoordinate
    appearance = "damper"
    damping: Value = given("damping", meaning="force per speed")

    def law(self, q, u):
        return -self.damping * u
