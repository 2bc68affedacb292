"""Surface: triangles of one colour."""

from dataclasses import dataclass

import numpy as np

from mekane.model.geometry.solid import Triangles

MERGED = 1e-7  # points that are closer than this share of the size are one


@dataclass(frozen=True, eq=False)
class Surface:
    """Faces are counter-clockwise seen from outside, if the file is right."""

    vertices: np.ndarray  # (vertex, 3), in units of the file
    faces: np.ndarray  # (face, 3) of vertices
    colour: str | None = None  # "#rrggbb", if the file has one


def joined(surfaces: list[Surface]) -> Surface:
    """All of them as one, without colour."""
    before = np.cumsum([0, *(len(one.vertices) for one in surfaces)])
    faces = [one.faces + start for one, start in zip(surfaces, before, strict=False)]
    return Surface(np.concatenate([one.vertices for one in surfaces]), np.concatenate(faces))


def merged(surface: Surface) -> Surface:
    """With one vertex wherever several are at the same place, and without faces that are then no triangles."""
    size = float(np.ptp(surface.vertices, axis=0).max()) if len(surface.vertices) else 0.0
    cells = np.round((surface.vertices - surface.vertices.min(axis=0)) / (MERGED * size or 1.0)).astype(np.int64)
    first, number = unique_rows(cells)
    faces = number[surface.faces]
    a, b, c = faces.T
    return Surface(surface.vertices[first], faces[(a != b) & (b != c) & (c != a)], surface.colour)


def unique_rows(cells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of rows of whole numbers: where each distinct one stands first, and the number of its own among them for each row."""
    spans = cells.max(axis=0) + 1
    if float(np.prod(spans.astype(float))) < 2.0**62:
        keys = (cells[:, 0] * spans[1] + cells[:, 1]) * spans[2] + cells[:, 2]
        _, first, number = np.unique(keys, return_index=True, return_inverse=True)
    else:
        _, first, number = np.unique(cells, axis=0, return_index=True, return_inverse=True)
    return first, number.reshape(-1)


def in_unit_box(one: Surface, signs: np.ndarray | float = 1.0) -> tuple[Triangles, np.ndarray, np.ndarray]:
    """The surface in a box of edges 1 about the origin, mirrored where signs are negative; the corners of the box it was in."""
    low, high = one.vertices.min(axis=0), one.vertices.max(axis=0)
    inside = (one.vertices - low) / np.where(high > low, high - low, 1.0) - 0.5
    faces = one.faces[:, ::-1] if np.prod(signs) < 0 else one.faces
    return Triangles(signs * inside, faces), low, high
