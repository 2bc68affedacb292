"""Mesh: triangles in a file. Its volume gives the mass properties, it is drawn as it is, and touches as its convex hull."""

import os
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from mekane.errors import ModelError
from mekane.expressions.parse import PARAMETER
from mekane.expressions.traced_number import reals
from mekane.model.geometry.hull import Hull
from mekane.model.geometry.meshes.defects import defect
from mekane.model.geometry.meshes.files import Stamp, is_there, stamp_of, surfaces
from mekane.model.geometry.meshes.hull_surface import hull_surface
from mekane.model.geometry.meshes.integrals import Integrals, integrals
from mekane.model.geometry.meshes.simplify import simplified
from mekane.model.geometry.meshes.surface import in_unit_box, joined, merged
from mekane.model.geometry.shapes import MassProperties, Shape
from mekane.model.geometry.solid import Solid, Triangles, placed
from mekane.model.record import frozen_array, plain_numbers
from mekane.model.values.flag import flag
from mekane.model.values.parameters import has_parameters, written
from mekane.model.values.units import is_list, quantity, shown

LARGE = 100.0  # m: no part that is meant
CORNERS = 48  # of a hull that touches: each is a point of contact
LOOK = 12_000  # triangles of a mesh that is drawn
PART = "shape mesh"


@dataclass(frozen=True, eq=False)
class Mesh(Shape):
    """Triangles of a file (STL, OBJ, PLY, GLB, Collada), with its origin at `at`. `scale`: metres for one unit of the
    file, or three numbers, negative ones mirror. hull=True: what has mass is its convex hull."""

    file: Any
    scale: Any = 1.0
    hull: bool = False

    def __post_init__(self):
        object.__setattr__(self, "file", absolute(self.file))
        super().__post_init__()

    def _read(self, name, value):
        if name == "file":
            return value
        if name == "hull":
            return flag(value, PART, "hull")
        return scale_from(value) if name == "scale" else super()._read(name, value)

    @property
    def file_name(self) -> str:
        """Without the folder."""
        return Path(self.file).name

    @property
    def stamp(self) -> Stamp:
        return stamp_of(self.file)

    def remarks(self) -> list[str]:
        """What is to be known of it without reading the file."""
        return [] if is_there(self.file) else [f"mesh {self.file!r} is not found, so it is not drawn"]

    def to_dict(self):
        scale = written(self.scale) if has_parameters(self.scale) else list(plain_numbers(self.scale))
        same = is_list(scale) and all(one == scale[0] for one in scale)
        given = {"file": self.file, "scale": scale[0] if same else scale} | ({"hull": True} if self.hull else {})
        return super().to_dict() | {"mesh": given}

    # mass

    @property
    def _integrals(self) -> Integrals:
        """Of the file, or of its hull."""
        found = solid_integrals(self.stamp, self.hull)
        if isinstance(found, str):
            remedy = (
                "Give mass=, inertia= and com=, or take its convex hull, mk.Mesh(…, hull=True), or repair the mesh."
            )
            raise ModelError(f"{PART} {self.file_name!r}", found, "a closed surface has a volume", remedy)
        return found

    @property
    def volume(self):
        x, y, z = plain_numbers(self.scale)
        return self._integrals.volume * x * y * z * self.handedness

    @property
    def handedness(self) -> float:
        """−1 if the scale mirrors it."""
        return float(np.sign(np.prod(reals(self.scale))))

    @property
    def centre(self):
        """Of its volume, in the frame of the body."""
        return self.at + self.R_BS @ (self.scale * self._integrals.centre)

    def mass_properties(self, mass=None, density=None):
        mass = density * self.volume if mass is None else mass
        second = self._integrals.second * np.outer(self.scale, self.scale)
        R, own = self.R_BS, np.trace(second) * np.eye(3) - second
        tensor = mass * (R @ own @ R.T)
        return MassProperties(mass, frozen_array(self.centre), frozen_array(0.5 * (tensor + tensor.T)))

    # contact

    @cached_property
    def convex_hull(self) -> Hull:
        """What of it touches: its convex hull, by not too many of its corners."""
        corners = self.scale * hull_corners(self.stamp, CORNERS)[0]
        return Hull(corners.tolist(), at=self.at, orientation=self.orientation)

    def hull_remark(self) -> str:
        """How much of it touches."""
        kept, count, off = hull_corners(self.stamp, CORNERS)
        share = (
            f"{len(kept)} of its {count} corners, which lie up to {off * np.abs(reals(self.scale)).max():.2g} m inside"
        )
        return f"mesh {self.file_name!r} touches as its convex hull, by {share if count > len(kept) else f'{count} corners'}"

    # look

    def solids(self, thin: float, most: int = LOOK) -> list[Solid]:
        """How it is drawn: one solid for each of its colours, together at most so many triangles."""
        signs = tuple(np.sign(reals(self.scale)).tolist())
        return [self._solid(*one) for one in coarse(self.stamp, most, signs)]

    def _solid(self, triangles: Triangles, low: np.ndarray, high: np.ndarray, colour: str | None) -> Solid:
        scale, R = reals(self.scale), reals(self.R_BS)
        middle, edges = reals(self.at) + R @ (scale * (low + high) / 2), np.abs(scale) * (high - low)
        return placed("mesh", edges, middle, R, self.color or colour or "", triangles=triangles)

    def solid(self, thin):
        return self.solids(thin)[0]

    @property
    def is_readable(self) -> bool:
        try:
            return bool(self.extent()[1])
        except ModelError:
            return False

    def extent(self) -> tuple[float, int]:
        """The longest edge of the box around it [m], and how many triangles it has."""
        edges, count = extent_of(self.stamp)
        return float((np.abs(reals(self.scale)) * edges).max()), count


