"""A sphere above a height field."""

from mekane.contacts.pairs import centre_of
from mekane.contacts.pairs._height_field import riding
from mekane.model.geometry.curved import HeightField
from mekane.model.geometry.shapes import Sphere

shapes = (Sphere, HeightField)


def labels(a, b):
    return [""]


def points(k, a, b):
    return [riding(k, centre_of(k, a), a.shape.radius, b)]
