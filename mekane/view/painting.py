"""Painter: a scene and the poses of one frame become an array of pixels, without a browser."""

import numpy as np

from mekane.view.framing import Framing, matrices
from mekane.view.mesh import mesh
from mekane.view.raster import nearest, plane
from mekane.view.strips import Strip, bands, strips_of

SKY, EARTH, SUN = 2.2, 0.31 * 2.2, 1.8  # light from above, from below and from the sun: page/stage.js, its colours as one grey
ALBEDO = 0.9 / np.pi
GAMMA = 1 / 2.2  # screens are not linear
GHOST = 0.22  # how much is seen of the ghost


class Parts:
    """All solids of a scene as one mesh; body n is the ground."""

    def __init__(self, scene, glyphs: bool = True):
        owned = [(k, solid) for k, body in enumerate(scene.bodies) for solid in body.solids]
        owned += [(len(scene.bodies), solid) for solid in scene.ground["solids"]]
        owned += [(part["body"], part["solid"]) for joint in scene.joints for part in joint.glyph if glyphs]
        owned = [(k % (len(scene.bodies) + 1), solid, mesh(solid, segments_of(solid, scene.size))) for k, solid in owned]
        stacked = lambda arrays, width: np.concatenate([np.zeros((0, *width)), *arrays])
        before = np.cumsum([0, *(len(m.vertices) for _, _, m in owned)])
        self.vertices = stacked([m.vertices for _, _, m in owned], (3,))
        self.owner = stacked([np.full(len(m.vertices), k) for k, _, m in owned], ()).astype(int)
        self.faces = stacked([m.faces + at for (_, _, m), at in zip(owned, before, strict=False)], (3,)).astype(int)
        self.normals = stacked([m.normals for _, _, m in owned], (3, 3))
        self.face_owner = stacked([np.full(len(m.faces), k) for k, _, m in owned], ()).astype(int)
        self.colours = stacked([np.tile(rgb(solid.colour), (len(m.faces), 1)) for _, solid, m in owned], (3,))


def segments_of(solid, size: float) -> int:
    """As many as its size in the picture asks for; a multiple of four."""
    return int(np.clip(4 * np.ceil(20 * np.sqrt(max(solid.half[:2]) / max(size, 1e-300))) // 1, 12, 64))


def rgb(colour: str) -> np.ndarray:
    return np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)], float)


class Painter:
    """Paints frames of one scene."""

    def __init__(self, scene, framing: Framing, line: float):
        self.scene, self.framing, self.line = scene, framing, line  # line: pixels that a line is wide
        self.parts, self.bodies = Parts(scene), Parts(scene, glyphs=False)
        sun = np.array(scene.up) + np.array(scene.camera["towards"])
        self.sun, self.up = sun / max(np.linalg.norm(sun), 1e-12), np.array(scene.up)

    def paint(self, background, poses, strips: list[Strip] = ()) -> np.ndarray:
        """Over a background (row, column, 3) of bytes: bodies, joints, what is between them, and more strips."""
        camera, (R, p) = self.framing.camera_at(poses), placed(poses)
        place = lambda body, point: R[body] @ np.asarray(point, float) + p[body]
        lines = [*strips_of(self.scene, place, self.sun), *strips]
        return self.put(background, camera, [self.solids(self.parts, camera, R, p), *(self.band(camera, strip) for strip in lines)])

    def ghost(self, background, camera, poses) -> np.ndarray:
        """Bodies as they stand there, pale."""
        painted = self.put(background, camera, [self.solids(self.bodies, camera, *placed(poses))])
        return ((1 - GHOST) * background + GHOST * painted).astype(np.uint8)

    def put(self, background, camera, triangles) -> np.ndarray:
        """Triangles are lists of corners (x, y, 1/depth), brightness at corners, and colours."""
        corners, light, colours = (np.concatenate(parts) for parts in zip(*triangles, strict=True))
        seen = np.all(corners[..., 2] > 0, axis=1) & np.all(corners[..., 2] < 1 / camera.near, axis=1)
        (x, y, w), light, colours = np.moveaxis(corners[seen], -1, 0), light[seen], colours[seen].astype(np.float32)
        height, width = background.shape[:2]
        pixels, face = nearest(x, y, w, width, height)
        a, b, c = (part.astype(np.float32)[face] for part in plane(x, y, light))
        row, column = np.divmod(pixels.astype(np.int32), np.int32(width))
        shade = np.clip(a * (column + np.float32(0.5)) + b * (row + np.float32(0.5)) + c, np.float32(0.2), np.float32(1.3))
        image = background.reshape(-1, 3).copy()
        image[pixels] = np.minimum(colours[face] * shade[:, None], 255)
        return image.reshape(background.shape)

    def solids(self, parts: Parts, camera, R, p):
        """What is turned to the eye of all solids."""
        world = np.einsum("vij,vj->vi", R[parts.owner], parts.vertices) + p[parts.owner]
        corners = camera.project(world)[parts.faces]
        (x0, x1, x2), (y0, y1, y2) = corners[..., 0].T, corners[..., 1].T
        front = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0) < 0  # counter-clockwise, and y goes down
        owner, normals = parts.face_owner[front], parts.normals[front]
        towards = lambda direction: np.einsum("fci,fi->fc", normals, (np.swapaxes(R, 1, 2) @ direction)[owner])
        height = 0.5 + 0.5 * towards(self.up)
        light = ALBEDO * (EARTH + (SKY - EARTH) * height + SUN * np.maximum(towards(self.sun), 0))
        return corners[front], light**GAMMA, parts.colours[front]

    def band(self, camera, strip: Strip):
        corners = bands(camera.project(strip.points), self.line * strip.width)
        bright = np.ones(len(strip.points)) if strip.light is None else strip.light
        a, b = bright[:-1], bright[1:]
        light = np.stack([np.stack([a, a, b], axis=1), np.stack([a, b, b], axis=1)], axis=1).reshape(-1, 3)
        return corners, light, np.tile(rgb(strip.colour), (len(corners), 1))


def placed(poses):
    """Rotations and positions of all bodies, and of the ground as the last."""
    R, p = matrices(poses[:, 3:].astype(float)), poses[:, :3].astype(float)
    return np.concatenate([R, np.eye(3)[None]]), np.vstack([p, np.zeros(3)])
