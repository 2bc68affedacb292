"""A sphere above a plane: it touches at its lowest point."""

from mekane.contacts.pairs import centre_of, sphere_on_plane
from mekane.model.geometry.shapes import Sphere
from mekane.model.geometry.surfaces import Plane

shapes = (Sphere, Plane)


def labels(a, b):
    return [""]


def points(k, a, b):
    return [sphere_on_plane(k, "", centre_of(k, a), a.shape.radius, b)]
