"""A cylinder above a plane: it touches with the lowest point of each rim. So it may lie, roll, wobble and spin on its edge,
but not stand; a cylinder that stands touches with the corners of a Polygon."""

from mekane.contacts.pairs import ends_of, numbered, point_on_plane
from mekane.contacts.pairs._ring import lowest
from mekane.model.geometry.shapes import Cylinder
from mekane.model.geometry.surfaces import Plane

shapes = (Cylinder, Plane)


def labels(a, b):
    return numbered(2)


def points(k, a, b):
    rims = lowest(k, a, b, ends_of(k, a), a.shape.radius)
    return [point_on_plane(k, label, rim, a.body, b) for label, rim in zip(labels(a, b), rims, strict=True)]
