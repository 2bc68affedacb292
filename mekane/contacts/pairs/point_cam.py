"""A point that follows a cam."""

from mekane.contacts.pairs._cam import following
from mekane.model.geometry.curved import Cam
from mekane.model.geometry.surfaces import Point

shapes = (Point, Cam)


def labels(a, b):
    return [""]


def points(k, a, b):
    return [following(k, k.point((a.body, a.shape.at)), 0.0, b)]
