"""Distances from shapes, as expressions of the coordinates x, y, z of a point along the axes of the shape.

They are exact, negative inside, and smooth where the nearest point of the surface is the only one. No comparison changes
sides on a plane of symmetry or on the surface itself, where a body may stay.
"""

import numpy as np

from mekane.algebra.scalar import less, maximum, minimum, select
from mekane.algebra.triples import add, dot, scale, sub
from mekane.contacts.pairs import ContactPoint, axes_of, centre_of, tangents_across
from mekane.expressions.graph import differentiate, evaluate, inputs, symbol

X, Y, Z = LOCAL = tuple(symbol(name) for name in "xyz")


def outside(k, label, centre, radius, b, distance):
    """A sphere (a point, if its radius is 0) beside a shape from which any point has this distance."""
    normal = [differentiate(distance, x) for x in LOCAL]
    return along_normal(k, label, centre, radius, b, distance - radius, normal)


def along_normal(k, label, centre, radius, b, gap, normal):
    """The same from a gap and a normal, both expressions of the coordinates of the centre."""
    axes, away = axes_of(k, b), sub(centre, centre_of(k, b))
    coordinates = {x.name: dot(axis, away) for x, axis in zip(LOCAL, axes, strict=True)}
    gap, *normal = with_numbers([gap, *normal], coordinates)
    x, y, z = (scale(component, axis) for component, axis in zip(normal, axes, strict=True))
    n = add(x, add(y, z))
    return ContactPoint(label, gap, sub(centre, scale(gap + radius, n)), tangents_across(k, n))


def with_numbers(expressions, values):
    """Expressions with these values in place of some of their inputs."""
    return evaluate(expressions, {name: symbol(name) for name in inputs(expressions)} | values)


# ---------------------------------------------------------------- shapes


def from_sphere(shape):
    return np.sqrt(X * X + Y * Y + Z * Z) - shape.radius


def from_capsule(shape):
    along = Z - clamped(Z, 0.5 * shape.length)
    return np.sqrt(X * X + Y * Y + along * along) - shape.radius


def from_cylinder(shape):
    return from_corner(np.sqrt(X * X + Y * Y) - shape.radius, magnitude(Z) - 0.5 * shape.length)


def from_box(shape):
    """Face, edge and corner, in this order as more of the three distances are positive."""
    x, y, z = (magnitude(x) - 0.5 * size for x, size in zip(LOCAL, (shape.x, shape.y, shape.z), strict=True))
    low, high = minimum(x, y), maximum(y, x)
    most, other = maximum(z, high), minimum(high, z)
    middle, least = maximum(low, other), minimum(other, low)
    corner = select(less(0.0, least), least * least, 0.0)
    return select(less(0.0, middle), np.sqrt(most * most + middle * middle + corner), most)


def from_corner(x, y):
    """Distance from the corner region x < 0 and y < 0."""
    return select(less(0.0, minimum(x, y)), np.sqrt(x * x + y * y), maximum(y, x))


def clamped(x, limit):
    """x between −limit and limit."""
    return maximum(-limit, minimum(limit, x))


def magnitude(x):
    """|x|, without a comparison."""
    return np.sqrt(x * x)
