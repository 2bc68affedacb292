"""A point above a height field."""

from mekane.contacts.pairs._height_field import riding
from mekane.model.geometry.curved import HeightField
from mekane.model.geometry.surfaces import Point

shapes = (Point, HeightField)


def labels(a, b):
    return [""]


def points(k, a, b):
    return [riding(k, k.point((a.body, a.shape.at)), 0.0, b)]
