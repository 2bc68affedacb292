"""Triangles of a polygon that need not be convex, by cutting off ears."""

import numpy as np


def triangles(outline) -> np.ndarray:
    """(n − 2, 3) indices into the outline, which is counter-clockwise and does not cross itself."""
    points, left, found = np.asarray(outline, float), list(range(len(outline))), []
    while len(left) > 3:
        k = next((k for k in range(len(left)) if is_ear(points[left], k)), 0)  # there is always one, but for rounding
        found.append((left[k - 1], left[k], left[(k + 1) % len(left)]))
        left = [*left[k + 1 :], *left[:k]]  # go on at its neighbour
    return np.array([*found, left])


def is_ear(points, k: int) -> bool:
    """True if corner k turns left and the triangle it makes with its neighbours holds no other corner."""
    a, b, c = points[k - 1], points[k], points[(k + 1) % len(points)]
    if turn(a, b, c) <= 0:
        return False
    others = np.array([p for p in points if not any(np.array_equal(p, q) for q in (a, b, c))]).reshape(-1, 2)
    inside = (turn(a, b, others) >= 0) & (turn(b, c, others) >= 0) & (turn(c, a, others) >= 0)
    return not inside.any()


def turn(a, b, c):
    """Twice the area of a, b, c; positive if c is to the left of the way from a to b."""
    return (b[0] - a[0]) * (c[..., 1] - a[1]) - (b[1] - a[1]) * (c[..., 0] - a[0])
