"""Lagrange's equations as formulas: energies, momenta, forces without a potential, multipliers.  THEORY §3; [T 2.2,
3.3, 4.3]

d/dt ∂T/∂q' − ∂T/∂q + ∂V/∂q = Q + Gᵀ lambda          or        M q'' = f + Gᵀ lambda

Energies, forces and constraint rows are those the kernels leave in the trace; all else is differentiation. Euler
parameters are four coordinates each, with the equation e·e = 1 and a multiplier of its own.
"""

from functools import cached_property

import numpy as np

from mekane.codegen.trace import matrix
from mekane.expressions.graph import jacobian
from mekane.symbolic.methods.coordinate_rates import Rates
from mekane.symbolic.methods.presentation import LONGEST, MOST_TERMS, Presented, Section
from mekane.symbolic.printing.naming import Name
from mekane.symbolic.simplify.tidy import Tidy

UNIT = "unit"  # the multiplier of e·e = 1 is called after its owner: "ball.unit.lambda1"


class LagrangeEquations(Presented):
    method = "Lagrange"

    def __init__(self, traced, form="auto", friction=None):
        self.rates, self.friction = self.rates_of(traced.trace), friction
        super().__init__(traced, form)
        for name in self.rates.names:
            for dots in (1, 2):
                self.naming.names[name + "'" * dots] = self.naming.of(name)._replace(dots=dots)
        for name, owner in zip(self.unit_names, self.unit_owners, strict=True):
            self.naming.add(name, Name("lambda", (owner, UNIT)))
        self.book.moving += self.unit_names

    def rates_of(self, trace):
        return Rates(trace)

    def essential(self):
        found = [*self.mass, *self.forced, *(self.rubbed if self.friction is not None else [])]
        return [*found, *self.gradient.ravel()] if self.has_rows else found

    @cached_property
    def tidy(self):
        r = self.rates
        moving = ["t", *(x.name for x in (*r.second, *r.first)), *r.names]
        return Tidy(self.traced.values, moving, MOST_TERMS, self.trace.units)

    def symbols(self):
        multipliers = [*super().symbols()["Multipliers"], *self.unit_names]
        return {"Coordinates": self.rates.names, "Speeds": [], "Multipliers": multipliers}

    # ---------------------------------------------------------------- raw expressions

    @cached_property
    def kinetic(self):
        return self.short(self.rates(self.trace.energies[0]))

    @cached_property
    def potential(self):
        _, weight, stored = self.trace.energies
        return self.short(self.rates(sum(stored.values(), weight)))

    def short(self, x):
        """Multiplied out where that is short, before it is differentiated. Of Euler parameters e·e = 1 is used then,
        which changes nothing but their own multiplier: what vanishes with e·e − 1 has a gradient along e."""
        return self.tidy.or_itself(x, LONGEST)

    @cached_property
    def momentum(self):
        return jacobian([self.kinetic], self.rates.first)[0]

    @cached_property
    def applied(self):
        """Q on each coordinate"""
        return self.on_coordinates(self.trace.forces_without_potential)

    def on_coordinates(self, forces):
        """What works on u works on q' by ∂u/∂q'."""
        forces = self.rates.all(forces)
        return [sum((a * f for a, f in zip(column, forces, strict=True)), 0.0) for column in self.rates.by_rates.T]

    @cached_property
    def rubbed(self):
        """Friction of what slides, on each coordinate."""
        return self.on_coordinates(self.friction.forces)

    @cached_property
    def left(self):
        """d/dt ∂T/∂q' − ∂T/∂q + ∂V/∂q"""
        return self.changing(self.rates.second)

    def changing(self, second):
        """The same with anything for q''."""
        by_T, by_V = jacobian([self.kinetic, self.potential], self.rates.q)
        return [p - x + y for p, x, y in zip(self.rates.rates_of(self.momentum, second), by_T, by_V, strict=True)]

    @cached_property
    def mass(self):
        """∂p/∂q', row by row."""
        return [x for row in jacobian(self.momentum, self.rates.first) for x in row]

    @cached_property
    def forced(self):
        return [Q - x for Q, x in zip(self.applied, self.changing([0.0] * len(self.rates.q)), strict=True)]

    @cached_property
    def vanishing(self):
        """(level, what vanishes) of every row, those of Euler parameters last."""
        rows = self.trace.rows
        found = [(level, self.short(self.rates(x))) for level, x in zip(rows.levels, rows.vanishing, strict=True)]
        return found + [("position", 0.5 * (sum(e * e for e in unit) - 1.0)) for unit in self.trace.units]

    @cached_property
    def gradient(self):
        """G: of position rows by q, of velocity rows by q', of acceleration rows by q''."""
        by = {"position": self.rates.q, "velocity": self.rates.first, "acceleration": self.rates.second}
        return matrix(
            [jacobian([x], by[level])[0] for level, x in self.vanishing], (len(self.vanishing), len(self.rates.q))
        )

    @cached_property
    def bias(self):
        """What is left of the second derivative of every row with q'' zero."""
        again = {"position": 2, "velocity": 1, "acceleration": 0}
        found = []
        for level, x in self.vanishing:
            for _ in range(again[level]):
                x = self.rates.rate_of(x)
            found.append(self.rates.without_second_rates(x))
        return found

    @property
    def unit_owners(self):
        return [unit[0].name.rpartition(".")[0] for unit in self.trace.units]

    @property
    def unit_names(self):
        return [f"{owner}.{UNIT}.lambda1" for owner in self.unit_owners]

    @property
    def row_names(self):
        return [*self.trace.rows.names, *self.unit_names]

    # ---------------------------------------------------------------- formulas

    @cached_property
    def kinetic_energy(self):
        return self.formula("T", self.kinetic)

    @cached_property
    def potential_energy(self):
        """Of gravity and of every element that has one."""
        return self.formula("V", self.potential)

    @cached_property
    def lagrangian(self):
        """L = T − V"""
        return self.formula("L", self.kinetic - self.potential)

    @cached_property
    def hamiltonian(self):
        """H = p·q' − L, in terms of q and q'"""
        work = sum((p * rate for p, rate in zip(self.momentum, self.rates.first, strict=True)), 0.0)
        return self.formula("H", work - self.kinetic + self.potential)

    @cached_property
    def momenta(self):
        """p = ∂T/∂q'"""
        return self.column("p", self.momentum, self.rates.names)

    @cached_property
    def generalized_forces(self):
        """Q, of everything that has no potential."""
        return self.column("Q", self.applied, self.rates.names)

    @cached_property
    def left_side(self):
        """d/dt ∂T/∂q' − ∂T/∂q + ∂V/∂q, with q''"""
        return self.column("E", self.left, self.rates.names)

    @cached_property
    def mass_matrix(self):
        n = len(self.rates.q)
        return self.formula("M", np.array(self.mass, object).reshape(n, n), self.rates.names, self.rates.names)

    @cached_property
    def forcing(self):
        """f, with M q'' = f + Gᵀ lambda"""
        return self.column("f", self.forced, self.rates.names)

    @cached_property
    def sliding_friction(self):
        """s, with M q'' = f + Gᵀ lambda + s: of contacts that slide; None without them."""
        return None if self.friction is None else self.column("s", self.rubbed, self.rates.names)

    @cached_property
    def constraints(self):
        return self.column("phi", [x for _, x in self.vanishing], self.row_names)

    @cached_property
    def constraint_matrix(self):
        return self.formula("G", self.gradient, self.row_names, self.rates.names)

    @cached_property
    def constraint_bias(self):
        """b, with G q'' + b = 0"""
        return self.column("b", self.bias, self.row_names)

    def sections(self):
        constrained = len(self.vanishing) > 0
        force = (" + Gᵀ lambda" if constrained else "") + (" + s" if self.friction is not None else "")
        found = [
            Section("Energies", [self.kinetic_energy, self.potential_energy]),
            Section("Momenta, p = dT/dq'", [self.momenta]),
            Section("Generalized forces without a potential", [self.generalized_forces]),
            Section(f"Lagrange's equations, E = dp/dt - dT/dq + dV/dq = Q{force}", [self.left_side]),
            Section("Mass matrix", [self.mass_matrix]),
            Section(f"Forcing, M q'' = f{force}", [self.forcing]),
        ]
        if self.friction is not None:
            found.append(Section("Friction of what slides", [self.sliding_friction]))
        if constrained:
            found += [
                Section("Constraints, phi = 0", [self.constraints]),
                Section("Constraint matrix, G q'' + b = 0", [self.constraint_matrix, self.constraint_bias]),
            ]
        return found
