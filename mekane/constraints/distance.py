"""A distance that stays."""

import numpy as np

from mekane.algebra.triples import length, sub
from mekane.errors import ModelError
from mekane.model.constraint import Constraint, End, end, number, position, world


class Distance(Constraint):
    """A massless rod between two points: their distance stays as it is at the start, or as given.  φ = |r| − L"""

    example = 's.distance("link", (arm, (0, 0, 0.5)), (rod, (0, 0, 0)))'
    appearance = "link"
    a: End = end(meaning="point a: (body, point in its frame)")
    b: End = end(meaning="point b: (body, point in its frame)")
    length: float = number("length", None, above_zero=True, meaning="the distance; as at the start if left out")

    def initialized(self, system):
        if self.length is not None:
            return self
        squared = sum((world(system, self.b) - world(system, self.a)) ** 2)
        apart = float(squared) ** 0.5 if isinstance(squared, float) else np.sqrt(squared)
        if apart.real < 1e-12:
            raise ModelError(
                self.part, "its two points are at the same place", "a distance is not zero", "Use a ball joint."
            )
        return type(self)(self.name, self.a, self.b, apart)

    def equations(self, k):
        return [position(length(sub(k.point(self.b), k.point(self.a))) - self.length)]

    def place(self, k):
        return k.point(self.b)

    @property
    def acts_on(self):
        return self.b.body
