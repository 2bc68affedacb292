"""A torque on a body."""

from mekane.model.force import Couple, Force, given3


class Torque(Force):
    """Constant or varying torque on a body, in world or body components. Covers M.A.K.E.'s CLMoment and VLMoment
    (frame="body")."""

    example = 's.torque("twist", arm, value=(0, "2 N m", 0), frame="body")'
    between = Couple
    is_drive = True
    value: tuple = given3("torque", meaning="three components")

    def law(self):
        return self.value
