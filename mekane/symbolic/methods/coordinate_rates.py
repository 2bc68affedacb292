"""The motion in coordinates and their rates alone, as Lagrange has it: q, q', q'' in place of the speeds of a
formulation.

u = q' for rotations, translations and screws. Of Euler parameters e:  e' = N(e) w  with  4 NᵀN = 1,  so  w = 4 Nᵀ e'.
THEORY §2
"""

from functools import cached_property

from mekane.codegen.trace import matrix
from mekane.errors import ModelError
from mekane.expressions.graph import Expr, differentiate, evaluate, inputs, jacobian, rates_along, substitute, symbol
from mekane.tables.columns import KIND, MIXED, PRIMITIVE_Q, PRIMITIVE_U, QUATERNION


class Rates:
    """Of a trace: coordinates that move, their rates and second rates as symbols, and what the speeds are in them."""

    def __init__(self, trace):
        if trace.is_absolute:
            problem = "the mixed formulation has absolute angular velocities of bodies as speeds, the coordinates are relative"
            remedy = 'Use formulation="joint", "relative", "absolute" or "bryan".'
            expected = "speeds must follow from each body's own coordinates"
            raise ModelError(f"system {trace.compiled.system.name!r}", problem, expected, remedy)
        self.trace = trace
        self.q = [q for q in trace.q if isinstance(q, Expr)]
        self.names = [q.name for q in self.q]
        self.first = [symbol(f"{name}'") for name in self.names]
        self.second = [symbol(f"{name}''") for name in self.names]

    @cached_property
    def speeds(self):
        """u in terms of q and q'."""
        found, rate = list(self.trace.u), dict(zip(self.q, self.first, strict=True))
        for kind, iq, iu in self.trace.tables.primitive_i[:, [KIND, PRIMITIVE_Q, PRIMITIVE_U]]:
            if kind == QUATERNION:
                found[iu : iu + 3] = [self.angular_rate(iq, u, rate) for u in self.trace.u[iu : iu + 3]]
            else:
                assert kind != MIXED
                found[iu] = rate[self.trace.q[iq]]
        return found

    def angular_rate(self, iq, u, rate):
        """One component of w = 4 Nᵀ e'."""
        return sum(4.0 * differentiate(self.trace.qd[k], u) * rate[self.trace.q[k]] for k in range(iq, iq + 4))

    @cached_property
    def by_rates(self):
        """∂u/∂q', speeds over coordinates."""
        return matrix(jacobian(self.speeds, self.first), (len(self.speeds), len(self.first)))

    @cached_property
    def accelerations(self):
        """u' in terms of q, q' and q''."""
        return self.rates_of(self.speeds)

    def rate_of(self, x):
        """d/dt of an expression of t, q and q'."""
        return self.rates_of([x])[0]

    def rates_of(self, expressions, second=None):
        """d/dt of some of them; with other values than symbols for q'', if they are given."""
        along = {self.trace.t: 1.0} | dict(zip(self.q, self.first, strict=True))
        return rates_along(
            expressions, along | dict(zip(self.first, self.second if second is None else second, strict=True))
        )

    @cached_property
    def substitutions(self):
        pairs = zip((*self.trace.u, *self.trace.ud), (*self.speeds, *self.accelerations), strict=True)
        return {name.name: x for name, x in pairs}

    def __call__(self, x):
        """An expression of the trace, in terms of q, q' and q''."""
        return substitute(x, self.substitutions) if isinstance(x, Expr) else x

    def all(self, expressions):
        """The same of some expressions together."""
        names = inputs(expressions)
        return evaluate(list(expressions), {name: symbol(name) for name in names} | self.substitutions)

    def without_second_rates(self, x):
        """The same with q'' zero."""
        return substitute(x, {s.name: 0.0 for s in self.second}) if isinstance(x, Expr) else x
