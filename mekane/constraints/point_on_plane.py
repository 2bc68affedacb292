"""A point that stays on a plane."""

from mekane.algebra.triples import dot, sub
from mekane.model.constraint import Constraint, End, direction, end, position


class PointOnPlane(Constraint):
    """A point of a body stays on the plane through `on` with the normal `normal`, both in that body's frame.  φ =
    n·r"""

    example = 's.point_on_plane("floor", (arm, (0, 0, -0.5)), on=(s.ground, (0, 0, -1)))'
    point: End = end(meaning="point that is held: (body, point in its frame)")
    on: End = end(("ground", (0.0, 0.0, 0.0)), meaning="a point of the plane: (body, point in its frame)")
    normal: tuple = direction("z", frame="on", meaning="normal of the plane, in the frame of the body of `on`")

    def equations(self, k):
        return [position(dot(k.direction(self.on.body, self.normal), sub(k.point(self.point), k.point(self.on))))]
