"""Two boxes. Their corners touch the faces that face each other, and edges of these faces touch where they cross: so they
touch with all corners of the common area where one lies on the other, and with one point where two edges meet.

In space the points 1 to 8 are corners of a, 9 to 16 corners of b, 17 to 32 crossings. In a plane there are 8, the corners.
"""

from itertools import product

import numpy as np

from mekane.algebra.scalar import less, select
from mekane.algebra.triples import add, dot, scale, sub
from mekane.contacts.pairs import ContactPoint, axes_of, centre_of, numbered
from mekane.contacts.pairs._facing import PLAY, facing, size
from mekane.errors import ModelError
from mekane.model.geometry.shapes import Box
from mekane.model.plane import plane_axes

shapes = (Box, Box)
CORNERS = list(product((-1.0, 1.0), repeat=3))
BOTH = (-1.0, 1.0)
ALIGNED = 1e-9  # how exactly an axis of a box is that across the plane of a planar model
FAR = 10.0  # sizes: a gap of what does not face the other box
STEEP = 1e-3  # sine of the least angle between edges that cross


def labels(a, b):
    return numbered(32)


def planar_labels(a, b):
    return numbered(8)


def points(k, a, b):
    pair = Pair(k, a, b)
    found = pair.corners(False) + pair.corners(True) + ([] if k.system.plane else pair.crossings())
    return [ContactPoint(label, *point) for label, point in zip(numbered(len(found)), found, strict=True)]


def halves_of(side):
    return tuple(0.5 * size for size in (side.shape.x, side.shape.y, side.shape.z))


def axis_across(system, side):
    """The number of the axis of a box that is across the plane of a planar model."""
    R = system.ground.R_NB if side.body == "ground" else system.bodies[side.body].R_NB
    along = np.abs(plane_axes(system.plane)[:, 2] @ R @ side.shape.R_BS)
    if along.max() < 1.0 - ALIGNED:
        part, problem = f"contact of body {side.body!r}", "its box does not lie in the plane of the model"
        raise ModelError(part, problem, "one of its axes is across that plane", "Turn it, or leave out planar=.")
    return int(along.argmax())


class Pair:
    """Two boxes where they are."""

    def __init__(self, k, a, b):
        self.centres, self.axes = (centre_of(k, a), centre_of(k, b)), (axes_of(k, a), axes_of(k, b))
        self.halves = halves_of(a), halves_of(b)
        away = sub(*self.centres)
        p = tuple(dot(axis, away) for axis in self.axes[1])
        R = [tuple(dot(one, other) for other in self.axes[0]) for one in self.axes[1]]
        across = [axis_across(k.system, side) for side in (a, b)] if k.system.plane else [None, None]
        numbers = [tuple(i for i in range(3) if i != out) for out in across]
        chosen = facing(p, R, *self.halves, *numbers)
        self.play = PLAY * min(*self.halves[0], *self.halves[1])
        self.faces = [Face(*each) for each in zip(chosen, self.centres, self.axes, self.halves, across, strict=True)]

    def corners(self, swapped):
        """Corners of a on the face of b that looks at it; swapped: of b on the face of a."""
        own, other = (1, 0) if swapped else (0, 1)
        out = self.faces[own].across
        signs = [one for one in CORNERS if out is None or one[out] < 0.0]
        return [self.faces[other].touched_by(self.corner(own, one, out), self.play) for one in signs]

    def corner(self, own, signs, out):
        point = self.centres[own]
        for i, (sign, half, axis) in enumerate(zip(signs, self.halves[own], self.axes[own], strict=True)):
            point = point if i == out else add(point, scale(sign * half, axis))
        return point

    def crossings(self):
        """Edges of both faces, each of a with each of b."""
        face, onto = self.faces
        found = []
        for i, sign, number, side in product(range(2), BOTH, range(2), BOTH):
            p = add(face.middle, scale(sign * face.halves[1 - i], face.axes[1 - i]))
            found.append(onto.crossed_by(p, face.axes[i], face.halves[i], (number, side), self.play))
        return found


class Face:
    """The face of a box that looks at the other box."""

    def __init__(self, chosen, centre, axes, halves, across):
        self.chosen, self.across = chosen, across
        self.normal, *self.axes = chosen.axes(axes)
        depth, *self.halves = chosen.halves(halves)
        self.far, self.middle = FAR * min(halves), add(centre, scale(depth, self.normal))

    def measured(self, point):
        """Height above the face, and places along its two axes from its middle."""
        away = sub(point, self.middle)
        return dot(self.normal, away), *(dot(axis, away) for axis in self.axes)

    def touched_by(self, corner, play):
        """A corner above the face: its height there."""
        height, x, y = self.measured(corner)
        place = sub(corner, scale(height, self.normal))
        if self.across is None:
            return within(height, (x, y), [half + play for half in self.halves], self.far), place, self.axes
        # in a plane: of the two axes in the face, the one that is not across
        second = self.chosen.of(*(float((i + 1) % 3 == self.across) for i in range(3)))
        along, limit = select(second, y, x), select(second, self.halves[1], self.halves[0])
        tangent = tuple(select(second, two, one) for one, two in zip(*self.axes, strict=True))
        return within(height, (along,), [limit + play], self.far), place, (tangent,)

    def crossed_by(self, p, u, half, edge, play):
        """An edge p + s u, |s| ≤ half, over an edge of the face: (the axis across it, its side).

        The height at the crossing is the distance of the two lines over the cosine of the slope of their common normal."""
        number, side = edge
        height, *places = self.measured(p)
        rise, *rates = (dot(axis, u) for axis in (self.normal, *self.axes))
        rate = rates[number]
        crosses = less(STEEP * STEEP, rate * rate)
        s = (side * self.halves[number] - places[number]) / select(crosses, rate, 1.0)
        y = places[1 - number] + s * rates[1 - number]
        flat = 1.0 / np.sqrt(select(crosses, rise * rise + rate * rate, 1.0))
        gap, limits = (height + s * rise) * size(rate) * flat, [half + play, self.halves[1 - number] + play]
        out, along = self.axes[number], self.axes[1 - number]
        place = add(self.middle, add(scale(side * self.halves[number], out), scale(y, along)))
        across = add(scale(rise * flat, self.normal), scale(rate * flat, out))  # along u, across the edge
        return select(crosses, within(gap, (s, y), limits, self.far), self.far), place, (along, across)


def within(gap, places, limits, far):
    """The gap while all places are within their limits, else a large one."""
    for x, limit in zip(places, limits, strict=True):
        gap = select(less(x * x, limit * limit), gap, far)
    return gap
