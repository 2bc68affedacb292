"""A force at a point of a body."""

from mekane.model.force import AtPoint, Force, given3


class AppliedForce(Force):
    """Constant or varying force at a point of a body, in world or body components.

    `at` is the point in the body's own frame, by default the mass centre. `value` is three components, or one function
    or table that gives three. Covers M.A.K.E.'s CLForce and VLOForce (frame="body"), CGForce (frame="world") and
    Force_con_glo_CM (frame="world", no `at`). [T 5.20–5.23]
    """

    example = 's.force("push", arm, value=(0, 0, "10*sin(3*t)"), at=(0, 0, 0.5))'
    kind = "force"
    between = AtPoint
    is_drive = True
    value: tuple = given3("force", meaning="three components")

    def law(self):
        return self.value
