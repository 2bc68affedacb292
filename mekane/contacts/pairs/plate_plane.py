"""A plate above a plane: it touches with its corners; four of them if it is thin."""

from itertools import product

from mekane.contacts.pairs import corners_on_plane, numbered
from mekane.model.geometry.shapes import Plate
from mekane.model.geometry.surfaces import Plane

shapes = (Plate, Plane)


def labels(a, b):
    return numbered(8 if a.shape.thickness.real > 0 else 4)


def points(k, a, b):
    halves = [(-0.5 * size, 0.5 * size) for size in (a.shape.x, a.shape.y, a.shape.thickness)]
    halves[2] = halves[2][: len(labels(a, b)) // 4]
    return corners_on_plane(k, labels(a, b), a, b, list(product(*halves)))