# ---------------------------------------------------------------- arguments


def absolute(file) -> str:
    """The path of the file, from the root."""
    if not isinstance(file, str | os.PathLike) or not str(file):
        raise ModelError(PART, f"file is {shown(file)}", "the name of a file is expected", 'Write mk.Mesh("arm.stl").')
    if PARAMETER in str(file):
        raise ModelError(PART, f"file is {str(file)!r}", f"no {PARAMETER} in its name", "Rename the file.")
    return os.path.abspath(os.fspath(file))


def scale_from(given) -> np.ndarray:
    """Three factors, none of them zero."""
    three = list(given) if is_list(given) else [given] * 3
    if len(three) != 3:
        raise ModelError(PART, f"scale is {shown(given)}", "one number or three are expected")
    factors = frozen_array([quantity(one, "number", PART, "scale") for one in three])
    if not np.all(reals(factors)):
        raise ModelError(
            PART, f"scale is {shown(given)}", "it is not 0", "Write scale=0.001 for a file in millimetres."
        )
    return factors


# ---------------------------------------------------------------- of files, kept while they do not change


@lru_cache(maxsize=256)
def solid_integrals(stamp: Stamp, hull: bool) -> Integrals | str:
    """Of what the file encloses, or why it encloses nothing."""
    whole = merged(joined(list(surfaces(stamp))))
    if hull:
        whole = hull_surface(whole.vertices, stamp[0])
    return defect(whole) or integrals(whole)


@lru_cache(maxsize=1024)
def extent_of(stamp: Stamp) -> tuple[np.ndarray, int]:
    """Edges of the box around all of it, and the number of triangles."""
    found = surfaces(stamp)
    return np.ptp(np.concatenate([one.vertices for one in found]), axis=0), sum(len(one.faces) for one in found)


@lru_cache(maxsize=256)
def hull_corners(stamp: Stamp, most: int) -> tuple[np.ndarray, int, float]:
    """Corners of the hull, at most so many; how many it has, and how far those left out are outside."""
    points = hull_surface(np.concatenate([one.vertices for one in surfaces(stamp)]), stamp[0]).vertices
    if len(points) <= most:
        return points, len(points), 0.0
    chosen = [int(np.argmax(points @ np.array([-1.0, -1e-3, -1e-6])))]
    away = np.linalg.norm(points - points[chosen[0]], axis=1)
    while len(chosen) < most:  # the farthest from all that are chosen
        chosen.append(int(np.argmax(away)))
        away = np.minimum(away, np.linalg.norm(points - points[chosen[-1]], axis=1))
    kept = points[sorted(chosen)]
    return kept, len(points), _outside(points, kept)


def _outside(points: np.ndarray, kept: np.ndarray) -> float:
    from scipy.spatial import ConvexHull

    planes = ConvexHull(kept).equations
    return max(0.0, float((points @ planes[:, :3].T + planes[:, 3]).max()))


@lru_cache(maxsize=1024)
def coarse(stamp: Stamp, most: int, signs: tuple) -> list[tuple]:
    """(triangles, lowest corner, highest corner, colour) of each colour of a file, with at most so many triangles.
    signs: of the scale along x, y and z; those that are negative mirror."""
    found = surfaces(stamp)
    count = sum(len(one.faces) for one in found)
    few = [simplified(one, max(4, most * len(one.faces) // count)) if count > most else one for one in found]
    return [(*in_unit_box(one, np.array(signs)), one.colour) for one in few if len(one.faces)]
