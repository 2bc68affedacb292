"""Shapes as sets of points in plain NumPy, and their distances by search: independent of the formulas of pairs."""

import numpy as np
from scipy.optimize import minimize

from mekane.expressions.graph import evaluate

TURN = (-20.0, 20.0)


def sphere(s):
    return lambda u: u[2] * s.radius * direction(u), [TURN, TURN, (0, 1)]


def capsule(s):
    inside = lambda u: np.array([0, 0, u[0] * s.length / 2]) + u[3] * s.radius * direction(u[1:])
    return inside, [(-1, 1), TURN, TURN, (0, 1)]


def cylinder(s):
    inside = lambda u: np.array([u[0] * np.cos(u[1]), u[0] * np.sin(u[1]), u[2] * s.length / 2])
    return inside, [(0, s.radius), TURN, (-1, 1)]


def rod(s):
    return cylinder(s)


def box(s):
    return lambda u: 0.5 * u * (s.x, s.y, s.z), [(-1, 1)] * 3


def plate(s):
    return lambda u: 0.5 * u * (s.x, s.y, s.thickness), [(-1, 1)] * 3


def polygon(s):
    """A convex one: weights of its corners."""
    corners = np.array(s.corners)
    return lambda u: (u + 1e-9) @ corners / (u + 1e-9).sum(), [(0, 1)] * len(corners)


def hull(s):
    return polygon(s)


def ellipsoid(s):
    return lambda u: np.array([s.x, s.y, s.z]) * u[2] * direction(u), [TURN, TURN, (0, 1)]


def torus(s):
    def inside(u):
        out = s.radius + s.tube * np.cos(u[1])
        return np.array([out * np.cos(u[0]), out * np.sin(u[0]), s.tube * np.sin(u[1])])

    return inside, [TURN, TURN]


def point(s):
    return lambda u: np.zeros(3), []


def heightfield(s):
    z = lambda x, y: float(evaluate(s.z.expr(), {"x": x, "y": y}))
    return lambda u: np.array([u[0], u[1], z(u[0], u[1])]), [(-2, 2), (-2, 2)]


def cam(s):
    def inside(u):
        r = float(evaluate(s.radius.expr(), {"phi": u[0]}))
        return np.array([r * np.cos(u[0]), r * np.sin(u[0]), u[1]])

    return inside, [TURN, (-3, 3)]


def direction(u):
    return np.array([np.cos(u[0]) * np.cos(u[1]), np.sin(u[0]) * np.cos(u[1]), np.sin(u[1])])


class Placed:
    """A shape in the world."""

    def __init__(self, shape, R, p):
        self.local, self.bounds = globals()[type(shape).__name__.lower()](shape)
        turn = getattr(shape, "R_BS", np.eye(3))
        self.R, self.p = R @ turn, p + R @ np.asarray(shape.at, float)

    def __call__(self, u):
        return self.p + self.R @ self.local(np.asarray(u))

    def some(self, rng, n):
        low, high = np.array(self.bounds).reshape(-1, 2).T
        low, high = np.maximum(low, -np.pi), np.minimum(high, np.pi)
        return low + (high - low) * rng.random((n, len(low)))


def apart(a: Placed, b: Placed, rng, starts=3, samples=200):
    """Least distance of two sets: the best of many samples, made better by search."""
    n, (us, vs) = len(a.bounds), (a.some(rng, samples), b.some(rng, samples))
    ps, qs = np.array([a(u) for u in us]), np.array([b(v) for v in vs])
    distances = np.linalg.norm(ps[:, None] - qs[None], axis=2)
    best = np.argsort(distances, axis=None)[:: max(1, samples // 50)][:starts]
    squared = lambda x: np.sum((a(x[:n]) - b(x[n:])) ** 2)
    return np.sqrt(min(least(squared, [*us[i], *vs[j]], a.bounds + b.bounds) for i, j in pairs(best, samples)))


def pairs(flat, n):
    return [divmod(one, n) for one in flat]


def above(a: Placed, normal, origin, rng, starts=3, samples=200):
    """Least height of a set above a plane."""
    height = lambda u: float(normal @ (a(u) - origin))
    us = a.some(rng, samples)
    best = np.argsort([height(u) for u in us])[:starts]
    return min(least(height, us[i], a.bounds) for i in best)


def least(function, start, bounds):
    if not bounds:
        return function(np.zeros(0))
    options = dict(ftol=1e-16, gtol=1e-12, maxiter=2000)
    return min(function(start), minimize(function, start, bounds=bounds, options=options).fun)
