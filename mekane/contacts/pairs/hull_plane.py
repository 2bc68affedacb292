"""A convex hull above a plane: it touches with its corners."""

from mekane.contacts.pairs import corners_on_plane, numbered
from mekane.model.geometry.hull import Hull
from mekane.model.geometry.surfaces import Plane

shapes = (Hull, Plane)


def labels(a, b):
    return numbered(len(a.shape.points))


def points(k, a, b):
    return corners_on_plane(k, labels(a, b), a, b, a.shape.corners)
