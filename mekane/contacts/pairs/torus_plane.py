"""A torus above a plane: a sphere of its tube touches, the lowest. It must not lie flat."""

from mekane.contacts.pairs import centre_of, sphere_on_plane
from mekane.contacts.pairs._ring import lowest
from mekane.model.geometry.shapes import Torus
from mekane.model.geometry.surfaces import Plane

shapes = (Torus, Plane)


def labels(a, b):
    return [""]


def points(k, a, b):
    [middle] = lowest(k, a, b, [centre_of(k, a)], a.shape.radius)
    return [sphere_on_plane(k, "", middle, a.shape.tube, b)]
