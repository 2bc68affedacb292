"""A point outside a cylinder: at its side, an end or an edge."""

from mekane.contacts.pairs._distance import from_cylinder, outside
from mekane.model.geometry.shapes import Cylinder
from mekane.model.geometry.surfaces import Point

shapes = (Point, Cylinder)


def labels(a, b):
    return [""]


def points(k, a, b):
    return [outside(k, "", k.point((a.body, a.shape.at)), 0.0, b, from_cylinder(b.shape))]
