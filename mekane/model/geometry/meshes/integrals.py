"""Volume, mass centre and second moments of what a closed surface encloses."""

from typing import NamedTuple

import numpy as np

from mekane.model.geometry.meshes.surface import Surface


class Integrals(NamedTuple):
    """Of a solid of density 1, in units of the file."""

    volume: float  # negative if all faces are turned inwards
    centre: np.ndarray
    second: np.ndarray  # ∫ x xᵀ dV / V about the centre


def integrals(surface: Surface) -> Integrals:
    """Sums over the tetrahedra between the faces and a point, signed by the side of the face that the point is on."""
    middle = surface.vertices.mean(axis=0)
    corners = surface.vertices[surface.faces] - middle
    a, b, c = np.moveaxis(corners, 1, 0)
    six = np.einsum("fi,fi->f", a, np.cross(b, c))  # 6 V of each
    total = corners.sum(axis=1)
    volume = six.sum() / 6.0
    if volume == 0.0:
        return Integrals(0.0, middle, np.zeros((3, 3)))
    centre = six @ total / 24.0 / volume
    # ∫ x xᵀ dV = V/20 (Σ v vᵀ + s sᵀ), v the corners and s their sum
    about = np.einsum("f,fki,fkj->ij", six, corners, corners) + np.einsum("f,fi,fj->ij", six, total, total)
    second = about / 120.0 / volume - np.outer(centre, centre)
    return Integrals(float(volume), middle + centre, second)
