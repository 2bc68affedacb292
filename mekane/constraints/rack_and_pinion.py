"""A wheel that rolls on a rack."""

from mekane.constraints._table import THICK
from mekane.model.attachments import RotationCoordinate, TranslationCoordinate
from mekane.model.constraint import Constraint, coordinate, flag, number, position
from mekane.model.geometry.solid import wheel


class RackAndPinion(Constraint):
    """A rack moves as the pinion turns.  φ = x − R θ − offset, or x + R θ − offset if `reversed`

    pinion: a joint coordinate that is an angle; rack: one that is a displacement. The multiplier is the force on the
    rack.
    """

    example = 's.rack_and_pinion("steering", "hinge", "guide", radius="20 mm")'
    pinion: RotationCoordinate = coordinate("angle", meaning="joint that turns, or (joint, coordinate)")
    rack: TranslationCoordinate = coordinate("length", meaning="joint that slides, or (joint, coordinate)")
    radius: float = number("length", above_zero=True, meaning="pitch radius of the pinion")
    reversed: bool = flag(meaning="True where the rack is on the other side")
    offset: float = number("length", 0.0, meaning="displacement of the rack where the pinion is at zero")

    def equations(self, k):
        radius = -self.radius if self.reversed else self.radius
        return [position(k.coordinate(self.rack) - radius * k.coordinate(self.pinion) - self.offset)]

    def solids(self, system):
        joint = system.joints[self.pinion.joint]
        if len(joint.coordinates) == 1:
            yield joint.b, wheel(self.radius, THICK * self.radius, joint.p_BM, joint.R_BM[:, 2])
