"""A damper between two points."""

from mekane.model.force import Axial, Force, given
from mekane.model.values.values import Value


class Damper(Force):
    """Straight damper between two points, pulling while it grows. M.A.K.E.'s Damper.  F = c L̇"""

    example = 's.damper("dashpot", (s.ground, (1, 0, 0)), (arm, (0, 0, 0)), damping=15)'
    between = Axial
    appearance = "damper"
    damping: Value = given("damping", meaning="tension per rate of the length")

    def law(self, L, Ld):
        return self.damping * Ld
