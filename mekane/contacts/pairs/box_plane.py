"""A box above a plane: it touches with its corners."""

from itertools import product

import numpy as np

from mekane.contacts.pairs import point_on_plane
from mekane.model.geometry.shapes import Box
from mekane.model.geometry.surfaces import Plane

shapes = (Box, Plane)
CORNERS = list(product((-0.5, 0.5), repeat=3))


def labels(a, b):
    return [str(number) for number in range(1, 9)]


def points(k, a, b):
    sizes = np.array([a.shape.x, a.shape.y, a.shape.z])
    corners = [tuple(a.shape.at + a.shape.R_BS @ (np.array(corner) * sizes)) for corner in CORNERS]
    where = [k.point((a.body, corner)) for corner in corners]
    return [point_on_plane(k, label, one, a.body, b) for label, one in zip(labels(a, b), where, strict=True)]
