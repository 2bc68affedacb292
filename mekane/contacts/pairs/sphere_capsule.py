"""A sphere outside a capsule."""

from mekane.contacts.pairs import centre_of
from mekane.contacts.pairs._distance import from_capsule, outside
from mekane.model.geometry.shapes import Capsule, Sphere

shapes = (Sphere, Capsule)


def labels(a, b):
    return [""]


def points(k, a, b):
    return [outside(k, "", centre_of(k, a), a.shape.radius, b, from_capsule(b.shape))]
