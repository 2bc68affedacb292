"""A point that stays on a plane."""

from mekane.algebra.triples import dot, sub
from mekane.model.constraint import Constraint, End, direction, end, position


class PointOnPlane(Constraint):
    """A point of a body stays on the plane through `on` with the normal `normal`, both in that body's frame.  φ =
    n·r"""

    point: End = end()
    on: End = end(("ground", (0.0, 0.0, 0.0)))
    normal: tuple = direction("z", frame="on")

    def equations(self, k):
        return [position(dot(k.direction(self.on.body, self.normal), sub(k.point(self.point), k.point(self.on))))]
