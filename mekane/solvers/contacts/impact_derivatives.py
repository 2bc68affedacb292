"""How the speeds after an impact change with parameters.  (N.8), (N.18)

    K (V, R) = (Aᵀ, 0),     D = A V,     γ = A u + c,     P = P(D, γ, L, μ, e),     u⁺ = u + V P

K holds M and the rows of joints and constraints, A the rows of what touches; L: reactions of joints to unit impulses, which
limit friction in their bearings. All but P is differentiated as it stands. P is the answer of a small dense problem: along one
direction of its arguments it is a smooth function of one number as long as sliding and sticking follow one another in the
same order, and that number is varied.
"""

from dataclasses import replace

import numpy as np

from mekane.solvers.contacts.impact import impact
from mekane.solvers.contacts.local import Local

REDUNDANT = 1e-13  # beside the largest: rows that repeat others
STEPS = 4e-3 / 4.0 ** np.arange(6)  # relative, of what changes most
WEIGHTS = np.array([45.0, -9.0, 1.0]) / 60.0  # of central differences of order 6
SMOOTH = 1e-7  # relative: two steps agree
SMALL, ROUGH = 1e-6, 1e-2  # such a step, and how much derivatives may differ across it


def unit_answers(M, B, A):
    """V and R with derivatives. M, B, A: (1 + parameters, …), the rows of joints and of what touches."""
    n, m = M.shape[-1], B.shape[1]
    scale = np.trace(M[0]) / n
    K = lambda k: np.block([[M[k] / scale, -np.swapaxes(B[k], 0, 1)], [B[k], np.zeros((m, m))]])
    right = lambda k: np.vstack([A[k].T / scale, np.zeros((m, A.shape[1]))])
    solve = lambda x: np.linalg.lstsq(K(0), x, rcond=REDUNDANT)[0]
    found = [solve(right(0))]
    found += [solve(right(k) - K(k) @ found[0]) for k in range(1, len(M))]
    return np.array(found)[:, :n], scale * np.array(found)[:, n:]


def load_changes(parts, V, R, C, others, local):
    """For each parameter, of each element the derivative of its load's answers to unit impulses; None for those without. C: rows
    of `local` as combinations of those of the model; others: rows of joints and constraints."""
    by_ud, by_rows = parts.load_ud, parts.load_multipliers
    for k in range(1, len(V)):
        changes = np.zeros((0, len(C)))
        if by_ud.size:
            changes = by_ud[k] @ V[0] + by_ud[0] @ V[k] + by_rows[k] @ C.T
            changes += by_rows[k][:, others] @ R[0] + by_rows[0][:, others] @ R[k]
        yield [None if e.load is None else load_change(e, changes) for e in local.elements]


def load_change(e, changes):
    """Of one element; how a normal force limits rolling does not change."""
    return changes[2 * e.index :][: len(e.load.free)] if e.load.in_joint else 0.0 * e.load.response


def speeds_after_impact(parts, u, C, others, local, friction, restitution):
    """u⁺ with derivatives, or None where they do not exist. u, parts: before, with derivatives, of all rows; C: rows of `local` as
    combinations of these; others: rows of joints and constraints; friction, restitution: of its elements, with derivatives."""
    A, c, B = C @ parts.A, parts.c @ C.T, parts.A[:, others]
    V, R = unit_answers(parts.M, B, A)
    D, gamma, found = A[0] @ V[0], A[0] @ u[0] + c[0], []
    P, loads = impact(local).P, load_changes(parts, V, R, C, others, local)
    for k, of_loads in zip(range(1, len(u)), loads, strict=True):
        velocity = A[k] @ u[0] + A[0] @ u[k] + c[k]
        change = Change(A[k] @ V[0] + A[0] @ V[k], velocity, friction[k], restitution[k], of_loads)
        dP = impulse_derivative(varied(local, D, gamma), change)
        if dP is None:
            return None
        found.append(u[k] + V[k] @ P + V[0] @ dP)
    return np.array([u[0] + V[0] @ P, *found])


class Change:
    """A direction in which the arguments of an impact change."""

    def __init__(self, D, velocity, friction, restitution, loads):
        self.D, self.velocity, self.friction, self.restitution = 0.5 * (D + D.T), velocity, friction, restitution
        self.loads = loads

    def size(self, local):
        """Beside the arguments."""
        share = lambda change, of: np.abs(change).max(initial=0.0) / max(np.abs(of).max(initial=0.0), 1e-300)
        numbers = [(self.D, local.D), (self.velocity, local.velocity)]
        numbers += [(self.friction, [e.friction for e in local.elements])] if np.any(self.friction) else []
        numbers += [(self.restitution, [e.restitution for e in local.elements])] if np.any(self.restitution) else []
        pairs = zip(self.loads, local.elements, strict=True)
        numbers += [(change, e.load.response) for change, e in pairs if change is not None]
        return max(share(*pair) for pair in numbers)


def varied(local, D, velocity, friction=0.0, restitution=0.0, loads=None, x=0.0):
    """The same elements with other numbers, and with x times these changes of the answers of their loads."""
    n = len(local.elements)
    friction, restitution = np.broadcast_to(friction, n), np.broadcast_to(restitution, n)
    elements = [
        replace(e, friction=e.friction + f, restitution=e.restitution + r, load=changed(e.load, change, x))
        for e, f, r, change in zip(local.elements, friction, restitution, loads or [None] * n, strict=True)
    ]
    return Local(0.5 * (D + D.T), velocity, local.acceleration, elements, local.scale)


def changed(load, change, x):
    return load if change is None else replace(load, response=load.response + x * change)


def impulse_derivative(local, change):
    """Of P along a direction; None if it is another one on either side: in another order of sliding and sticking, or with other
    contacts that leave."""
    size, P = change.size(local), impact(local).P
    if size == 0.0:
        return np.zeros(len(P))
    most = size * np.abs(P).max(initial=0.0)
    bent = sum(impulses(local, change, x) for x in (-SMALL / size, SMALL / size)) - 2.0 * P
    if np.abs(bent).max() > ROUGH * SMALL / size * most:
        return None
    found = differences(local, change, STEPS[0] / size)
    for step in STEPS[1:]:
        coarse, found = found, differences(local, change, step / size)
        if np.abs(found - coarse).max() <= SMOOTH * (most + np.abs(found).max(initial=0.0)):
            return found
    return None


def differences(local, change, h):
    P = lambda x: impulses(local, change, x)
    return sum(w * (P(j * h) - P(-j * h)) for j, w in enumerate(WEIGHTS, 1)) / h


def impulses(local, change, x):
    D, velocity = local.D + x * change.D, local.velocity + x * change.velocity
    return impact(varied(local, D, velocity, x * change.friction, x * change.restitution, change.loads, x)).P
