"""Two spheres."""

import numpy as np

from mekane.algebra.triples import add, cross, length, scale, sub, turned_along, unit
from mekane.contacts.pairs import ContactPoint
from mekane.model.constraint import End, world
from mekane.model.geometry.shapes import Sphere
from mekane.model.plane import plane_axes

shapes = (Sphere, Sphere)


def labels(a, b):
    return [""]


def points(k, a, b):
    one, other = (k.point((side.body, tuple(side.shape.at))) for side in (a, b))
    apart = length(sub(one, other))
    n = scale(1.0 / apart, sub(one, other))
    gap = apart - a.shape.radius - b.shape.radius
    return [ContactPoint("", gap, add(other, scale(b.shape.radius, n)), tangents(k, a, b, n))]


def tangents(k, a, b, n):
    """Across the line of centres; smooth wherever that is not opposite to what it was at the start."""
    if k.system.plane:
        return [unit(cross(tuple(plane_axes(k.system.plane)[:, 2]), n))]
    start = world(k.system, End(a.body, tuple(a.shape.at))) - world(k.system, End(b.body, tuple(b.shape.at)))
    return turned_along(n, tuple(start / np.linalg.norm(start)))
