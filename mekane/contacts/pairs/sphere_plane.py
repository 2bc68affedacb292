"""A sphere above a plane: it touches at its lowest point."""

from mekane.algebra.triples import dot, scale, sub
from mekane.contacts.pairs import ContactPoint, tangents_of_plane
from mekane.model.geometry.shapes import Sphere
from mekane.model.geometry.surfaces import Plane

shapes = (Sphere, Plane)


def labels(a, b):
    return [""]


def points(k, a, b):
    n, centre = k.direction(b.body, b.shape.normal), k.point((a.body, tuple(a.shape.at)))
    height = dot(n, sub(centre, k.point((b.body, b.shape.at))))
    place = sub(centre, scale(height, n))
    return [ContactPoint("", height - a.shape.radius, place, tangents_of_plane(k, b, b.shape.normal))]
