"""A spring on a turning coordinate of a joint."""

from mekane.model.force import Force, RotationCoordinate, given
from mekane.model.values.values import Value


class TorsionalSpring(Force):
    """Spring and damper on a turning coordinate of a joint, at rest at angle.  M = −k (θ − θ0) − c θ̇"""

    example = 's.torsional_spring("coil", "hinge", stiffness=20, angle="30 deg")'
    between = RotationCoordinate
    stiffness: Value = given("angular_stiffness", meaning="torque per angle")
    angle: Value = given("angle", 0.0, meaning="where it is at rest")
    damping: Value = given("angular_damping", 0.0, dissipative=True, meaning="torque per angular speed")

    def law(self, q, u):
        return -self.stiffness * (q - self.angle) - self.damping * u

    def energy(self, q):
        return 0.5 * self.stiffness * (q - self.angle) ** 2
