"""A rod above a plane: it touches with its two ends; with their rims, as a cylinder does, if it has a radius."""

from mekane.contacts.pairs import ends_of, numbered, point_on_plane
from mekane.contacts.pairs._ring import lowest
from mekane.model.geometry.shapes import Rod
from mekane.model.geometry.surfaces import Plane

shapes = (Rod, Plane)


def labels(a, b):
    return numbered(2)


def points(k, a, b):
    ends = ends_of(k, a)
    if a.shape.radius.real > 0:
        ends = lowest(k, a, b, ends, a.shape.radius)
    return [point_on_plane(k, label, end, a.body, b) for label, end in zip(labels(a, b), ends, strict=True)]
