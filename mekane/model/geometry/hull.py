"""Hull: the convex hull of points, such as the corners of a mesh."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from mekane.errors import ModelError
from mekane.expressions.traced_number import reals
from mekane.model.geometry.meshes.hull_surface import hull_surface
from mekane.model.geometry.meshes.stl import read_stl
from mekane.model.geometry.meshes.surface import in_unit_box
from mekane.model.geometry.shapes import MassProperties, Shape
from mekane.model.geometry.solid import placed
from mekane.model.record import frozen_array
from mekane.model.values.units import is_list, quantity, shown

MOST = 200  # corners: each is a point of contact
MOST_TRIANGLES = 8_000_000  # of a file
EXAMPLE = "Write points=[(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]."


@dataclass(frozen=True, eq=False)
class Hull(Shape):
    """Convex hull of points (x, y, z) measured from `at`; points inside it do not matter."""

    points: Any

    @classmethod
    def from_stl(cls, path, scale=1.0, **placing) -> "Hull":
        """The hull of a mesh in an STL file; scale: metres for one of its units."""
        corners = np.unique(read_stl(Path(path), MOST_TRIANGLES).reshape(-1, 3), axis=0)
        return cls((scale * corners).tolist(), **placing)

    def _read(self, name, value):
        return corners_of(value) if name == "points" else super()._read(name, value)

    @property
    def corners(self) -> list[np.ndarray]:
        """In its own axes."""
        return [np.array(point) for point in self.points]

    @cached_property
    def _tetrahedra(self):
        """(…, 4, 3): corners, from a point inside to each of the triangles of the surface; volumes are positive."""
        from scipy.spatial import ConvexHull

        points = np.array(self.points)
        inside = points.mean(axis=0)
        found = np.array([[inside, *points[triangle]] for triangle in ConvexHull(points.real).simplices])
        outside = volumes(found).real < 0
        found[outside] = found[outside][:, [0, 2, 1, 3]]
        return found

    @property
    def volume(self):
        return volumes(self._tetrahedra).sum()

    def mass_properties(self, mass=None, density=None):
        parts = self._tetrahedra
        share = volumes(parts) / self.volume
        mass = density * self.volume if mass is None else mass
        com = share @ parts.mean(axis=1)
        # second moments of a tetrahedron about the origin: (Σ v vᵀ + 16 c cᵀ)/20, c its centre
        c = parts.mean(axis=1)
        second = (np.einsum("tki,tkj->tij", parts, parts) + 16 * np.einsum("ti,tj->tij", c, c)) / 20
        second = np.einsum("t,tij->ij", share, second) - np.outer(com, com)
        R, own = self.R_BS, np.trace(second) * np.eye(3) - second
        return MassProperties(mass, frozen_array(self.at + R @ com), frozen_array(mass * (R @ own @ R.T)))

    @cached_property
    def _drawn(self):
        return in_unit_box(hull_surface(np.array(self.points).real, "hull"))

    def solid(self, thin):
        triangles, low, high = self._drawn
        R = reals(self.R_BS)
        return placed("mesh", high - low, reals(self.at) + R @ (low + high) / 2, R, triangles=triangles)


def volumes(tetrahedra):
    first = tetrahedra[:, 0]
    a, b, c = (tetrahedra[:, k] - first for k in (1, 2, 3))
    return np.einsum("ti,ti->t", a, np.cross(b, c)) / 6


def corners_of(given) -> tuple:
    """The corners of the hull, checked."""
    part, expected = "shape hull", "a list of at least four points (x, y, z) that do not lie in a plane is expected"
    if not is_list(given) or len(given) < 4:
        raise ModelError(part, f"points is {shown(given)}", expected, EXAMPLE)
    for one in given:
        if not is_list(one) or len(one) != 3:
            raise ModelError(part, f"a point is {shown(one)}", expected, EXAMPLE)
    points = tuple(tuple(quantity(x, "length", part, "a point") for x in one) for one in given)
    found = hull_of(np.array(points).real, part, expected)
    if len(found) > MOST:
        remedy = "Simplify the mesh, or describe it by several shapes."
        raise ModelError(part, f"it has {len(found)} corners", f"at most {MOST} are taken", remedy)
    return tuple(points[k] for k in found)


def hull_of(points, part, expected):
    """Numbers of the points that are corners, in their order."""
    from scipy.spatial import ConvexHull, QhullError

    try:
        hull = ConvexHull(points)
    except QhullError:
        raise ModelError(part, "its points lie in a plane", expected, "Use mk.Polygon for what is flat.") from None
    return sorted(hull.vertices.tolist())
