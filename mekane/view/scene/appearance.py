"""The appearance of a body: its shape if it has one, else solids from its joint points and its inertia."""

from contextlib import suppress

import numpy as np
from scipy.spatial import ConvexHull

from mekane.errors import FileError
from mekane.model.geometry.solid import Solid, placed, rod
from mekane.model.values.orientation import frame_with_z, matrix_from_quaternion

FLAT = 0.05  # points are in a plane if none is farther from it than this share of their spread
ALIKE = 1e-6  # principal inertias that are taken as equal, relative
ROD, BALL, THIN = 0.016, 0.045, 0.012  # radius of rods, radius of particles, least thickness, as shares of the scale
# of a solid made from an inertia, as a share of the mechanism; a body on a rod is not much longer than the rod
LARGEST = 0.6

ON_ROD = 1.3  # size of what would hide its only joint, by the distance from there to its mass centre


def of_shapes(shapes, scale: float, most: int) -> list[Solid]:
    """Shapes where they are; what is thin by intent gets a thickness that can be seen. A mesh that cannot be read is left
    out. most: triangles of each mesh."""
    found = []
    for shape in shapes:
        with suppress(FileError):
            found += shape.solids(THIN * scale, most)
    return found


def of_points(points, body, scale: float, size: float, plane=None) -> list[Solid]:
    """Made from the points of a body at which other things hold it."""
    points, com = distinct(points, 0.02 * scale), np.asarray(body.com, float)
    if len(points) > 1:
        return [*linked(points, scale), *bob(body, points, scale)]
    away = max((np.linalg.norm(point - com) for point in points), default=0.0)
    largest = max(size / 2, 2.1 * away) if away > 0.02 * scale else LARGEST * size
    heavy = of_inertia(body, scale, largest, plane) or placed("sphere", (BALL * scale,), com)
    # cut to size, and still around its joint
    if len(points) and away >= size / 4.2 and max(heavy.half) >= 1.05 * away * (1 - ALIKE):
        heavy = of_inertia(body, scale, ON_ROD * away, plane)
    if not len(points) or contains(heavy, points[0], 0.02 * scale):
        return [heavy]
    return [rod(points[0], com, ROD * scale), heavy]


def arms(solids, points, scale: float) -> list[Solid]:
    """Rods from the first of these solids to points that none of them reaches."""
    hub, far = (
        np.array(solids[0].position),
        lambda point: min(np.linalg.norm(point - np.array(s.position)) - max(s.half) for s in solids),
    )
    return [rod(hub, point, ROD * scale) for point in distinct(points, 0.02 * scale) if far(point) > 0.02 * scale]


def distinct(points, apart: float) -> np.ndarray:
    kept = []
    for point in np.asarray(points, float).reshape(-1, 3):
        if all(np.linalg.norm(point - other) > apart for other in kept):
            kept.append(point)
    return np.array(kept).reshape(-1, 3)


# ---------------------------------------------------------------- two points or more


def linked(points, scale: float) -> list[Solid]:
    """A rod between two points, a frame of rods around points of a plane, a star of rods else."""
    if len(points) == 2:
        return [rod(*points, ROD * scale)]
    centre = points.mean(axis=0)
    axes = np.linalg.svd(points - centre)[2]  # rows: longest extent first
    flat = (points - centre) @ axes.T
    wide, long, off = np.ptp(flat[:, 1]), np.ptp(flat[:, 0]), np.abs(flat[:, 2]).max()
    if off > FLAT * long:
        return [rod(centre, point, ROD * scale) for point in points if np.linalg.norm(point - centre) > ROD * scale]
    if wide < FLAT * long:
        return [rod(points[flat[:, 0].argmin()], points[flat[:, 0].argmax()], ROD * scale)]
    return around(points, flat[:, :2], scale)


def around(points, flat, scale: float) -> list[Solid]:
    """Rods along the convex polygon of points in a plane; from points inside it to the nearest corner."""
    corners = list(ConvexHull(flat).vertices)
    sides = list(zip(corners, [*corners[1:], corners[0]], strict=True))
    inside = [k for k in range(len(points)) if k not in corners]
    sides += [(k, min(corners, key=lambda c: np.linalg.norm(points[c] - points[k]))) for k in inside]
    return [rod(points[a], points[b], ROD * scale) for a, b in sides]


def bob(body, points, scale: float) -> list[Solid]:
    """The mass of a particle is where its mass centre is."""
    return [placed("sphere", (BALL * scale,), body.com)] if body.is_point_mass else []


# ---------------------------------------------------------------- from the inertia


def of_inertia(body, scale: float, largest: float | None, plane=None) -> Solid | None:
    """The sphere, cylinder or box of one density that has this inertia; not larger than `largest`, nor too thin to be
    seen."""
    if not body.mass > 0 or body.is_point_mass:
        return None
    values, axes = np.linalg.eigh(np.real(np.asarray(body.inertia)) / float(body.mass))
    kind, size, R = same_inertia(np.maximum(values, 0), axes, plane)
    shrink = 1.0 if largest is None else min(1.0, largest / (2 * max(placed(kind, size).half)))
    return placed(kind, np.maximum(shrink * size, THIN * scale), body.com, R)


def same_inertia(values, axes, plane=None):
    """Kind, size and axes, from principal inertias per mass in rising order. In a plane only that about the normal
    counts."""
    low, middle, high = values
    close = lambda a, b: abs(a - b) <= ALIKE * high
    if plane is not None:
        return "disc", np.array([np.sqrt(2 * high), 0.3 * np.sqrt(2 * high)]), frame_with_z(plane)
    if close(low, high):
        return "sphere", np.array([np.sqrt(2.5 * high)]), None
    if close(low, middle):  # flat and round: m r²/2 about its axis
        return round_bar("disc", along=high, across=low, axis=axes[:, 2])
    if close(middle, high):  # long and round
        return round_bar("cylinder", along=low, across=high, axis=axes[:, 0])
    edges = np.sqrt(np.maximum(6 * (values.sum() - 2 * values), 0))  # m (y² + z²)/12 about x, …
    return "box", edges, axes * np.sign(np.linalg.det(axes))


def round_bar(kind, along: float, across: float, axis):
    radius = np.sqrt(2 * along)
    return kind, np.array([radius, np.sqrt(max(12 * across - 3 * radius**2, 0))]), frame_with_z(axis)


def contains(solid: Solid, point, near: float) -> bool:
    """True if a point is in a solid made from an inertia, or near it."""
    x, y, z = np.abs(matrix_from_quaternion(solid.rotation).T @ (np.asarray(point) - solid.position)) - near
    if solid.kind == "sphere":
        return bool(np.linalg.norm(np.asarray(point) - solid.position) <= solid.size[0] + near)
    if solid.kind == "box":
        return bool(np.all((x, y, z) <= solid.half))
    return bool(np.hypot(x, y) <= solid.size[0] and z <= solid.half[2])
