"""A sphere outside a cylinder: at its side, an end or an edge."""

from mekane.contacts.pairs import centre_of
from mekane.contacts.pairs._distance import from_cylinder, outside
from mekane.model.geometry.shapes import Cylinder, Sphere

shapes = (Sphere, Cylinder)


def labels(a, b):
    return [""]


def points(k, a, b):
    return [outside(k, "", centre_of(k, a), a.shape.radius, b, from_cylinder(b.shape))]
