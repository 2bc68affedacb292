"""A point that stays on a straight line."""

from mekane.algebra.triples import dot, perpendiculars, sub
from mekane.model.constraint import Constraint, End, direction, end, position


class PointOnLine(Constraint):
    """A point of a body stays on a line through `on` along `direction`, both in that body's frame.  φ = e·r, across the
    line, twice"""

    example = 's.point_on_line("slot", (arm, (0, 0, -0.5)), direction="x")'
    point: End = end(meaning="point that is held: (body, point in its frame)")
    on: End = end(("ground", (0.0, 0.0, 0.0)), meaning="a point of the line: (body, point in its frame)")
    direction: tuple = direction("x", frame="on", meaning="direction of the line, in the frame of the body of `on`")

    def equations(self, k):
        r = sub(k.point(self.point), k.point(self.on))
        return [position(dot(k.direction(self.on.body, e), r)) for e in perpendiculars(self.direction)]
