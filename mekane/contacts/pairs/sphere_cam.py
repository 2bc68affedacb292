"""A ball that follows a cam."""

from mekane.contacts.pairs import centre_of
from mekane.contacts.pairs._cam import following
from mekane.model.geometry.curved import Cam
from mekane.model.geometry.shapes import Sphere

shapes = (Sphere, Cam)


def labels(a, b):
    return [""]


def points(k, a, b):
    return [following(k, centre_of(k, a), a.shape.radius, b)]
