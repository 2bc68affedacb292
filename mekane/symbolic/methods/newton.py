"""Newton's and Euler's equations of every body cut free, with all reactions as unknowns.  [T 2.1, 3.2]

m a = R + F          world axes                              R, T: what laws and gravity do
dH/dt = T + M        about the mass centre, body axes        F, M: what joints and constraints do, on b as named, on a
the opposite

Six equations for a body, three in a plane. Accelerations are in terms of the model's own coordinates and speeds; the
dot products with the partial velocities add up to Kane's equations, and no reaction of a joint of the tree is left in
them.
"""

from functools import cached_property

import numpy as np

from mekane.codegen.trace import matrix, objects
from mekane.expressions.graph import Expr, jacobian, substitute, symbol
from mekane.symbolic.methods.free_bodies import CutFree, dot, products
from mekane.symbolic.methods.presentation import MOST_TERMS, Presented, Section
from mekane.symbolic.printing.naming import Name
from mekane.symbolic.simplify.tidy import Tidy


class NewtonEquations(Presented):
    method = "Newton"

    def __init__(self, traced, form="auto", friction=None):
        self.cut, self.friction = CutFree(traced.trace), friction
        super().__init__(traced, form)
        for name, (joint, letter, axis) in self.cut.reactions.items():
            self.naming.add(name, Name(letter, (joint, axis)))
        self.book.moving += list(self.cut.reactions)

    def essential(self):
        c = self.cut
        rubbed = self.friction.on_bodies if self.friction is not None else []
        return [*c.inertia.ravel(), *c.loads.ravel(), *c.reaction_matrix.ravel(), *rubbed]

    @cached_property
    def tidy(self):
        c = self.trace.compiled
        moving = ["t", *self.unknown_names, *c.speeds, *c.coordinates]
        return Tidy(self.traced.values, moving, MOST_TERMS, self.trace.units)

    # ---------------------------------------------------------------- unknowns and equations

    @property
    def unknown_names(self):
        """Full names of the unknowns: accelerations, reactions of the joints of the tree, multipliers of what closes
        loops."""
        return [*(x.name for x in self.trace.ud), *self.cut.names]

    @property
    def unknowns(self):
        return [self.naming.of(name).text for name in self.unknown_names]

    def symbols(self):
        return super().symbols() | {"Reactions": self.cut.names}

    @property
    def reactions(self):
        """Short names of the reactions."""
        return self.called("Reactions")

    @property
    def equation_names(self):
        """ "arm.Fx", "arm.Mz" for every equation of a body, then the names of constraint rows."""
        return [*self.cut.equation_names, *(f"{name}''" for name in self.trace.rows.names)]

    @cached_property
    def by_accelerations(self):
        """m a and dH/dt over u'"""
        ud, inertia = self.trace.ud, self.cut.inertia
        return matrix(jacobian(list(inertia), ud), (len(inertia), len(ud)))

    @cached_property
    def raw_system(self):
        """(A, b) of A x = b, the unknowns x in the order of `unknown_names`: m a − reactions = loads, and constraint
        rows below."""
        c = self.cut
        by_normals, given = self.rubbed
        top = np.concatenate([self.by_accelerations, -(c.reaction_matrix + by_normals)], axis=1)
        right = c.loads - c.inertia_at_rest + given
        B, bias = self.trace.rows.B, self.trace.rows.bias
        if not len(bias):
            return top, right
        below = np.concatenate([B, np.zeros((len(bias), len(c.names)))], axis=1)
        return np.concatenate([top, below]), objects([*right, *(-x for x in bias)])

    @cached_property
    def rubbed(self):
        """Friction of what slides in each equation: over the reactions, to which it is proportional; of given size."""
        names, n = self.cut.names, len(self.cut.directions)
        if self.friction is None:
            return np.zeros((n, len(names))), np.zeros(n)
        forces = self.friction.on_bodies
        given = [substitute(x, dict.fromkeys(names, 0.0)) if isinstance(x, Expr) else x for x in forces]
        return matrix(jacobian(forces, [symbol(name) for name in names]), (n, len(names))), objects(given)

    @cached_property
    def matrix(self):
        """A, with A x = b for all unknowns x"""
        return self.formula("A", self.raw_system[0], self.equation_names, self.unknown_names)

    @cached_property
    def right_side(self):
        return self.column("b", self.raw_system[1], self.equation_names)

    @cached_property
    def eliminated(self):
        """(M, f, rest): equations times partial velocities: M u' = f + Bᵀ lambda, friction of what slides apart; rest: what
        is left of the reactions in the tree, zero."""
        V, c = self.cut.partials, self.cut
        names = self.trace.compiled.speeds
        M = self.formula("M", products(V, self.by_accelerations), names, names)
        f = self.column("f", [dot(column, c.loads - c.inertia_at_rest) for column in V.T], names)
        rest = self.formula("rest", products(V, c.reaction_matrix[:, : len(c.reactions)]), names, list(c.reactions))
        return M, f, rest

    # ---------------------------------------------------------------- shown

    def of_body(self, symbols, values):
        """{body: [force, moment]} as formulas: components that the body has equations for."""
        found = {}
        for name in self.bodies:
            rows = self.cut.rows_of[name]
            found[name] = [
                self.formula(one, [values[k] for k, axis in part], [axis for _, axis in part], owner=name)
                for one, part in zip(symbols, (rows.force, rows.moment), strict=True)
                if part
            ]
        return found

    @cached_property
    def inertia_terms(self):
        """{body: [m a, dH/dt]}"""
        return self.of_body(("ma", "H'"), self.cut.inertia)

    @cached_property
    def applied_loads(self):
        """{body: [force, moment about the mass centre]} of laws and gravity"""
        return self.of_body(("R", "T"), self.cut.loads)

    @cached_property
    def reaction_loads(self):
        """{body: [force, moment about the mass centre]} of joints and constraints"""
        unknown = [symbol(name) for name in self.cut.names]
        return self.of_body(("F", "M"), [dot(row, unknown) for row in self.cut.reaction_matrix])

    @cached_property
    def sliding_friction(self):
        """{body: [force, moment about the mass centre]} of contacts that slide; None without them."""
        return None if self.friction is None else self.of_body(("S", "U"), self.friction.on_bodies)

    def sections(self):
        axes = (
            "in the plane"
            if self.system.plane
            else "forces along world axes, moments about mass centres along body axes"
        )
        listed = lambda terms: [formula for formulas in terms.values() for formula in formulas]
        found = [
            Section(f"Motion of the free bodies, {axes}", listed(self.inertia_terms)),
            Section("Applied forces and moments", listed(self.applied_loads)),
        ]
        if self.friction is None:
            found.append(Section("Reactions: ma = R + F, H' = T + M", listed(self.reaction_loads)))
        else:
            found.append(Section("Reactions: ma = R + F + S, H' = T + M + U", listed(self.reaction_loads)))
            found.append(Section("Friction of what slides", listed(self.sliding_friction)))
        if self.has_rows:
            rows = self.trace.rows
            B = self.formula("B", rows.B, rows.names, self.trace.compiled.speeds)
            found.append(Section("Constraint matrix, B u' + b = 0", [B, self.column("b", rows.bias, rows.names)]))
        return found
