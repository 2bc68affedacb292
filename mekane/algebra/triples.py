"""Vectors of three scalars in plain Python, on numbers or on expressions: for what is worked out once, when a model is
compiled. The first five are kernels too, in `vectors`."""

import numpy as np


def add(a, b):
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def sub(a, b):
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def scale(s, a):
    return s * a[0], s * a[1], s * a[2]


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


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
    v = unit(v)
    first = unit(cross(v, np.eye(3)[np.argmin([abs(x.real) for x in v])]))
    return first, cross(v, first)
