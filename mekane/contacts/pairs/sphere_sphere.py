"""Two spheres."""

from mekane.contacts.pairs import centre_of, spheres_apart
from mekane.model.geometry.shapes import Sphere

shapes = (Sphere, Sphere)


def labels(a, b):
    return [""]


def points(k, a, b):
    return [spheres_apart(k, "", centre_of(k, a), centre_of(k, b), a.shape.radius, b.shape.radius)]
