"""A spring between two points."""

from mekane.errors import ModelError
from mekane.model.force import Axial, Force, given
from mekane.model.values.values import Value


class Spring(Force):
    """Straight spring and damper between two points, pulling when long. M.A.K.E.'s Spring.  F = k (L − L0) + c L̇   [T
    5.28]"""

    example = 's.spring("return", (s.ground, (1, 0, 0)), (arm, (0, 0, 0)), stiffness="4 kN/m", length="80 mm")'
    between = Axial
    stiffness: Value = given("stiffness", meaning="tension per stretch")
    length: Value = given("length", meaning="natural length")
    damping: Value = given("damping", 0.0, dissipative=True, meaning="tension per rate of the length")

    def check(self):
        if isinstance(self.length.graph, float) and self.length.graph < 0:
            raise ModelError(self.part, f"length is {self.length.given}", "a natural length is not negative")

    def law(self, L, Ld):
        return self.stiffness * (L - self.length) + self.damping * Ld

    def energy(self, L):
        return 0.5 * self.stiffness * (L - self.length) ** 2
