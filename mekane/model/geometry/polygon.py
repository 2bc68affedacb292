"""Polygon: a flat shape of any outline, or a prism."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from mekane.errors import ModelError
from mekane.model.geometry.shapes import Length, MassProperties, Shape
from mekane.model.geometry.solid import placed
from mekane.model.record import frozen_array
from mekane.model.values.units import is_list, quantity, shown

EDGE_PAIRS = 1 << 16  # compared at once


@dataclass(frozen=True, eq=False)
class Polygon(Shape):
    """Polygon with corners (x, y) measured from `at`; thin unless a thickness (along z, half to each side) is given."""

    points: Any
    thickness: Length = 0.0

    may_vanish = ("thickness",)

    @classmethod
    def regular(cls, corners: int, radius, thickness=0.0, **placing) -> "Polygon":
        """Corners on a circle: such as those of the rim of a cylinder that stands."""
        angles = 2 * np.pi * np.arange(corners) / corners
        return cls([(radius * np.cos(x), radius * np.sin(x)) for x in angles], thickness, **placing)

    def _read(self, name, value):
        return corners_of(value) if name == "points" else super()._read(name, value)

    @property
    def corners(self) -> list[np.ndarray]:
        """In its own axes: those of one side, then those of the other."""
        sides = (-0.5, 0.5) if self.thickness.real > 0 else (0.0,)
        return [np.array([x, y, side * self.thickness]) for side in sides for x, y in self.points]

    @property
    def volume(self):
        return abs(area_of(self.points)) * self.thickness

    def mass_properties(self, mass=None, density=None):
        if mass is None:
            mass = density * self._solid_volume()
        _, centre, (xx, xy, yy) = moments(self.points)
        through = self.thickness**2 / 12
        own = np.array([[yy + through, -xy, 0 * xy], [-xy, xx + through, 0 * xy], [0 * xy, 0 * xy, xx + yy]])
        R = self.R_BS
        tensor = mass * (R @ own @ R.T)
        com = self.at + R @ np.array([*centre, 0.0])
        return MassProperties(mass, frozen_array(com), frozen_array(0.5 * (tensor + tensor.T)))

    def solid(self, thin):
        return placed("prism", (self.thickness or thin,), self.at, self.R_BS, outline=self.points)


def moments(points):
    """Area, with the sign of its sense; centre; second moments xx, xy, yy about the centre, over the area."""
    first, second = np.zeros(2), np.zeros(3)
    for (x, y), (u, v) in edges(points):
        c = x * v - u * y
        first = first + c / 6 * np.array([x + u, y + v])
        xy = (x * v + 2 * x * y + 2 * u * v + u * y) / 2
        second = second + c / 12 * np.array([x * x + x * u + u * u, xy, y * y + y * v + v * v])
    area = area_of(points)
    x, y = first / area
    return area, (x, y), second / area - np.array([x * x, x * y, y * y])


def area_of(points):
    return 0.5 * sum(x * v - u * y for (x, y), (u, v) in edges(points))


def edges(points):
    return list(zip(points, (*points[1:], points[0]), strict=True))


def corners_of(given) -> tuple:
    """Checked pairs of numbers."""
    part, expected = "shape polygon", "a list of at least three corners (x, y) is expected"
    if not is_list(given) or len(given) < 3:
        raise ModelError(part, f"points is {shown(given)}", expected, "Write points=[(0, 0), (1, 0), (0, 1)].")
    for one in given:
        if not is_list(one) or len(one) != 2:
            raise ModelError(part, f"a point is {shown(one)}", expected, "Write points=[(0, 0), (1, 0), (0, 1)].")
    points = tuple(tuple(quantity(x, "length", part, "a point") for x in one) for one in given)
    refuse_crossing(part, np.array([[x.real, y.real] for x, y in points]))
    return points


def refuse_crossing(part, points):
    """Edges that cross, or corners on one line, have no area inside."""
    several = max(1, EDGE_PAIRS // len(points))
    for first in range(0, len(points), several):
        crossed = np.argwhere(crossings(points, slice(first, first + several)))
        if len(crossed):
            one, other = points[first + crossed[0, 0]].tolist(), points[crossed[0, 1]].tolist()
            problem = f"the edges from {one} and from {other} cross"
            raise ModelError(part, problem, "corners in the order of the outline are expected", "Order the points.")
    if abs(area_of(points.tolist())) <= 1e-12 * np.ptp(points, axis=0).max() ** 2:
        raise ModelError(part, "its corners lie on one line", "an area is expected", "Move a corner.")


def crossings(points, some):
    """Which of some edges, each from a corner to the next, cross which of all: the ends of each are on both sides of
    the other. Neighbours do not: the corner that they share is on neither side, exactly."""
    ends = np.roll(points, -1, axis=0)
    along = ends - points
    of_corners = beside(points[some, None], along[some, None], points)
    of_some = beside(points, along, points[some, None]) * beside(points, along, ends[some, None])
    return (of_corners * np.roll(of_corners, -1, axis=1) < 0) & (of_some < 0)


def beside(start, along, point):
    """Positive where a point is on the left of an edge, negative on its right; of one edge or point, or rows of them."""
    to = point - start
    return along[..., 0] * to[..., 1] - to[..., 0] * along[..., 1]
