"""What a picture of a motion has to show: how far everything comes, whether the camera goes along, where the floor
is."""

from dataclasses import dataclass

import numpy as np

from mekane.model.values.orientation import matrix_from_quaternion
from mekane.view.render.floor import Floor, floor_below
from mekane.view.render.mesh import mesh
from mekane.view.render.projection import Camera, fitted

SAMPLED_FRAMES = 60  # frames that are examined to find out how far the motion comes
SEGMENTS = 16  # of what is round, when examined for that
# sizes of the mechanism; a motion that goes farther would be a dot in the picture of its whole way (page/stage.js)
FAR = 4.0
AWAY = 1.4  # the same for what no joint of the ground keeps in its place, across `up`


@dataclass(frozen=True)
class Framing:
    """Camera and floor of a motion. If the camera follows, it is given relative to the middle of the bodies."""

    camera: Camera
    follows: bool
    floor: Floor

    def camera_at(self, poses) -> Camera:
        """For the poses of one frame."""
        return self.camera.moved(middle(poses)) if self.follows else self.camera


def framing(scene, moved, size) -> Framing:
    """From a scene, the frames of a whole motion, and the pixels across and down."""
    poses = moved.poses[np.unique(np.linspace(0, len(moved) - 1, SAMPLED_FRAMES).astype(int))].astype(float)
    follows = goes_far(scene, moved.box)
    bodies = surface_points(scene, poses)
    visible, fixed = (bodies - middle(poses)[:, None], np.zeros((0, 3))) if follows else (bodies, on_ground(scene))
    points = np.vstack([visible.reshape(-1, 3), fixed, *([] if len(scene.bodies) else [np.array(scene.box)])])
    return Framing(fitted(scene.camera, points, size), follows, floor_below(scene, bodies, np.ptp(points, axis=0)))


def goes_far(scene, box) -> bool:
    """Whether a motion would be small in the picture of its whole way.  box: around the origins of all bodies."""
    extent, up = np.subtract(box[1], box[0]), np.array(scene.up)
    anchored = any(joint.translations == 0 and -1 in (joint.a.body, joint.b.body) for joint in scene.joints)
    across = np.linalg.norm(extent * (1 - np.abs(up)))
    return bool(np.linalg.norm(extent) > FAR * scene.size or (not anchored and across > AWAY * scene.size))


def middle(poses) -> np.ndarray:
    """Mean of the origins of the bodies."""
    return poses[..., :3].astype(float).mean(axis=-2) if poses.shape[-2] else np.zeros(3)


def surface_points(scene, poses) -> np.ndarray:
    """(frame, point, 3): where the surfaces of all bodies come."""
    R, found = matrices(poses[..., 3:]), [np.zeros((len(poses), 0, 3))]
    for k, body in enumerate(scene.bodies):
        for solid in body.solids:
            found.append(poses[:, None, k, :3] + mesh(solid, SEGMENTS).vertices @ np.swapaxes(R[:, k], 1, 2))
    return np.concatenate(found, axis=1)


def on_ground(scene) -> np.ndarray:
    """Points at which the ground holds something, and the surface of what belongs to it."""
    solids = [vertex for solid in scene.ground["solids"] for vertex in mesh(solid, SEGMENTS).vertices]
    attached = [frame.position for joint in scene.joints for frame in (joint.a, joint.b) if frame.body < 0]
    attached += [end.point for force in scene.forces for end in force.ends if end.body < 0]
    attached += [
        end["point"]
        for constraint in scene.constraints
        for end in constraint.points
        if end["body"] < 0 and constraint.look
    ]
    return np.array([*solids, *attached]).reshape(-1, 3)


def matrices(e) -> np.ndarray:
    """Rotation matrices (…, 3, 3) of quaternions (…, 4), which are normalized."""
    e = e / np.linalg.norm(e, axis=-1, keepdims=True)
    return np.moveaxis(matrix_from_quaternion(np.moveaxis(e, -1, 0)), (0, 1), (-2, -1))
