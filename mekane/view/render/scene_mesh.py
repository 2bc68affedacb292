"""All solids of a scene as one mesh, ready to be drawn."""

import numpy as np

from mekane.model.values.orientation import matrix_from_quaternion
from mekane.view.render.mesh import mesh
from mekane.view.render.pixels import Paints, scaled

DARKER = 0.8


class Parts:
    """Vertices and normals in the frame of their body; the last body is the ground."""

    def __init__(self, scene, paints: Paints, glyphs: bool):
        count = len(scene.bodies)
        owned = [(k, solid) for k, body in enumerate(scene.bodies) for solid in body.solids]
        owned += [(count, solid) for solid in scene.ground["solids"]]
        owned += [
            (part["body"] % (count + 1), part["solid"]) for joint in scene.joints for part in joint.glyph if glyphs
        ]
        bodies = [k for k, _ in owned]
        meshes = [mesh(solid, segments_of(solid, scene.size)) for _, solid in owned]
        rows = [rows_of(solid, m, paints) for (_, solid), m in zip(owned, meshes, strict=True)]
        corners, faces = ([len(getattr(m, attribute)) for m in meshes] for attribute in ("vertices", "faces"))
        joined = lambda attribute, *shape: np.concatenate(
            [np.zeros((0, *shape)), *(getattr(m, attribute) for m in meshes)]
        )
        self.vertices, self.normals = joined("vertices", 3), joined("normals", 3, 3)
        self.faces = (
            joined("faces", 3).astype(int) + np.repeat(np.cumsum(corners) - corners, faces).astype(int)[:, None]
        )
        self.owner, self.face_owner = (np.repeat(bodies, how_often).astype(int) for how_often in (corners, faces))
        self.paints = np.concatenate([np.zeros(0, int), *rows])


def rows_of(solid, own, paints: Paints) -> np.ndarray:
    """Its colour for each face; of what is marked every other quarter is darker (page/solids.js)."""
    plain, dark = paints.row(solid.colour), paints.row(scaled(solid.colour, DARKER)) if solid.marked else 0
    middle = (own.vertices[own.faces].mean(axis=1) - np.array(solid.position)) @ matrix_from_quaternion(solid.rotation)
    return np.where(solid.marked & (middle[:, 0] * middle[:, 1] < 0), dark, plain)


def segments_of(solid, size: float) -> int:
    """As many as its size in the picture needs; a multiple of four."""
    return 4 * int(np.clip(np.ceil(20 * np.sqrt(max(solid.half[:2]) / max(size, 1e-300))), 3, 16))
