"""The floor of a picture: a grid below everything that moves."""

from dataclasses import dataclass

import numpy as np

from mekane.model.values.orientation import frame_with_z

CELLS = 24  # as in page/stage.js
AIR, LINE = "#f7f9fb", "#c3cbd3"


@dataclass(frozen=True)
class Floor:
    point: np.ndarray
    axes: np.ndarray  # columns; the third is the normal
    cell: float
    cells: int

    def pieces(self, middle):
        """Sides of its cells, from where to where, and how far out, 1 at the border; it goes along with `middle` by
        whole cells."""
        shift, half = np.round((middle - self.point) @ self.axes[:, :2] / self.cell), self.cells // 2
        along, across = (part.ravel() - half for part in np.meshgrid(np.arange(self.cells), np.arange(self.cells + 1)))
        starts = np.vstack([np.column_stack([along, across]), np.column_stack([across, along])])
        ends = np.vstack([np.column_stack([along + 1, across]), np.column_stack([across, along + 1])])
        world = lambda xy: self.point + self.cell * (xy + shift) @ self.axes[:, :2].T
        return world(starts), world(ends), np.linalg.norm((starts + ends) / 2, axis=1) / half


def floor_below(scene, reached, extent) -> Floor:
    """That of the scene; lower where the motion goes through it.  reached: where bodies come; extent: edges of what is
    seen."""
    point, axes = np.array(scene.ground["floor"]["point"]), frame_with_z(np.array(scene.ground["floor"]["normal"]))
    depth = np.min((reached.reshape(-1, 3) - point) @ axes[:, 2], initial=0.0)
    if depth < -0.02 * scene.size:
        point = point + (depth - 0.05 * scene.size) * axes[:, 2]
    cell = 3 * scene.size / CELLS
    return Floor(point, axes, cell, int(np.clip(np.ceil(1.5 * np.linalg.norm(extent) / cell), CELLS, 4 * CELLS)))
