"""How the speeds after an impact change with parameters.  (N.8), (N.18)

    K (V, R) = (Aᵀ, 0),     D = A V,     γ = A u + c,     P = P(D, γ, μ, e),     u⁺ = u + V P

K holds M and the rows of joints and constraints, A the rows of what touches. All but P is differentiated as it stands. P is
the answer of a small dense problem: along one direction of its arguments it is a smooth function of one number as long as
sliding and sticking follow one another in the same order, and that number is varied.
"""

from dataclasses import replace

import numpy as np

from mekane.solvers.contacts.impact import impact
from mekane.solvers.contacts.local import Local

REDUNDANT = 1e-13  # beside the largest: rows that repeat others
STEPS = 4e-3 / 4.0 ** np.arange(6)  # relative, of what changes most
WEIGHTS = np.array([45.0, -9.0, 1.0]) / 60.0  # of central differences of order 6
SMOOTH = 1e-7  # relative: two steps agree
KINK, ROUGH = 1e-6, 1e-2  # such a step, and how much slopes may differ across it


def unit_answers(M, B, A):
    """V, R with derivatives. M, B, A: (1 + parameters, …), the rows of joints and of what touches."""
    n, m = M.shape[-1], B.shape[1]
    scale = np.trace(M[0]) / n
    K = lambda k: np.block([[M[k] / scale, -np.swapaxes(B[k], 0, 1)], [B[k], np.zeros((m, m))]])
    right = lambda k: np.vstack([A[k].T / scale, np.zeros((m, A.shape[1]))])
    solve = lambda x: np.linalg.lstsq(K(0), x, rcond=REDUNDANT)[0]
    found = [solve(right(0))]
    found += [solve(right(k) - K(k) @ found[0]) for k in range(1, len(M))]
    return np.array(found)[:, :n]


def speeds_after_impact(parts, u, A, c, B, local, friction, restitution):
    """u⁺ with derivatives, or None where they do not exist. u, parts: before, with derivatives; A, c: rows of `local`; B:
    of joints and constraints; friction, restitution: of its elements, with derivatives."""
    V = unit_answers(parts.M, B, A)
    D, gamma, found = A[0] @ V[0], A[0] @ u[0] + c[0], []
    P = impact(local).P
    for k in range(1, len(u)):
        change = Change(A[k] @ V[0] + A[0] @ V[k], A[k] @ u[0] + A[0] @ u[k] + c[k], friction[k], restitution[k])
        dP = impulse_derivative(varied(local, D, gamma), change)
        if dP is None:
            return None
        found.append(u[k] + V[k] @ P + V[0] @ dP)
    return np.array([u[0] + V[0] @ P, *found])


class Change:
    """A direction in which the arguments of an impact change."""

    def __init__(self, D, velocity, friction, restitution):
        self.D, self.velocity, self.friction, self.restitution = 0.5 * (D + D.T), velocity, friction, restitution

    def size(self, local):
        """Beside the arguments."""
        share = lambda change, of: np.abs(change).max(initial=0.0) / max(np.abs(of).max(initial=0.0), 1e-300)
        numbers = [(self.D, local.D), (self.velocity, local.velocity)]
        numbers += [(self.friction, [e.friction for e in local.elements])] if np.any(self.friction) else []
        numbers += [(self.restitution, [e.restitution for e in local.elements])] if np.any(self.restitution) else []
        return max(share(*pair) for pair in numbers)


def varied(local, D, velocity, friction=0.0, restitution=0.0):
    """The same elements with other numbers."""
    n = len(local.elements)
    friction, restitution = np.broadcast_to(friction, n), np.broadcast_to(restitution, n)
    elements = [
        replace(e, friction=e.friction + f, restitution=e.restitution + r)
        for e, f, r in zip(local.elements, friction, restitution, strict=True)
    ]
    return Local(0.5 * (D + D.T), velocity, local.acceleration, elements, local.scale)


def impulse_derivative(local, change):
    """Of P along a direction; None if P has a kink here: then another order of sliding and sticking, or other contacts that
    leave, would be found on either side."""
    size, P = change.size(local), impact(local).P
    if size == 0.0:
        return np.zeros(len(P))
    most = size * np.abs(P).max(initial=0.0)
    bent = sum(impulses(local, change, x) for x in (-KINK / size, KINK / size)) - 2.0 * P
    if np.abs(bent).max() > ROUGH * KINK / size * most:
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
    return impact(varied(local, D, velocity, x * change.friction, x * change.restitution)).P
