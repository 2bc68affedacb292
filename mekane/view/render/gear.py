"""Gear wheels and rings with teeth as meshes; the teeth are those of the page (page/solids.js)."""

import numpy as np

TOOTH = ((-0.36, -1.1), (-0.16, 0.9), (0.16, 0.9), (0.36, -1.1))  # corners: share of the pitch, share of the module


def toothed(radius: float, teeth: int) -> np.ndarray:
    """(angle, r) of the corners around a pitch circle, one tooth at angle 0."""
    corners = np.array(TOOTH)
    angles = 2 * np.pi / teeth * (np.arange(teeth)[:, None] + corners[:, 0])
    return np.column_stack([angles.ravel(), np.tile(radius + 2 * radius / teeth * corners[:, 1], teeth)])


def outline(corners) -> np.ndarray:
    angle, r = corners.T
    return np.column_stack([r * np.cos(angle), r * np.sin(angle)])


def gear_wheel(radius: float, thickness: float, teeth: int):
    """Vertices and faces: rims above and below, and the middles of both sides."""
    rim, h = outline(toothed(radius, teeth)), thickness / 2
    n, k = len(rim), np.arange(len(rim))
    after = (k + 1) % n
    vertices = np.vstack([level(rim, -h), level(rim, h), [(0, 0, -h), (0, 0, h)]])
    below, above = np.full(n, 2 * n), np.full(n, 2 * n + 1)
    sides = [np.column_stack([below, after, k]), np.column_stack([above, n + k, n + after])]
    return vertices, np.vstack([*wall(k, after, n + k, n + after), *sides])


def ring_gear(inner: float, outer: float, thickness: float, teeth: int):
    """Vertices and faces: teeth inside, a circle outside, with as many corners at the same angles."""
    corners, h = toothed(inner, teeth), thickness / 2
    inside, outside = outline(corners), outline(np.column_stack([corners[:, 0], np.full(len(corners), outer)]))
    n, k = len(inside), np.arange(len(inside))
    after = (k + 1) % n
    vertices = np.vstack([level(inside, -h), level(inside, h), level(outside, -h), level(outside, h)])
    row = lambda r: (r * n + k, r * n + after)
    (a, a1), (b, b1), (c, c1), (d, d1) = map(row, range(4))
    faces = [*wall(c, c1, d, d1), *wall(a1, a, b1, b), *wall(a, a1, c, c1), *wall(d, d1, b, b1)]
    return vertices, np.vstack(faces)


def level(points, z: float) -> np.ndarray:
    return np.column_stack([points, np.full(len(points), z)])


def wall(low, low_after, high, high_after) -> list[np.ndarray]:
    """Two triangles for each step along two rows of vertices."""
    return [np.column_stack([low, low_after, high_after]), np.column_stack([low, high_after, high])]
