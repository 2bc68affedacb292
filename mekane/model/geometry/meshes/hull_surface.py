"""The convex hull of points as a surface."""

import numpy as np

from mekane.errors import FileError
from mekane.model.geometry.meshes.surface import Surface


def hull_surface(points: np.ndarray, file: str) -> Surface:
    """The convex hull of points, its faces turned outwards."""
    from scipy.spatial import ConvexHull, QhullError

    try:
        hull = ConvexHull(points)
    except (QhullError, ValueError):
        raise FileError(file, "its points lie in a plane", "a convex hull has a volume") from None
    a, b, c = np.moveaxis(points[hull.simplices], 1, 0)
    inward = np.einsum("fi,fi->f", np.cross(b - a, c - a), hull.equations[:, :3]) < 0
    faces = np.where(inward[:, None], hull.simplices[:, ::-1], hull.simplices)
    used, number = np.unique(faces, return_inverse=True)
    return Surface(points[used], number.reshape(-1, 3))
