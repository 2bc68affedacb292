"""Forces in their sets where these and the balance leave a choice: a second-order cone program, small and dense.

    least ½|E y − l|²   with   s = h − G y ∈ K          K: cones  s₀ ≥ |s₁…|,  half-lines among them            (N.2)

Primal–dual interior-point method with the scaling of Nesterov and Todd and Mehrotra's corrector, as in L. Vandenberghe,
The CVXOPT linear and quadratic cone program solvers, 2010.
"""

import numpy as np

STEPS = 60
GAP = 1e-14  # s·z and residuals, relative, at which it ends
WORSE = 1e3  # than the best: round-off has ended it
SHORT = 0.99  # share of the way to the boundary that a step takes


class Cones:
    """A product of second-order cones, each with so many components."""

    def __init__(self, sizes):
        ends = np.cumsum(sizes)
        self.parts = [slice(end - size, end) for end, size in zip(ends, sizes, strict=True)]
        self.n = int(ends[-1]) if len(ends) else 0
        self.unit = np.zeros(self.n)
        self.unit[[part.start for part in self.parts]] = 1.0

    def __len__(self):
        return len(self.parts)

    def inside(self, s):
        """How far the nearest boundary is; negative outside."""
        return min((s[part.start] - np.linalg.norm(s[part][1:]) for part in self.parts), default=np.inf)

    def product(self, a, b):
        """a ∘ b"""
        found = np.zeros(self.n)
        for part in self.parts:
            x, y = a[part], b[part]
            found[part] = x[0] * y + y[0] * x
            found[part.start] = x @ y
        return found

    def quotient(self, a, b):
        """x with a ∘ x = b"""
        found = np.zeros(self.n)
        for part in self.parts:
            x, y = a[part], b[part]
            first = (x[0] * y[0] - x[1:] @ y[1:]) / minkowski(x)
            found[part.start] = first
            found[part][1:] = (y[1:] - first * x[1:]) / x[0]
        return found

    def scaling(self, s, z):
        """W with W z = W⁻¹ s, and its inverse."""
        W, inverse = np.zeros((self.n, self.n)), np.zeros((self.n, self.n))
        for part in self.parts:
            W[part, part], inverse[part, part] = scaling_of(s[part], z[part])
        return W, inverse

    def longest_step(self, s, ds):
        """Largest share of ds, up to 1, that stays inside."""
        found = 1.0
        for part in self.parts:
            found = min(found, way_to_boundary(s[part], ds[part]))
        return found


def minkowski(x):
    """x₀² − |x₁…|², as a product, which keeps its digits near the boundary."""
    size = float(np.linalg.norm(x[1:]))
    return (x[0] - size) * (x[0] + size)


def scaling_of(s, z):
    if len(s) == 1:
        w = np.sqrt(s / z)
        return w[:, None], 1.0 / w[:, None]
    a, b = np.sqrt(minkowski(s)), np.sqrt(minkowski(z))
    s, z, J = s / a, z / b, np.diag(np.append(1.0, -np.ones(len(s) - 1)))
    w = (s + J @ z) / (2.0 * np.sqrt(0.5 * (1.0 + s @ z)))
    v = w.copy()
    v[0] += 1.0
    v /= np.sqrt(2.0 * v[0])
    size = np.sqrt(a / b)
    H = 2.0 * np.outer(v, v) - J
    return size * H, J @ H @ J / size


def way_to_boundary(s, ds):
    """Share of ds at which s + share ds leaves the cone; at least 1 is taken as 1."""
    if len(s) == 1:
        return float(min(1.0, -s[0] / ds[0])) if ds[0] < 0.0 else 1.0
    a, b, c = minkowski(ds), s[0] * ds[0] - s[1:] @ ds[1:], minkowski(s)
    root = b * b - a * c
    found = [1.0]
    if root >= 0.0:
        q = -(b + np.copysign(np.sqrt(root), b))
        found += [x for x in (q / a if a else np.inf, c / q if q else np.inf) if x > 0.0]
    if ds[0] < 0.0:
        found.append(-s[0] / ds[0])
    return float(min(found))


@np.errstate(all="ignore")  # round-off ends it, as is looked at
def solve_cone_program(P, q, G, h, cones):
    """(y, s): the least of ½ yᵀP y + qᵀy with s = h − G y inside the cones. The best point that was met, if there is none
    that is as good as GAP; whether it is inside is to be looked at."""
    state = starting_point(P, q, G, h, cones)
    best, worst = state[0], np.inf
    sizes = 1.0 + np.abs(q).max(initial=0.0), 1.0 + np.abs(h).max(initial=0.0)
    for _ in range(STEPS):
        y, s, z = state
        residuals = P @ y + q + G.T @ z, G @ y + s - h
        wrong = max(
            np.abs(residuals[0]).max(initial=0.0) / sizes[0],
            np.abs(residuals[1]).max(initial=0.0) / sizes[1],
            s @ z / (1.0 + abs(0.5 * y @ P @ y + q @ y)),
        )
        best, worst = (y, wrong) if wrong < worst else (best, worst)
        if worst <= GAP or not wrong <= WORSE * worst:
            break
        state = improved(P, G, cones, state, residuals)
        if state is None:
            break
    return best, h - G @ best


def starting_point(P, q, G, h, cones):
    """Least squares, moved into the cones."""
    y, z = solve_kkt(P, G, np.eye(cones.n), -q, h)
    s = -z
    return y, shifted_inside(s, cones), shifted_inside(z, cones)


def shifted_inside(s, cones):
    inside = cones.inside(s)
    return s if inside > 0.0 else s + (1.0 - inside) * cones.unit


def solve_kkt(P, G, W, first, second):
    """[P Gᵀ; G −W²] (y, z) = (first, second)"""
    n = len(P)
    A = np.block([[P, G.T], [G, -W @ W]])
    right = np.concatenate([first, second])
    found = np.linalg.solve(A, right)
    found += np.linalg.solve(A, right - A @ found)  # one step of refinement
    return found[:n], found[n:]


def improved(P, G, cones, state, residuals):
    """The next point; None where round-off ends it."""
    y, s, z = state
    mean = s @ z / max(len(cones), 1)
    try:
        W, inverse = cones.scaling(s, z)
        middle = W @ z
        square = cones.product(middle, middle)
        direction = lambda right, share: newton_direction(P, G, cones, W, middle, residuals, right, share)
        _, ds, dz = direction(square, 1.0)
        step = min(cones.longest_step(s, ds), cones.longest_step(z, dz))
        share = (1.0 - step) ** 3
        second = cones.product(inverse @ ds, W @ dz)
        dy, ds, dz = direction(square + second - share * mean * cones.unit, 1.0 - share)
    except np.linalg.LinAlgError:
        return None
    step = min(1.0, SHORT * min(cones.longest_step(s, ds / SHORT), cones.longest_step(z, dz / SHORT)))
    new = y + step * dy, s + step * ds, z + step * dz
    good = all(np.isfinite(x).all() for x in new) and min(cones.inside(new[1]), cones.inside(new[2])) > 0.0
    return new if good else None


def newton_direction(P, G, cones, W, middle, residuals, right, share):
    towards = cones.quotient(middle, right)
    dy, dz = solve_kkt(P, G, W, -share * residuals[0], -share * residuals[1] + W @ towards)
    return dy, -W @ towards - W @ (W @ dz), dz
