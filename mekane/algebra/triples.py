"""Vectors of three scalars in plain Python, on numbers or on expressions: for what is worked out once, when a model is
compiled."""

import numpy as np

from mekane.algebra import vectors
from mekane.numba_backend.kernel import plain

add, sub, scale, dot, cross = (plain(getattr(vectors, name)) for name in ("add", "sub", "scale", "dot", "cross"))


def length(v):
    return np.sqrt(dot(v, v))


def unit(v):
    return scale(1.0 / length(v), v)


def times(R, v):
    """A matrix, as three rows, times a vector."""
    return tuple(dot(row, v) for row in R)


def turned_along(v, d):
    """Two unit vectors across a unit vector v, made from those across d by the shortest turn of d to v: smooth wherever
    v is not −d."""
    return tuple(sub(t, scale(dot(t, v) / (1.0 + dot(d, v)), add(d, v))) for t in perpendiculars(d))


def perpendiculars(v):
    """Two unit vectors of numbers, perpendicular to v and to each other: a right-handed set (first, second, v)."""
    v = np.asarray(v) / length(v)
    first = np.cross(v, np.eye(3)[np.argmin([abs(x.real) for x in v])])
    first = first / length(first)
    return tuple(first), tuple(np.cross(v, first))
