"""Inertia that turns with a joint coordinate."""

from mekane.errors import ModelError
from mekane.forces._checks import refuse_negative
from mekane.model.force import Force, JointRotation, given
from mekane.model.values.values import Value, is_constant, is_zero


class Rotor(Force):
    """Rotor of a motor that turns with a joint coordinate through a gear: `ratio` times as fast. The coordinate feels
    the inertia  ratio² inertia.

    It is what MuJoCo calls armature. The rotor has kinetic energy, but neither weight nor gyroscopic moments: these
    belong to the body that carries the motor, as part of its mass and inertia. On a sliding coordinate, `ratio` is in
    rad/m, as of a spindle. A ball joint feels the inertia about all axes; of a free joint that is coordinate="rotation".
    """

    example = 's.rotor("rotor", "hinge", inertia="2e-5 kg m^2", ratio=100)'
    between = JointRotation
    appearance = "motor"
    adds_inertia = True
    inertia: Value = given("inertia", meaning="of the rotor about its own axis")
    ratio: Value = given("number", 1.0, meaning="angle of the rotor per angle or displacement of the joint")

    def check(self):
        for keyword in ("inertia", "ratio"):
            if not is_constant(getattr(self, keyword)):
                problem = f"{keyword} is {getattr(self, keyword).given}, which changes"
                raise ModelError(self.part, problem, "a number or an expression of parameters is expected")
        refuse_negative(self, "inertia", why="an inertia is not negative")
        if is_zero(self.ratio):
            raise ModelError(self.part, "ratio is 0", "the rotor would not turn", "Leave the rotor out.")

    @property
    def conservative(self) -> bool:
        return True  # what it takes is kinetic energy

    def law(self, q, u):
        return 0.0
