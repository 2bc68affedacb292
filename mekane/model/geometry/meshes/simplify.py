"""A coarser surface: all vertices in a cell of a grid become one, where the planes of the faces around them meet
(Lindstrom, Out-of-core simplification of large polygonal models, 2000)."""

import numpy as np

from mekane.model.geometry.meshes.surface import Surface, unique_rows

TRIALS = 24  # of the width of a cell
LEAST = 1e-3  # share of the largest eigenvalue below which planes do not determine a direction


def simplified(surface: Surface, most: int) -> Surface:
    """With at most so many faces; itself if it has no more."""
    if len(surface.faces) <= most:
        return surface
    size = float(np.ptp(surface.vertices, axis=0).max())
    fine, coarse = size / 2000.0, size
    found = clustered(surface, coarse)
    for _ in range(TRIALS):
        width = np.sqrt(fine * coarse)
        trial = clustered(surface, width)
        if len(trial[1]) > most:
            fine = width
        else:
            found, coarse = trial, width
        if len(found[1]) > 0.85 * most:
            break
    cells, faces, width = found
    used, number = np.unique(faces, return_inverse=True)
    return Surface(placed(surface, cells, width)[used], number.reshape(-1, 3), surface.colour)


def clustered(surface: Surface, width: float) -> tuple[np.ndarray, np.ndarray, float]:
    """The cell of each vertex, the faces that remain between cells, and the width of a cell."""
    grid = np.floor((surface.vertices - surface.vertices.min(axis=0)) / width).astype(np.int64)
    cells = unique_rows(grid)[1]
    faces = cells[surface.faces]
    a, b, c = faces.T
    faces = faces[(a != b) & (b != c) & (c != a)]
    if not len(faces):
        return cells, faces, width
    turned = np.argmin(faces, axis=1)[:, None]  # the smallest number first; the sense of rotation stays
    first = np.take_along_axis(faces, (turned + np.arange(3)) % 3, axis=1)
    return cells, first[unique_rows(first)[0]], width


def placed(surface: Surface, cells: np.ndarray, width: float) -> np.ndarray:
    """The point of each cell: nearest to the planes of the faces around its vertices, and not far from their mean."""
    count = int(cells.max()) + 1
    number = np.bincount(cells, minlength=count)[:, None]
    mean = np.stack([np.bincount(cells, x, count) for x in surface.vertices.T], axis=1) / number
    corners = surface.vertices[surface.faces]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    A, r = np.zeros((count, 3, 3)), np.zeros((count, 3))
    for k in range(3):  # Σ n nᵀ (x − p) = 0 over the planes n · (x − p) = 0, by their areas
        cell = cells[surface.faces[:, k]]
        off = np.einsum("fi,fi->f", normal, corners[:, k] - mean[cell])
        for i in range(3):
            r[:, i] += np.bincount(cell, normal[:, i] * off, count)
            for j in range(3):
                A[:, i, j] += np.bincount(cell, normal[:, i] * normal[:, j], count)
    values, axes = np.linalg.eigh(A)
    large = values > LEAST * np.maximum(values[:, -1:], 1e-300)
    along = np.einsum("cji,cj->ci", axes, r) * large / np.where(large, values, 1.0)
    shift = np.einsum("cij,cj->ci", axes, along)
    far = np.linalg.norm(shift, axis=1, keepdims=True)
    return mean + shift * np.minimum(1.0, 0.75 * width / np.maximum(far, 1e-300))
