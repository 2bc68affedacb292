"""mk.conserved: what stays constant in every motion of a system, read off its Lagrangian.

p = ∂L/∂q'    where q is cyclic: L does not depend on it, and neither forces without a potential nor constraints act on
it H = p·q' − L  where t stands nowhere, and forces without a potential and constraints do no work

Whether an expression vanishes is decided from it multiplied out, or, where that is too long, from its values at random
states. What is constant for another reason, such as a momentum along an axis that is no coordinate's, is not found.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mekane.expressions.graph import Expr, differentiate, evaluate, inputs, is_zero, substitute
from mekane.results.printing import Printed, Shown
from mekane.symbolic.methods.lagrange import LagrangeEquations
from mekane.symbolic.simplify.polynomial import TooLarge
from mekane.symbolic.traced import traced

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mekane.model.system import System

ROUND_OFF, STATES = 1e-12, 4


@dataclass(repr=False)
class Conserved(Printed):
    """momenta: {coordinate: formula of its momentum};  energy: formula of H, or None;  why: reasons, for each
    coordinate and for H."""

    equations: LagrangeEquations
    momenta: dict
    energy: object
    why: dict

    @property
    def cyclic(self):
        """Full names of the cyclic coordinates."""
        return list(self.momenta)

    def shown(self):
        naming = self.equations.naming
        rows = [
            [f"p of {naming.of(name).text}", formula.text.partition(" = ")[2]] for name, formula in self.momenta.items()
        ]
        rows += [["H", self.energy.text.partition(" = ")[2]]] if self.energy is not None else []
        remark = "\n".join(
            f"{naming.of(name).text if name != 'H' else 'H'}: {reason}" for name, reason in self.why.items()
        )
        return [Shown(f"{self.equations.system.name}: what stays constant", ["quantity", "formula"], rows, remark)]


def conserved(system: System, formulation: str = "joint", parameters: str | Sequence[str] = "named") -> Conserved:
    """What stays constant in every motion of a system: momenta of cyclic coordinates, and the energy.

    Parameters:
        system: the model.
        formulation, parameters: as in mk.equations. With a symbol of its own for every number (parameters="symbolic") a
            round rotor is not recognized as one.

    Example:
        from mekane import gallery
        print(mk.conserved(gallery.find("pendulum").system()))
    """
    return conserved_by(LagrangeEquations(traced(system, formulation, parameters)))


def conserved_by(equations):
    eq, momenta, why = equations, {}, {}
    for k, name in enumerate(eq.rates.names):
        reason = why_not_cyclic(eq, k)
        if reason:
            why[name] = reason
        else:
            momenta[name] = eq.formula("p", eq.momentum[k])
    reason = why_energy_changes(eq)
    if reason:
        why["H"] = reason
    return Conserved(eq, momenta, None if reason else eq.hamiltonian, why)


def why_not_cyclic(eq, k):
    """Nothing if coordinate k is cyclic; else a reason."""
    if not vanishes(eq, differentiate(eq.kinetic, eq.rates.q[k])):
        return "the kinetic energy depends on it"
    if not vanishes(eq, differentiate(eq.potential, eq.rates.q[k])):
        return "the potential energy depends on it"
    if not vanishes(eq, eq.applied[k]):
        return "a force without a potential acts on it"
    if not all(vanishes(eq, row[k]) for row in eq.gradient):
        return "a constraint acts on it"
    return ""


def why_energy_changes(eq):
    if "t" in inputs([x for x in (eq.kinetic, eq.potential) if isinstance(x, Expr)]):
        return "time stands in the Lagrangian"
    if not vanishes(eq, sum((Q * rate for Q, rate in zip(eq.applied, eq.rates.first, strict=True)), 0.0)):
        return "forces without a potential do work"
    if any(constraint_works(eq, level, x) for level, x in eq.vanishing):
        return "a constraint moves as time goes on, and does work"
    return ""


def constraint_works(eq, level, x):
    """A row whose forces may do work: of positions with t in it, of velocities not all proportional to q', of
    accelerations."""
    if level == "position":
        return not vanishes(eq, differentiate(x, eq.trace.t))
    if level == "velocity":
        return not vanishes(
            eq, substitute(x, {rate.name: 0.0 for rate in eq.rates.first}) if isinstance(x, Expr) else x
        )
    return True


def vanishes(eq, x):
    """True if an expression is zero: multiplied out; or, where that is too long, at some random states."""
    if is_zero(x):
        return True
    if not isinstance(x, Expr):
        return False
    try:
        largest = max((abs(c) for e in (eq.kinetic, eq.potential) for c in eq.tidy.algebra.of(e).values()), default=1.0)
        return all(abs(c) <= ROUND_OFF * largest for c in eq.tidy.difference(x, 0.0).values())
    except TooLarge:
        return all(abs(evaluate(x, state)) <= ROUND_OFF * size for state, size in some_states(eq))


def some_states(eq):
    """Random values for everything that moves, and the size of the energies there."""
    rng, found = np.random.default_rng(3), []
    for _ in range(STATES):
        names = [*eq.rates.names, *(x.name for x in (*eq.rates.first, *eq.rates.second, *eq.trace.integrals)), "t"]
        state = eq.traced.values | dict(zip(names, rng.uniform(-1.2, 1.2, len(names)), strict=True))
        found.append((state, sum(abs(x) for x in evaluate([eq.kinetic, eq.potential], state))))
    return found
