"""Two directions that stay parallel."""

from mekane.algebra.triples import dot, perpendiculars
from mekane.errors import ModelError
from mekane.model.constraint import Arrow, Constraint, arrow, axes_of, position


class Parallel(Constraint):
    """A direction of body a and one of body b stay parallel; the bodies still rotate about them.  φ = e·m, for two e
    across a's direction"""

    example = 's.parallel("level", (s.ground, "z"), (arm, "z"))'
    a: Arrow = arrow(meaning="(body, direction in its frame)")
    b: Arrow = arrow(meaning="(body, direction in its frame)")

    def initialized(self, system):
        if (axes_of(system, *self.a) @ axes_of(system, *self.b)).real < 0.0:
            problem = "its directions point opposite ways in the initial positions"
            raise ModelError(self.part, problem, "they must agree", "Change the sign of one of them.")
        return self

    def equations(self, k):
        m = k.direction(*self.b)
        return [position(dot(k.direction(self.a.body, e), m)) for e in perpendiculars(self.a.direction)]

    @property
    def acts_on(self):
        return self.b.body
