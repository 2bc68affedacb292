"""A point above a plane."""

from mekane.contacts.pairs import point_on_plane
from mekane.model.geometry.surfaces import Plane, Point

shapes = (Point, Plane)


def labels(a, b):
    return [""]


def points(k, a, b):
    return [point_on_plane(k, "", k.point((a.body, a.shape.at)), a.body, b)]
