"""A thin wheel that is steered, as on a bicycle or a car seen from above."""

import numpy as np

from mekane.constraints._edge import across, no_motion, refuse_upright, rotated
from mekane.errors import ModelError
from mekane.model.constraint import Constraint, End, direction, end, value
from mekane.model.values.values import Value


class SteeringWheel(Constraint):
    """A thin wheel on a plane, steered: as a knife edge whose direction `along` is rotated about the normal by `steer`.

    steer: an angle, or an expression of time and of joint coordinates. The spin of the wheel is left out.
    """

    example = 's.steering_wheel("front", (arm, (0.5, 0, -0.5)), steer="0.2*sin(t)")'
    is_drive = True
    point: End = end(meaning="where the wheel touches: (body, point in its frame)")
    steer: Value = value("angle", 0.0, meaning="steering angle about the normal")
    along: tuple = direction("x", frame="point", meaning="direction of the wheel without steering, in the body's frame")
    on: End = end(("ground", (0.0, 0.0, 0.0)), meaning="a point of the plane: (body, point in its frame)")
    normal: tuple = direction("z", frame="on", meaning="normal of the plane, in the frame of the body of `on`")

    def initialized(self, system):
        refuse_upright(system, self)
        return self

    def equations(self, k):
        if k.reads([self.steer]):
            raise ModelError(self.part, "steer holds speeds", "an angle that depends on time and positions is expected")
        side, n = across(k, self)
        return [no_motion(k, self.point, self.on.body, rotated(side, n, np.cos(self.steer), np.sin(self.steer)))]
