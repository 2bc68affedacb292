"""Routh's reduction: cyclic coordinates left out, their constant momenta in place of their rates.

R = L − Σ p q'   over cyclic q, with q' from the momenta;       d/dt ∂R/∂q' − ∂R/∂q = Q + Gᵀ lambda   of the
coordinates that are left q' = A⁻¹ (p − a)                                                   of the cyclic ones, where p
= A q' + a
"""

from functools import cached_property

from mekane.codegen.trace import matrix
from mekane.errors import ModelError
from mekane.expressions.graph import Expr, evaluate, inputs, jacobian, substitute, symbol
from mekane.symbolic.conserved import why_not_cyclic
from mekane.symbolic.methods.coordinate_rates import Rates
from mekane.symbolic.methods.generalized_speeds import inverse
from mekane.symbolic.methods.lagrange import LagrangeEquations
from mekane.symbolic.methods.presentation import MOST_TERMS, Section
from mekane.symbolic.printing.naming import Name
from mekane.symbolic.simplify.tidy import Tidy


class RouthEquations(LagrangeEquations):
    method = "Routh"

    def __init__(self, traced, form="auto"):
        self.whole = LagrangeEquations(traced, form)
        whole, n = self.whole, len(self.whole.rates.q)
        self.ignored = [k for k in range(n) if not why_not_cyclic(whole, k)]
        self.kept = [k for k in range(n) if k not in self.ignored]
        if not self.ignored:
            reasons = "; ".join(f"{name}: {why_not_cyclic(whole, k)}" for k, name in enumerate(whole.rates.names))
            remedy = 'Describe it by joints whose angles are cyclic, or use method="lagrange".'
            raise ModelError(
                f"system {traced.system.name!r}",
                f"it has no cyclic coordinate ({reasons})",
                "there must be one",
                remedy,
            )
        self.constants = [symbol(f"{whole.rates.names[k]}.momentum") for k in self.ignored]
        super().__init__(traced, form)
        for k, one in zip(self.ignored, self.constants, strict=True):
            coordinate = self.naming.of(whole.rates.names[k])
            self.naming.add(one.name, Name("p", coordinate.below or (coordinate.letter,)))
        self.book.values |= self.momenta_at_the_start()

    def momenta_at_the_start(self):
        """{name: value} of the constant momenta in the motion that the model starts with."""
        from mekane.analyses.state.dynamics import prepared

        trace = self.trace
        q, u = prepared(self.system, self.formulation).start()
        state = self.traced.values | {"t": 0.0} | dict(zip(trace.compiled.coordinates, q, strict=True))
        state |= dict(zip(trace.compiled.speeds, u, strict=True))
        state |= dict(zip((f"{name}'" for name in trace.compiled.coordinates), evaluate(trace.qd, state), strict=True))
        values = evaluate([self.whole.momentum[k] for k in self.ignored], state)
        return dict(zip((one.name for one in self.constants), map(float, values), strict=True))

    def rates_of(self, trace):
        """Those of the coordinates that are left."""
        return Kept(trace, self.kept)

    @cached_property
    def tidy(self):
        r, fixed = self.whole.rates, (*self.traced.values, *(one.name for one in self.constants))
        return Tidy(fixed, ["t", *(x.name for x in (*r.second, *r.first)), *r.names], MOST_TERMS, self.trace.units)

    # ---------------------------------------------------------------- reduction

    @cached_property
    def solved(self):
        """(A⁻¹, p − a)"""
        first = self.whole.rates.first
        p = [self.whole.momentum[k] for k in self.ignored]
        derivatives = jacobian(p, [first[k] for k in self.ignored])
        A = matrix([[self.short(x) for x in row] for row in derivatives], (len(p), len(p)))
        rest = [one - self.short(self.ignoring(x)) for one, x in zip(self.constants, p, strict=True)]
        return inverse(A, self.tidy, [self.whole.rates.names[k] for k in self.ignored]), rest

    def ignoring(self, x):
        """An expression with the rates of cyclic coordinates zero."""
        return substitute(x, {self.whole.rates.first[k].name: 0.0 for k in self.ignored}) if isinstance(x, Expr) else x

    @cached_property
    def ignored_rates(self):
        """q' of the cyclic coordinates, by momenta and the rest."""
        back, rest = self.solved
        return [self.short(sum((b * x for b, x in zip(row, rest, strict=True)), 0.0)) for row in back]

    def reduced(self, x):
        """An expression with momenta in place of the rates of cyclic coordinates."""
        rates = {self.whole.rates.first[k].name: rate for k, rate in zip(self.ignored, self.ignored_rates, strict=True)}
        return substitute(x, rates) if isinstance(x, Expr) and set(rates) & set(inputs([x])) else x

    @cached_property
    def function(self):
        """R = L at zero cyclic rates − (p − a)ᵀ A⁻¹ (p − a) / 2: what L − Σ p q' comes to, T being quadratic in the
        rates"""
        work = sum((x * rate for x, rate in zip(self.solved[1], self.ignored_rates, strict=True)), 0.0)
        return self.short(self.ignoring(self.whole.kinetic - self.whole.potential) - 0.5 * work)

    @cached_property
    def kinetic(self):
        return self.reduced(self.whole.kinetic)

    @cached_property
    def potential(self):
        return self.whole.potential

    @cached_property
    def momentum(self):
        return jacobian([self.function], self.rates.first)[0]

    @cached_property
    def applied(self):
        return [self.reduced(self.whole.applied[k]) for k in self.kept]

    def changing(self, second):
        """d/dt ∂R/∂q' − ∂R/∂q, with anything for q''"""
        derivatives = jacobian([self.function], self.rates.q)[0]
        return [p - x for p, x in zip(self.rates.rates_of(self.momentum, second), derivatives, strict=True)]

    @cached_property
    def vanishing(self):
        return [(level, self.reduced(x)) for level, x in self.whole.vanishing]

    # ---------------------------------------------------------------- formulas

    @cached_property
    def routhian(self):
        """R"""
        return self.formula("R", self.function)

    @cached_property
    def cyclic_rates(self):
        """q' of the cyclic coordinates, once the others are known."""
        return self.column("q'", self.ignored_rates, [self.whole.rates.names[k] for k in self.ignored])

    @property
    def momenta_held(self):
        """{short name: value at the start} of the constant momenta."""
        return {self.naming.of(one.name).text: self.book.values[one.name] for one in self.constants}

    def sections(self):
        energies, *others = super().sections()
        first = [Section("Routhian", [self.routhian]), Section("Rates of the cyclic coordinates", [self.cyclic_rates])]
        left = [section for section in others if section.formulas[0].symbol in ("E", "M", "f", "phi", "G", "Q")]
        titles = {"E": "Reduced equations, E = d/dt dR/dq' - dR/dq = Q"}
        return [
            *first,
            *(section._replace(title=titles.get(section.formulas[0].symbol, section.title)) for section in left),
        ]

    def introduction(self):
        first, *others = super().introduction()
        momenta = ", ".join(f"{name} = {x:.6g}" for name, x in self.momenta_held.items())
        return [f"{first}\nConstant momenta: {momenta}", *others]


class Kept(Rates):
    """Rates of some of the coordinates alone."""

    def __init__(self, trace, kept):
        super().__init__(trace)
        self.q, self.names, self.first, self.second = (
            [x[k] for k in kept] for x in (self.q, self.names, self.first, self.second)
        )
