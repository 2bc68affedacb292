"""A box above a plane: it touches with its corners."""

from itertools import product

from mekane.contacts.pairs import corners_on_plane, numbered
from mekane.model.geometry.shapes import Box
from mekane.model.geometry.surfaces import Plane

shapes = (Box, Plane)


def labels(a, b):
    return numbered(8)


def points(k, a, b):
    halves = [(-0.5 * size, 0.5 * size) for size in (a.shape.x, a.shape.y, a.shape.z)]
    return corners_on_plane(k, labels(a, b), a, b, list(product(*halves)))
