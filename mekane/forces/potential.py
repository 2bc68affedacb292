"""A potential that a point of a body moves in."""

from mekane.errors import ModelError
from mekane.expressions.graph import Expr, differentiate, substitute, symbol
from mekane.forces._checks import needs_expression
from mekane.model.force import Force, MovingPoint, given
from mekane.model.values.values import Value


class Potential(Force):
    """Force at a point of a body from a potential, an expression of where the point is.  F = −∇V(X, Y, Z)   [C 1]

    X, Y, Z are the world coordinates of the point [m], V is an energy [J]; parameters may be in it. The gradient is
    exact. If V also changes with t or with other names of the model, it stores no energy, and its work is counted as it
    is done.
    """

    example = 's.potential("bowl", arm, V="2*(X**2 + Y**2)")'
    between = MovingPoint
    local = ("X", "Y", "Z")
    V: Value = given("energy", meaning="potential energy, a law of the world coordinates X, Y, Z [m] of the point")

    def check(self):
        needs_expression(self, "V")
        if not isinstance(self.V.graph, Expr):
            raise ModelError(
                self.part,
                f"V is {self.V.given}",
                "a potential depends on X, Y or Z",
                'Write for example V="2*(X**2 + Y**2)".',
            )

    def law(self, p, v):
        return tuple(-self.at(differentiate(self.V, symbol(axis)), p) for axis in self.local)

    def energy(self, p):
        return self.at(self.V, p)

    def at(self, expression, p):
        return substitute(expression, dict(zip(self.local, p, strict=True)))
