"""A rope over a small pulley."""

from mekane.algebra.triples import length, sub
from mekane.model.constraint import Constraint, End, end, number, position


class Rope(Constraint):
    """A rope that does not stretch, from a over a point to b.  φ = |a − over| + |b − over| − L"""

    a: End = end()
    b: End = end()
    over: End = end()
    length: float = number("length", above_zero=True)

    def equations(self, k):
        parts = [length(sub(k.point(one), k.point(self.over))) for one in (self.a, self.b)]
        return [position(parts[0] + parts[1] - self.length)]
