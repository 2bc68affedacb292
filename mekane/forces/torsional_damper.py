"""A damper on a turning coordinate of a joint."""

from mekane.model.force import Force, RotationCoordinate, given
from mekane.model.values.values import Value


class TorsionalDamper(Force):
    """Damper on a turning coordinate of a joint.  M = −c θ̇"""

    example = 's.torsional_damper("friction", "hinge", damping=0.1)'
    between = RotationCoordinate
    appearance = "damper"
    damping: Value = given("angular_damping", meaning="torque per angular speed")

    def law(self, q, u):
        return -self.damping * u
