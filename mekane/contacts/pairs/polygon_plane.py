"""A polygon above a plane: it touches with its corners, those of both sides if it is thick."""

from mekane.contacts.pairs import corners_on_plane, numbered
from mekane.model.geometry.polygon import Polygon
from mekane.model.geometry.surfaces import Plane

shapes = (Polygon, Plane)


def labels(a, b):
    return numbered(len(a.shape.corners))


def points(k, a, b):
    return corners_on_plane(k, labels(a, b), a, b, a.shape.corners)
