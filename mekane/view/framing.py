"""What a picture of a motion has to show: how far everything comes, whether the camera goes along, where the floor is."""

from dataclasses import dataclass

import numpy as np

from mekane.model.orientation import frame_with_z, matrix_from_quaternion
from mekane.view.projection import Camera, fitted

LOOKS = 60  # frames that are looked at to find out how far the motion comes
FAR = 4.0  # sizes of the mechanism; a motion that goes farther would be a dot in the picture of its whole way (page/stage.js)
CELLS = 24  # of the floor, as in page/stage.js


@dataclass(frozen=True)
class Floor:
    point: np.ndarray
    axes: np.ndarray  # columns; the third is the normal
    cell: float
    cells: int


@dataclass(frozen=True)
class Framing:
    """Camera and floor of a motion. If the camera follows, it is told relative to the middle of the bodies."""

    camera: Camera
    follows: bool
    floor: Floor

    def camera_at(self, poses) -> Camera:
        """For the poses of one frame."""
        return self.camera.moved(middle(poses)) if self.follows else self.camera


def framing(scene, moved, size) -> Framing:
    """From a scene, the frames of a whole motion, and the pixels across and down."""
    poses = moved.poses[np.unique(np.linspace(0, len(moved) - 1, LOOKS).astype(int))].astype(float)
    low, high = np.array(moved.box)
    follows = bool(np.linalg.norm(high - low) > FAR * scene.size)
    bodies, fixed = reached(scene, poses), on_ground(scene)
    if follows:
        bodies, fixed = bodies - middle(poses)[:, None], np.zeros((0, 3))
    points = np.vstack([bodies.reshape(-1, 3), fixed, *([] if len(scene.bodies) else [np.array(scene.box)])])
    return Framing(fitted(scene.camera, points, size), follows, floor_below(scene, reached(scene, poses), np.ptp(points, axis=0)))


def middle(poses) -> np.ndarray:
    """Mean of the origins of the bodies."""
    return poses[..., :3].astype(float).mean(axis=-2) if poses.shape[-2] else np.zeros(3)


def reached(scene, poses) -> np.ndarray:
    """(frame, point, 3): corners of the boxes around all solids of bodies."""
    owners = [(k, corner) for k, body in enumerate(scene.bodies) for solid in body.solids for corner in solid.corners()]
    if not owners:
        return np.zeros((len(poses), 0, 3))
    bodies, corners = np.array([k for k, _ in owners]), np.array([corner for _, corner in owners])
    return poses[:, bodies, :3] + np.einsum("fpij,pj->fpi", matrices(poses[..., 3:])[:, bodies], corners)


def on_ground(scene) -> np.ndarray:
    """Points at which the ground holds something, and corners of what belongs to it."""
    solids = [corner for solid in scene.ground["solids"] for corner in solid.corners()]
    held = [frame.position for joint in scene.joints for frame in (joint.a, joint.b) if frame.body < 0]
    held += [end.point for force in scene.forces for end in force.ends if end.body < 0]
    held += [end["point"] for constraint in scene.constraints for end in constraint.points if end["body"] < 0 and constraint.look]
    return np.array([*solids, *held]).reshape(-1, 3)


def floor_below(scene, reached, extent) -> Floor:
    """That of the scene; lower where the motion goes through it."""
    point, axes = np.array(scene.ground["floor"]["point"]), frame_with_z(np.array(scene.ground["floor"]["normal"]))
    depth = np.min((reached.reshape(-1, 3) - point) @ axes[:, 2], initial=0.0)
    if depth < -0.05 * scene.size:
        point = point + (depth - 0.05 * scene.size) * axes[:, 2]
    cell = 3 * scene.size / CELLS
    return Floor(point, axes, cell, int(np.clip(np.ceil(1.5 * np.linalg.norm(extent) / cell), CELLS, 4 * CELLS)))


def matrices(e) -> np.ndarray:
    """Rotation matrices (…, 3, 3) of quaternions (…, 4), which are normalized."""
    e = e / np.linalg.norm(e, axis=-1, keepdims=True)
    return np.moveaxis(matrix_from_quaternion(np.moveaxis(e, -1, 0)), (0, 1), (-2, -1))
