"""A trace in user-defined generalized speeds y = T(q, t) u + z(q, t).  [S 1–7], THEORY (F.1),
analyses/state/generalized_speeds.py

The kernels run on u = T⁻¹ (y − z) and ud = T⁻¹ (yd − T' u − z'); forces on y are T⁻ᵀ times those on u.
"""

from dataclasses import replace
from functools import cached_property

import numpy as np

from mekane.analyses.state.generalized_speeds import places, split
from mekane.codegen.trace import Trace, matrix, times
from mekane.errors import ModelError
from mekane.expressions.graph import Expr, differentiate_along, is_zero, substitute
from mekane.symbolic.simplify.tidy import Tidy

LARGEST = 5  # speeds that depend on one another, for an inverse by cofactors


class UserSpeedTrace(Trace):
    """Like the trace it is made from, with the user-defined speeds of its system in place of those of the
    formulation."""

    def __init__(self, trace, values):
        system = trace.compiled.system
        if trace.is_absolute:
            problem = "the speeds of the mixed formulation are themselves changed ones"
            raise ModelError(
                "speeds",
                problem,
                "user-defined speeds stand in for those of another formulation",
                "Use another, or own_speeds=False.",
            )
        own, names = list(system.own_speeds.values()), list(trace.compiled.speeds)
        self.before, self.replaced = trace, places(trace.compiled, own)
        for r, speed in zip(self.replaced, own, strict=True):
            names[r] = speed.name
        super().__init__(
            replace(trace.compiled, speeds=names),
            trace.tables,
            trace.registers,
            trace.gravity,
            trace.active,
            trace.scale,
        )
        self.q = trace.q
        constants = {name: x for name, x in system.constants.items() if name not in values}
        known = lambda x: substitute(x, constants) if isinstance(x, Expr) else x
        self.defined_rows = [
            (list(map(known, row)), known(rest)) for row, rest in (split(trace.compiled, speed) for speed in own)
        ]

    # ---------------------------------------------------------------- the change of speeds

    @cached_property
    def change(self):
        """T"""
        T = np.eye(len(self.u)).astype(object)
        for r, (row, _) in zip(self.replaced, self.defined_rows, strict=True):
            T[r] = row
        return T

    @cached_property
    def offset(self):
        """z"""
        z = [0.0] * len(self.u)
        for r, (_, rest) in zip(self.replaced, self.defined_rows, strict=True):
            z[r] = rest
        return z

    @cached_property
    def back(self):
        """T⁻¹, one group of speeds that occur together after the other."""
        tidy, found = Tidy(), np.zeros(self.change.shape, object)
        for group in groups(self.change):
            found[np.ix_(group, group)] = inverse(
                self.change[np.ix_(group, group)], tidy, [self.compiled.speeds[k] for k in group]
            )
        return matrix(found, found.shape)

    @cached_property
    def kernel_speeds(self):
        return times(self.back, [y - z for y, z in zip(self.u, self.offset, strict=True)])

    @cached_property
    def rate_bias(self):
        """T' u + z'"""
        along = {self.t: 1.0} | {q: rate for q, rate in zip(self.q, self.qd, strict=True) if isinstance(q, Expr)}
        rates = [[differentiate_along(x, along) for x in row] for row in self.change]
        return times(rates, self.kernel_speeds, [differentiate_along(z, along) for z in self.offset])

    # ---------------------------------------------------------------- what changes with it

    def of_recursion(self, ud):
        return times(self.back, [yd - x for yd, x in zip(ud, self.rate_bias, strict=True)])

    def of_state(self, tau):
        return times(self.back.T, tau)

    @cached_property
    def mass_matrix(self):
        M = self.before.mass_matrix
        return matrix(self.back.T @ M @ self.back, M.shape)

    def right_hand_side(self):
        found, n = super().right_hand_side(), len(self.q)
        return [*found[:n], *times(self.change, found[n : n + len(self.u)], self.rate_bias), *found[n + len(self.u) :]]


def groups(T):
    """Indices that rows and columns of a matrix link together."""
    left, found = set(range(len(T))), []
    while left:
        group, waiting = set(), [min(left)]
        while waiting:
            k = waiting.pop()
            if k not in group:
                group.add(k)
                waiting += [j for j in left if not (is_zero(T[k, j]) and is_zero(T[j, k]))]
        left -= group
        found.append(sorted(group))
    return found


def inverse(T, tidy, names):
    """By cofactors; the determinant is tidied, so that what it is divided by is short."""
    n = len(T)
    if n > LARGEST:
        raise ModelError(
            "speeds",
            f"{', '.join(names)} depend on one another",
            f"up to {LARGEST} can be solved for in symbols",
            "Use own_speeds=False.",
        )
    whole = tidy.or_itself(determinant(T))
    if is_zero(whole):
        raise ModelError(
            "speeds",
            f"{', '.join(names)} do not determine the motion",
            "Y must have an inverse",
            "Choose other speeds.",
        )
    found = np.empty((n, n), object)
    for i, j in np.ndindex(n, n):
        minor = np.delete(np.delete(T, j, axis=0), i, axis=1)
        found[i, j] = tidy.or_itself((-1.0) ** (i + j) * determinant(minor) / whole)
    return found


def determinant(T):
    if len(T) == 0:
        return 1.0
    return sum(
        (
            (-1.0) ** j * T[0, j] * determinant(np.delete(T[1:], j, axis=1))
            for j in range(len(T))
            if not is_zero(T[0, j])
        ),
        0.0,
    )
