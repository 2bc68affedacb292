"""Solids as closed meshes of triangles: what is round is a profile rotated about z, the rest is an outline drawn along
z."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from mekane.model.geometry.meshes.defects import unmatched_edges
from mekane.model.values.orientation import matrix_from_quaternion
from mekane.view.render.gear import gear_wheel, ring_gear
from mekane.view.render.polygon import triangles
from mekane.view.render.ranges import ramps

CREASE = np.cos(np.radians(40))  # neighbouring faces that differ by more than this have an edge between them


@dataclass(frozen=True)
class Mesh:
    """Faces are counter-clockwise seen from outside, and share their vertices; a corner has the normal of the smooth
    surface there."""

    vertices: np.ndarray  # (vertex, 3)
    faces: np.ndarray  # (face, 3) of vertices
    normals: np.ndarray  # (face, corner, 3), unit vectors

    @property
    def volume(self) -> float:
        """By Gauss's theorem: the sum of the tetrahedra between the faces and the origin."""
        a, b, c = np.moveaxis(self.vertices[self.faces], 1, 0)
        return float(np.sum(np.cross(a, b) * c) / 6)


def mesh(solid, segments: int = 32) -> Mesh:
    """In the frame of the body of a solid."""
    own = own_mesh(solid.kind, solid.size, solid.outline, segments, solid.triangles, solid.teeth)
    R = matrix_from_quaternion(solid.rotation)
    return Mesh(own.vertices @ R.T + np.array(solid.position), own.faces, own.normals @ R.T)


@lru_cache(maxsize=512)
def own_mesh(kind: str, size, outline, segments: int, given=None, teeth: int = 0) -> Mesh:
    """In the axes of the solid itself. given: its triangles, of a mesh; teeth: of a gear wheel."""
    if kind == "mesh":
        return scaled_triangles(given, np.array(size))
    if teeth:
        vertices, faces = (gear_wheel if kind == "disc" else ring_gear)(*size, teeth)
    elif kind in ("box", "prism"):
        vertices, faces = drawn(rectangle(*size[:2]) if kind == "box" else outline, size[-1])
    else:
        vertices, faces = turned(profile(kind, size, segments), segments)
    vertices = vertices * (size if kind == "ellipsoid" else 1.0)
    return Mesh(vertices, faces, corner_normals(vertices, faces))


def scaled_triangles(given, size) -> Mesh:
    """Of a mesh; where its surface is open, each face is there from both sides."""
    vertices, faces = given.vertices * size, given.faces
    normals = corner_normals(vertices, faces)
    if unmatched_edges(faces)[0] == 0:
        return Mesh(vertices, faces, normals)
    return Mesh(vertices, np.vstack([faces, faces[:, ::-1]]), np.vstack([normals, -normals[:, ::-1]]))


def rectangle(x: float, y: float):
    return [(-x / 2, -y / 2), (x / 2, -y / 2), (x / 2, y / 2), (-x / 2, y / 2)]


def profile(kind: str, size, segments: int) -> np.ndarray:
    """(r, z) from the lowest point of a round solid to its highest; of a ring all around."""
    if kind in ("cylinder", "disc"):
        r, h = size[0], size[1] / 2
        return np.array([(0, -h), (r, -h), (r, h), (0, h)])
    if kind == "ring":
        a, b, h = size[0], size[1], size[2] / 2
        return np.array([(a, -h), (b, -h), (b, h), (a, h), (a, -h)])
    angle = np.linspace(-np.pi / 2, np.pi / 2, 2 * (segments // 4) + 1)
    half = np.column_stack([np.cos(angle), np.sin(angle)])
    half[[0, -1], 0] = 0.0
    if kind == "capsule":
        middle, h = len(half) // 2 + 1, np.array([0, size[1] / 2])
        return np.vstack([size[0] * half[:middle] - h, size[0] * half[middle - 1 :] + h])
    return half * (1.0 if kind == "ellipsoid" else size[0])


def turned(profile, segments: int):
    """Vertices and faces of a profile rotated about z; points on the axis stay points, a profile that ends where it
    begins is closed."""
    angle = 2 * np.pi * np.arange(segments) / segments
    closed = np.array_equal(profile[0], profile[-1])
    vertices, rows = [], []
    for r, z in profile[: len(profile) - closed]:
        around = segments if r > 0 else 1
        rows.append(len(vertices) + np.arange(segments) % around)
        vertices += [(r * np.cos(a), r * np.sin(a), z) for a in angle[:around]]
    rows += rows[:1] if closed else []
    faces = []
    for low, high in zip(rows, rows[1:], strict=False):
        after, beyond = np.roll(low, -1), np.roll(high, -1)
        faces += [np.column_stack([low, after, beyond]), np.column_stack([low, beyond, high])]
    faces = np.vstack(faces)
    a, b, c = faces.T
    return np.array(vertices), faces[(a != b) & (b != c) & (c != a)]


def drawn(outline, thickness: float):
    """Vertices and faces of a polygon drawn along z, half to each side."""
    outline, n = np.asarray(outline, float), len(outline)
    low, high = (
        np.column_stack([outline, np.full(n, -thickness / 2)]),
        np.column_stack([outline, np.full(n, thickness / 2)]),
    )
    k, cap = np.arange(n), triangles(outline)
    after = (k + 1) % n
    walls = [np.column_stack([k, after, n + after]), np.column_stack([k, n + after, n + k])]
    return np.vstack([low, high]), np.vstack([cap[:, ::-1], n + cap, *walls])


def corner_normals(vertices, faces) -> np.ndarray:
    """Of each corner: the mean over the faces that meet there and are no edge apart, by their areas."""
    a, b, c = np.moveaxis(vertices[faces], 1, 0)
    areas = np.cross(b - a, c - a)
    units = areas / np.maximum(np.linalg.norm(areas, axis=1, keepdims=True), 1e-300)
    at, count = faces.ravel(), np.bincount(faces.ravel(), minlength=len(vertices))
    sharing = np.argsort(at, kind="stable")  # corners, vertex by vertex
    mine = np.repeat(np.arange(len(at)), count[at])
    other = sharing[ramps((np.cumsum(count) - count)[at], count[at])]
    smooth = np.sum(units[mine // 3] * units[other // 3], axis=1) > CREASE
    normals = areas[np.arange(len(at)) // 3] * 1e-9  # of a face without area as well
    np.add.at(normals, mine[smooth], areas[other[smooth] // 3])
    return (normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)).reshape(-1, 3, 3)
