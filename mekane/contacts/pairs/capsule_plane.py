"""A capsule above a plane: it touches with the spheres at its ends."""

from mekane.contacts.pairs import ends_of, sphere_on_plane
from mekane.model.geometry.shapes import Capsule
from mekane.model.geometry.surfaces import Plane

shapes = (Capsule, Plane)


def labels(a, b):
    return ["1", "2"]


def points(k, a, b):
    ends = zip(labels(a, b), ends_of(k, a), strict=True)
    return [sphere_on_plane(k, label, end, a.shape.radius, b) for label, end in ends]
