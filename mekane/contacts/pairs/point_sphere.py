"""A point outside a sphere."""

from mekane.contacts.pairs._distance import from_sphere, outside
from mekane.model.geometry.shapes import Sphere
from mekane.model.geometry.surfaces import Point

shapes = (Point, Sphere)


def labels(a, b):
    return [""]


def points(k, a, b):
    return [outside(k, "", k.point((a.body, a.shape.at)), 0.0, b, from_sphere(b.shape))]
