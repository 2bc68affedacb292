"""A point outside a box: at a face, an edge or a corner."""

from mekane.contacts.pairs._distance import from_box, outside
from mekane.model.geometry.shapes import Box
from mekane.model.geometry.surfaces import Point

shapes = (Point, Box)


def labels(a, b):
    return [""]


def points(k, a, b):
    return [outside(k, "", k.point((a.body, a.shape.at)), 0.0, b, from_box(b.shape))]
