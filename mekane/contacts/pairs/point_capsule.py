"""A point outside a capsule."""

from mekane.contacts.pairs._distance import from_capsule, outside
from mekane.model.geometry.shapes import Capsule
from mekane.model.geometry.surfaces import Point

shapes = (Point, Capsule)


def labels(a, b):
    return [""]


def points(k, a, b):
    return [outside(k, "", k.point((a.body, a.shape.at)), 0.0, b, from_capsule(b.shape))]
