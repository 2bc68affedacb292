"""Newton's method on positions: a configuration that closes all loops and meets targets, or, where there is none, the
nearest one.

Targets are named positions with values. Steps are the smallest ones, damped while far (Levenberg–Marquardt). The
nearest configuration is found by Newton along the configurations that the mechanism can take, with the sign of the
curvature taken care of.
"""

from typing import NamedTuple

import numpy as np

from mekane.analyses.kinematics.position_equations import null_space

MET = 1e-10  # a residual counts as zero: radians, or lengths in sizes of the mechanism
LONGEST = 0.4  # of one step: radians, or sizes
STEPS = 120
PROBE = 1e-5  # for differences of exact derivatives
STARTS = 12
FIRST_SEED = 1


def equations(here, targets):
    """Residuals of loops and targets, and their derivatives."""
    r = np.concatenate([here.phi, *(target.residual(here) for target in targets)])
    A = np.concatenate([here.J, *(target.derivatives(here) for target in targets)])
    return r, A


def newton(positions, q, targets=(), steps=STEPS):
    """(q, largest residual) after Newton; it has converged if that is below MET."""
    here = positions.here(q)
    r, A = equations(here, targets)
    damping, patience = min(1e-3, float(r @ r)), 0
    for _ in range(steps):
        if not len(r) or np.abs(r).max() < 1e-15 or patience > 8 or not np.isfinite(np.dot(r, r) + A.sum()):
            break
        trial = positions.here(positions.displaced(here, -shortened(damped(A, r, damping))))
        r_new, A_new = equations(trial, targets)
        if np.linalg.norm(r_new) < np.linalg.norm(r):
            patience = (
                patience + 1 if np.linalg.norm(r_new) > 0.9 * np.linalg.norm(r) and np.abs(r_new).max() < MET else 0
            )
            here, r, A, damping = trial, r_new, A_new, min(0.2 * damping, float(r_new @ r_new))
        else:
            damping, patience = max(4.0 * damping, 1e-12), patience + (1 if np.abs(r).max() < MET else 0.4)
    return here.q, float(np.nan_to_num(np.abs(r).max(initial=0.0), nan=np.inf, posinf=np.inf))


def damped(A, r, damping):
    """The smallest x with A x = r; of a smaller one, the more damping."""
    if damping <= 1e-15:
        return np.linalg.lstsq(A, r, rcond=1e-12)[0]
    n = A.shape[1]
    return np.linalg.lstsq(
        np.concatenate([A, np.sqrt(damping) * np.eye(n)]), np.concatenate([r, np.zeros(n)]), rcond=None
    )[0]


def shortened(step):
    return step * min(1.0, LONGEST / max(np.abs(step).max(initial=0.0), 1e-300))


# ---------------------------------------------------------------- the nearest


def nearest(positions, q, targets, fixed=()):
    """(q, distance) where the targets are missed least (root of the sum of squares) among what the loops and `fixed`
    allow."""
    q, gap = newton(positions, q, fixed)
    if gap > MET:
        return q, np.inf
    here = positions.here(q)
    for _ in range(60):
        cost, gradient, T = cost_and_gradient(here, targets, fixed)
        if np.abs(gradient).max(initial=0.0) < 1e-12 or cost < 1e-24:
            break
        following = line_search(
            positions, here, T, descent_step(positions, here, T, gradient, targets, fixed), cost, targets, fixed
        )
        if following is None:
            break
        here = following
    return here.q, float(np.sqrt(2 * cost_of(here, targets)))


def cost_of(here, targets):
    return 0.5 * sum(target.residual(here) @ target.residual(here) for target in targets)


def cost_and_gradient(here, targets, fixed):
    """Cost, its gradient along the free directions, and a basis of these."""
    r, A = equations(here, targets)
    m = len(here.phi)
    T = null_space(equations(here, fixed)[1])
    return 0.5 * r[m:] @ r[m:], T.T @ (A[m:].T @ r[m:]), T


def descent_step(positions, here, T, gradient, targets, fixed):
    """A Newton step on the cost, downhill whatever its curvature, which comes from differences of the exact
    gradient."""
    H = np.zeros((len(gradient), len(gradient)))
    for k, direction in enumerate(T.T):
        q, _ = newton(positions, positions.displaced(here, PROBE * direction), fixed, steps=8)
        _, g, S = cost_and_gradient(positions.here(q), targets, fixed)
        H[:, k] = ((T.T @ S) @ g if S.shape == T.shape else T.T @ (S @ g)) - gradient
    values, vectors = np.linalg.eigh((H + H.T) / (2 * PROBE))
    return -vectors @ ((vectors.T @ gradient) / np.maximum(np.abs(values), 1e-8))


def line_search(positions, here, T, step, cost, targets, fixed):
    step = shortened(step)
    for _ in range(40):
        q, gap = newton(positions, positions.displaced(here, T @ step), fixed, steps=40)
        trial = positions.here(q)
        if gap < MET and cost_of(trial, targets) < cost * (1 - 1e-15):
            return trial
        step = 0.5 * step
        if np.abs(step).max() < 1e-13:
            return None
    return None


# ---------------------------------------------------------------- from several starts


def starts(positions, q, several=STARTS):
    """The configuration itself, then others around it, ever farther off, each closed as far as that is possible."""
    yield q
    rng = np.random.default_rng(FIRST_SEED)
    for k in range(several):
        far = (0.3, 0.8, 1.6, 3.0)[k * 4 // several]
        there = positions.displaced(positions.here(q), far * rng.uniform(-1, 1, positions.n_u))
        found, gap = newton(positions, there)
        if gap < MET:
            yield found


class PositionSolution(NamedTuple):
    """A configuration that meets all targets (or None), and the nearest that was found if there is none, with its
    distance."""

    q: np.ndarray | None
    nearest: np.ndarray | None = None
    distance: float = np.inf


def solve_positions(positions, q, targets, accept=lambda q: True):
    """From q or other starts straight to where all targets are met; else by way of the nearest."""
    tried, best = [], PositionSolution(None)
    for start in starts(positions, q):
        found, gap = newton(positions, start, targets)
        if gap < MET and accept(found):
            return PositionSolution(found)
        if not tried:  # first of all, all that can be done from q itself
            best = solve_from_nearest(positions, start, targets, accept)
            if best.q is not None:
                return best
        tried.append(start)
    for start in tried[1:]:
        found = solve_from_nearest(positions, start, targets, accept)
        if found.q is not None:
            return found
        best = min(best, found, key=lambda one: one.distance)
    return best


def solve_from_nearest(positions, start, targets, accept):
    near, distance = nearest(positions, start, targets)
    if distance < 1e-4:
        found, gap = newton(positions, near, targets)
        if gap < MET and accept(found):
            return PositionSolution(found)
    return PositionSolution(None, near, distance)


def nearest_from_several_starts(positions, q, targets, fixed=()):
    """The best of `nearest` from several starts."""
    return min((nearest(positions, start, targets, fixed) for start in starts(positions, q)), key=lambda one: one[1])
