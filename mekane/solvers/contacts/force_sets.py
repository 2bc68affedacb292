"""Whether forces of contacts can balance a load inside their sets, and how much friction that takes.  (N.2)

The balance leaves  λ = λ⁰ + Z y  open; the sets are  λ_N ≥ 0,  |λ_T| ≤ μ λ_N  and  |λ_T| ≤ T, friction enlarged by a
factor:

    margin(factor) = least t  such that  λ(y) + t e  is in all sets,  e into each of them

It is positive where nothing holds. The factor at which it is zero is the friction that is needed, over that given.
"""

from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

from mekane.model.hybrid.closed_contact import ClosedContact
from mekane.solvers.contacts.cone_program import Cones, solve_cone_program

HOLDS = 1e-9  # margin, relative to the forces, that counts as none
DEEPEST = 1.0  # margins below −1 of the forces are not looked for: rows that squeeze one another have no end
MOST = 1e6  # factor of friction beyond which more does not help
SOFT = 1e-12  # of y: keeps it finite where it does not matter
RANK = 1e-10
AT_LIMIT = 1e-6  # relative


class ForceSet(NamedTuple):
    """The set of one element; indices are those of its forces among all λ."""

    name: str
    law: str
    normal: int  # -1: none
    tangents: tuple[int, ...]
    limit: float | None  # coefficient of friction; without a normal the largest force; None: not known

    @property
    def first(self):
        """Of its rows."""
        return self.normal if self.normal >= 0 else self.tangents[0]


def force_sets(constraints, rows_of):
    """A ForceSet for each element of the contacts among these constraints; rows_of: name → its rows."""
    found = []
    for name, constraint in constraints.items():
        if isinstance(constraint, ClosedContact):
            first = rows_of[name].start
            for one, normal, tangents in constraint.element_rows():
                rows = tuple(first + k for k in tangents)
                found.append(ForceSet(one.name, name, first + normal if normal >= 0 else -1, rows, one.limit))
    return found


class Forces:
    """λ = λ⁰ + Z y and the sets that it has to be in."""

    def __init__(self, sets, forces, Z, scale):
        """forces, Z: of all rows; those that belong to no set do not matter. scale: of the forces at work."""
        rows = sorted({row for one in sets for row in (one.normal, *one.tangents) if row >= 0})
        place = {row: k for k, row in enumerate(rows)} | {-1: -1}
        self.sets = [
            one._replace(normal=place[one.normal], tangents=tuple(place[row] for row in one.tangents)) for one in sets
        ]
        self.given, self.all_Z = np.array(forces, float)[rows], Z[rows]
        self.Z = independent(self.all_Z)
        self.size = max(np.abs(self.given).max(initial=0.0), scale, 1e-300)

    def rows(self, factor):
        """(A, b, e, sizes): slacks A λ + b of all cones with friction enlarged by this factor (None: any friction), and what
        the margin adds."""
        found = []
        for one in self.sets:
            unit = 1.0 / self.size if one.normal >= 0 else 1.0 / one.limit
            if one.normal >= 0:
                rough = one.tangents and factor is not None
                first = unit_row(len(self.given), one.normal) * unit * (factor * one.limit if rough else 1.0)
                found.append((first, 0.0, one.tangents if rough else (), unit))
            elif factor is not None:
                found.append((np.zeros(len(self.given)), factor, one.tangents, unit))
        A, b, e, sizes = [], [], [], []
        for first, offset, tangents, unit in found:
            A += [first, *(unit * unit_row(len(self.given), row) for row in tangents)]
            b += [offset, *(0.0 for _ in tangents)]
            e += [1.0, *(0.0 for _ in tangents)]
            sizes.append(1 + len(tangents))
        return np.array(A).reshape(len(A), len(self.given)), np.array(b), np.array(e), sizes

    def deepest(self, factor):
        """y of the forces that are farthest inside their sets."""
        A, b, e, sizes = self.rows(factor)
        n = self.Z.shape[1]
        if not n or not sizes:
            return np.zeros(n)
        # unknowns y and t; the last cone keeps t above −DEEPEST
        Z = np.block([[A @ self.Z * self.size, e[:, None]], [np.zeros((1, n)), np.ones((1, 1))]])
        P, q = np.diag(np.append(np.full(n, SOFT), 0.0)), np.append(np.zeros(n), 1.0)
        h = np.append(A @ self.given + b, DEEPEST)
        return solve_cone_program(P, q, -Z, h, Cones([*sizes, 1]))[0][:n] * self.size

    def margin(self, factor=1.0):
        """How far the best forces are outside their sets, relative; negative inside."""
        A, b, _, sizes = self.rows(factor)
        inside = Cones(sizes).inside(A @ (self.given + self.Z @ self.deepest(factor)) + b) if sizes else np.inf
        return max(-DEEPEST, -float(inside))

    @property
    def hold(self):
        return self.margin() <= HOLDS

    def at_limit(self, factor):
        """Names of the elements that have reached the limits of their friction, enlarged by this factor, in the forces that
        are farthest inside."""
        forces = self.given + self.Z @ self.deepest(factor)
        reached = lambda one: (
            np.linalg.norm(forces[list(one.tangents)]) >= (1.0 - AT_LIMIT) * factor * self.most(one, forces)
        )
        return [one.name for one in self.sets if one.tangents and reached(one)]

    def most(self, one, forces):
        """The largest friction of an element."""
        return one.limit * (max(forces[one.normal], 0.0) if one.normal >= 0 else 1.0)

    def needed_factor(self):
        """The least factor of friction with which they hold, 0 if they need none; None if no friction is enough."""
        if self.margin(None) > HOLDS:
            return None
        low, high = 1.0 / MOST, 2.0
        if self.margin(low) <= HOLDS:
            return 0.0
        while self.margin(high) > 0.0:
            high *= 4.0
            if high > MOST:
                return None
        return float(brentq(self.margin, low, high, xtol=1e-13, rtol=1e-13))

    def least_amounts(self, E, load):
        """y that makes |load + E y| least with λ⁰ + Z y in all sets; Z and y are those given. None if nothing is in them."""
        if not self.hold:
            return None
        A, b, _, sizes = self.rows(1.0 + HOLDS)
        size = max(np.abs(load).max(initial=0.0), 1e-300)
        scaled = E * self.size / size
        P = scaled.T @ scaled + SOFT * np.eye(scaled.shape[1])
        h = A @ self.given + b
        y, _ = solve_cone_program(P, scaled.T @ load / size, -A @ self.all_Z * self.size, h, Cones(sizes))
        return y * self.size


def independent(Z):
    """Columns that span the same, orthonormal."""
    if not Z.size:
        return np.zeros((len(Z), 0))
    U, size, _ = np.linalg.svd(Z, full_matrices=False)
    return U[:, size > RANK * max(size.max(initial=0.0), 1e-300)]


def unit_row(n, k):
    row = np.zeros(n)
    row[k] = 1.0
    return row
