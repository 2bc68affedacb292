"""Two directions that stay perpendicular."""

from mekane.algebra.triples import dot
from mekane.model.constraint import Arrow, Constraint, arrow, position


class Perpendicular(Constraint):
    """A direction of body a and one of body b stay perpendicular to each other.  φ = e·m"""

    example = 's.perpendicular("square", (s.ground, "x"), (arm, "z"))'
    a: Arrow = arrow(meaning="(body, direction in its frame)")
    b: Arrow = arrow(meaning="(body, direction in its frame)")

    def equations(self, k):
        return [position(dot(k.direction(*self.a), k.direction(*self.b)))]

    @property
    def acts_on(self):
        return self.b.body
