"""A motor on a joint."""

from mekane.errors import ModelError
from mekane.forces._limit import LIMIT, MEANING, check_limit, limited
from mekane.model.force import Force, JointCoordinate, RotationCoordinate, TranslationCoordinate, given
from mekane.model.values.values import Value


class Motor(Force):
    """Torque on a turning coordinate of a joint, or force on a sliding one: positive drives the coordinate up, a feels
    the opposite of b. With `limit`, it gives no more than that in either direction.

    `coordinate` is needed if the joint has several coordinates of that kind.
    """

    example = 's.motor("drive", "hinge", torque="5*sin(3*t)")'
    between = JointCoordinate
    is_drive = True
    is_actuator = True
    torque: Value | None = given("torque", None, meaning="torque on a turning coordinate")
    force: Value | None = given("force", None, meaning="force on a sliding coordinate")
    limit: Value | None = given(LIMIT, None, meaning=MEANING)

    @classmethod
    def place(cls, system, part, values, options):
        if (values["torque"] is None) == (values["force"] is None):
            problem = (
                "neither torque nor force is given" if values["torque"] is None else "torque and force are both given"
            )
            raise ModelError(
                part,
                problem,
                "a motor has one of them",
                "Write torque= for a turning and force= for a sliding coordinate.",
            )
        kind = TranslationCoordinate if values["torque"] is None else RotationCoordinate
        return kind.read(system, part, **options)

    def check(self):
        check_limit(self)

    def law(self, q, u):
        return limited(self, self.force if self.torque is None else self.torque)
