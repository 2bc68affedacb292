"""An ellipsoid above a plane: its lowest point is −A² n / |A n| from its centre, A the matrix of half axes."""

from mekane.algebra.triples import add, dot, length, scale, sub
from mekane.contacts.pairs import axes_of, centre_of, point_on_plane
from mekane.model.geometry.shapes import Ellipsoid
from mekane.model.geometry.surfaces import Plane

shapes = (Ellipsoid, Plane)


def labels(a, b):
    return [""]


def points(k, a, b):
    n, axes, halves = k.direction(b.body, b.shape.normal), axes_of(k, a), (a.shape.x, a.shape.y, a.shape.z)
    An = tuple(half * dot(axis, n) for half, axis in zip(halves, axes, strict=True))
    x, y, z = (scale(half * one, axis) for half, one, axis in zip(halves, An, axes, strict=True))
    lowest = sub(centre_of(k, a), scale(1.0 / length(An), add(x, add(y, z))))
    return [point_on_plane(k, "", lowest, a.body, b)]
