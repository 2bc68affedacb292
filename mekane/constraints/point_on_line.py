"""A point that stays on a straight line."""

from mekane.algebra.triples import dot, perpendiculars, sub
from mekane.model.constraint import Constraint, End, direction, end, position


class PointOnLine(Constraint):
    """A point of a body stays on a line through `on` along `direction`, both in that body's frame.  φ = e·r, across the
    line, twice"""

    point: End = end()
    on: End = end(("ground", (0.0, 0.0, 0.0)))
    direction: tuple = direction("x", frame="on")

    def equations(self, k):
        r = sub(k.point(self.point), k.point(self.on))
        return [position(dot(k.direction(self.on.body, e), r)) for e in perpendiculars(self.direction)]
