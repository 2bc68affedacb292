"""A sphere outside a box: at a face, an edge or a corner."""

from mekane.contacts.pairs import centre_of
from mekane.contacts.pairs._distance import from_box, outside
from mekane.model.geometry.shapes import Box, Sphere

shapes = (Sphere, Box)


def labels(a, b):
    return [""]


def points(k, a, b):
    return [outside(k, "", centre_of(k, a), a.shape.radius, b, from_box(b.shape))]
