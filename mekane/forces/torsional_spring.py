"""A spring on a turning coordinate of a joint."""

from mekane.model.force import Force, RotationCoordinate, given
from mekane.model.values.values import Value


class TorsionalSpring(Force):
    """Spring and damper on a turning coordinate of a joint, at rest at angle.  M = −k (θ − θ0) − c θ̇"""

    between = RotationCoordinate
    stiffness: Value = given("angular_stiffness")
    angle: Value = given("angle", 0.0)  # where it is at rest
    damping: Value = given("angular_damping", 0.0, dissipative=True)

    def law(self, q, u):
        return -self.stiffness * (q - self.angle) - self.damping * u

    def energy(self, q):
        return 0.5 * self.stiffness * (q - self.angle) ** 2
