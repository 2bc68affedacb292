"""Painter: a scene and the poses of one frame become pixels, without a browser."""

import numpy as np

from mekane.view.render.floor import AIR, LINE
from mekane.view.render.pixels import SHADES, Paints, darker, fade, level_of, packed, unpacked
from mekane.view.render.raster import nearest, plane
from mekane.view.render.scene_mesh import Parts
from mekane.view.render.strips import Strip, bands, strips_of
from mekane.view.scene.framing import Framing, matrices

# light from above, from below and from the sun: page/stage.js, its colours as one grey
SKY, EARTH, SUN = 2.2, 0.31 * 2.2, 1.8
ALBEDO = 0.9 / np.pi
GAMMA = 1 / 2.2  # screens are not linear
GHOST = 0.22  # how much is seen of the ghost


class Painter:
    """Paints frames of one scene; a picture is an array (row, column) of pixels."""

    def __init__(self, scene, framing: Framing, line: float):
        self.scene, self.framing, self.line = scene, framing, line  # line: pixels that a line is wide
        self.paints = Paints()
        self.parts, self.bodies = Parts(scene, self.paints, glyphs=True), Parts(scene, self.paints, glyphs=False)
        sun = np.array(scene.up) + np.array(scene.camera["towards"])
        self.sun, self.up = sun / max(np.linalg.norm(sun), 1e-12), np.array(scene.up)

    def paint(self, background, poses, strips: list[Strip] = ()) -> np.ndarray:
        """Over a background: bodies, joints, what is between them, and more strips."""
        camera, (R, p) = self.framing.camera_at(poses), placed(poses)
        place = lambda body, point: R[body] @ np.asarray(point, float) + p[body]
        lines = [self.band(camera, strip) for strip in (*strips_of(self.scene, place, self.sun), *strips)]
        return self.put(self.shadow(background, camera, R, p), camera, [self.solids(self.parts, camera, R, p), *lines])

    def air_and_floor(self, camera, middle) -> np.ndarray:
        """The lines of the floor fade away from the middle."""
        starts, ends, far = self.framing.floor.pieces(middle)
        level = np.repeat((SHADES - 1) * np.maximum(1 - far**2, 0), 2).astype(int)
        corners, image = (
            bands(camera.project(starts), camera.project(ends), 0.6 * self.line),
            np.full(camera.size[::-1], fade(AIR, AIR)[0]),
        )
        seen = seen_by(camera, corners) & (level > 0)
        pixels, face = nearest(*np.moveaxis(corners[seen], -1, 0), *camera.size)
        image.ravel()[pixels] = fade(AIR, LINE)[level[seen][face]]
        return image

    def shadow(self, background, camera, R, p) -> np.ndarray:
        """Straight below the bodies on the floor, if it is seen from above; in pixels of twice the size."""
        floor, parts, image = self.framing.floor, self.bodies, background.copy()
        normal = floor.axes[:, 2]
        if (camera.eye - floor.point) @ normal <= 0:
            return image
        world = np.einsum("vij,vj->vi", R[parts.owner], parts.vertices) + p[parts.owner]
        corners = camera.project(world - ((world - floor.point) @ normal)[:, None] * normal)[parts.faces]
        upper = np.einsum("fi,fi->f", parts.normals[:, 0], (np.swapaxes(R, 1, 2) @ normal)[parts.face_owner]) > 0
        x, y, w = np.moveaxis(corners[upper & seen_by(camera, corners)], -1, 0)
        height, width = image.shape
        row, column = np.divmod(nearest(x / 2, y / 2, w, width // 2, height // 2)[0], width // 2)
        for right in (0, 1, width, width + 1):
            pixels = 2 * row * width + 2 * column + right
            image.ravel()[pixels] = darker(image.ravel()[pixels])
        return image

    def ghost(self, background, camera, poses) -> np.ndarray:
        """Bodies as they stand there, pale."""
        painted = self.put(background.copy(), camera, [self.solids(self.bodies, camera, *placed(poses))])
        return packed((1 - GHOST) * unpacked(background) + GHOST * unpacked(painted))

    def put(self, image, camera, triangles) -> np.ndarray:
        """Over the image: lists of corners (x, y, 1/depth), brightness at corners, and rows in the table of colours."""
        corners, light, paints = (np.concatenate(parts) for parts in zip(*triangles, strict=True))
        seen = seen_by(camera, corners)
        (x, y, w), height, width = np.moveaxis(corners[seen], -1, 0), *image.shape
        pixels, face = nearest(x, y, w, width, height)
        a, b, c = (part.astype(np.float32)[face] for part in plane(x, y, level_of(light[seen]) + 0.5))
        row, column = np.divmod(pixels.astype(np.int32), np.int32(width))
        level = np.clip(a * (column + np.float32(0.5)) + b * (row + np.float32(0.5)) + c, 0, SHADES - 1).astype(
            np.int32
        )
        image.ravel()[pixels] = self.paints.shaded(paints[seen].astype(np.int32)[face], level)
        return image

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
        return corners[front], light**GAMMA, parts.paints[front]

    def band(self, camera, strip: Strip):
        points = camera.project(strip.points)
        corners = bands(points[:-1], points[1:], self.line * strip.width)
        bright = np.ones(len(strip.points)) if strip.light is None else strip.light
        a, b = bright[:-1], bright[1:]
        light = np.stack([a, a, b, a, b, b], axis=1).reshape(-1, 3)
        return corners, light, np.full(len(corners), self.paints.row(strip.colour))


def seen_by(camera, corners) -> np.ndarray:
    """Triangles that are in front of the eye, and not on it."""
    return np.all((corners[..., 2] > 0) & (corners[..., 2] < 1 / camera.near), axis=1)


def placed(poses):
    """Rotations and positions of all bodies, and of the ground as the last."""
    R, p = matrices(poses[:, 3:].astype(float)), poses[:, :3].astype(float)
    return np.concatenate([R, np.eye(3)[None]]), np.vstack([p, np.zeros(3)])
