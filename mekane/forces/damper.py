"""A damper between two points."""

from mekane.model.force import Axial, Force, given
from mekane.model.values.values import Value


class Damper(Force):
    """Straight damper between two points, pulling while it grows. M.A.K.E.'s Damper.  F = c L̇"""

    between = Axial
    appearance = "damper"
    damping: Value = given("damping")

    def law(self, L, Ld):
        return self.damping * Ld
