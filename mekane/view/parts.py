"""All solids of a scene as one mesh, ready to be drawn."""

import numpy as np

from mekane.view.mesh import mesh
from mekane.view.pixels import Paints


class Parts:
    """Vertices and normals in the frame of their body; the last body is the ground."""

    def __init__(self, scene, paints: Paints, glyphs: bool):
        count = len(scene.bodies)
        owned = [(k, solid) for k, body in enumerate(scene.bodies) for solid in body.solids]
        owned += [(count, solid) for solid in scene.ground["solids"]]
        owned += [(part["body"] % (count + 1), part["solid"]) for joint in scene.joints for part in joint.glyph if glyphs]
        bodies, rows = [k for k, _ in owned], [paints.row(solid.colour) for _, solid in owned]
        meshes = [mesh(solid, segments_of(solid, scene.size)) for _, solid in owned]
        corners, faces = ([len(array) for array in arrays] for arrays in zip(*((m.vertices, m.faces) for m in meshes), strict=True))
        self.vertices = np.concatenate([m.vertices for m in meshes])
        self.normals = np.concatenate([m.normals for m in meshes])
        self.faces = np.concatenate([m.faces for m in meshes]) + np.repeat(np.cumsum(corners) - corners, faces)[:, None]
        self.owner, self.face_owner = np.repeat(bodies, corners), np.repeat(bodies, faces)
        self.paints = np.repeat(rows, faces)


def segments_of(solid, size: float) -> int:
    """As many as its size in the picture asks for; a multiple of four."""
    return 4 * int(np.clip(np.ceil(20 * np.sqrt(max(solid.half[:2]) / max(size, 1e-300))), 3, 16))
