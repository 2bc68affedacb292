"""From where a mechanism is best viewed."""

import numpy as np

from mekane.model.plane import plane_axes
from mekane.model.values.orientation import canonical_perpendicular

FLAT = 0.03


def up_of(system) -> np.ndarray:
    """Against gravity; z without it."""
    g = np.real(np.array(system.gravity))
    size = np.linalg.norm(g)
    return -g / size + 0.0 if size > 0 else np.array([0.0, 0.0, 1.0])


def normal_of(system, points) -> np.ndarray | None:
    """Of the plane it moves in, as far as that is known at the start; None if it is spatial."""
    if system.plane:
        return plane_axes(system.plane)[:, 2]
    axes = np.array([axis for joint in system.joints.values() for axis in turning_axes(system, joint)])
    if len(axes):
        parallel = np.linalg.norm(np.cross(axes, axes[0]), axis=1).max() < 1e-6
        return axes[0] if parallel else None
    if len(points) < 3:
        return None
    extents, directions = np.linalg.svd(points - points.mean(axis=0))[1:]
    return directions[2] if extents[2] < FLAT * extents[0] < extents[1] else None  # flat, and not a line


def is_one_shaft(system) -> bool:
    """Whether several joints turn about one line, and nothing else moves: seen along it, one would hide the other."""
    joints = list(system.joints.values())
    lines = [(place_of(system, joint), axis) for joint in joints for axis in turning_axes(system, joint)]
    if len(lines) < 2 or len(lines) != len(joints) or any(len(joint.primitives()) != 1 for joint in joints):
        return False
    (first, along), size = lines[0], max(np.linalg.norm(place - lines[0][0]) for place, _ in lines)
    beside = max(np.linalg.norm(np.cross(place - first, along)) for place, _ in lines)
    turned = max(np.linalg.norm(np.cross(axis, along)) for _, axis in lines)
    return bool(size > 0 and beside < 1e-6 * size and turned < 1e-6)


def place_of(system, joint) -> np.ndarray:
    """Of a joint, in the world."""
    body, p = system.bodies.get(joint.a), np.real(np.array(joint.p_AF))
    return p if body is None else np.real(np.array(body.position)) + np.real(np.array(body.R_NB)) @ p


def turning_axes(system, joint):
    """Axes of single turns, in the world."""
    body = system.bodies.get(joint.a)
    R = joint.R_AF if body is None else body.R_NB @ joint.R_AF
    turns = [primitive for primitive in joint.primitives() if primitive.kind in ("rotation", "screw")]
    return [np.real(R @ np.array(turn.axis)) for turn in turns]


def camera(system, points) -> dict:
    """Unit vectors: `towards` from the mechanism to the eye, `up` of the picture."""
    up, normal = up_of(system), normal_of(system, points)
    if normal is None or is_one_shaft(system):
        return camera_data(up, spatial(up))
    if abs(np.dot(normal, up)) > 0.9:  # seen from above, a little from the front
        above = normal * np.sign(np.dot(normal, up))
        top = np.array([0.0, 1.0, 0.0]) if abs(above[1]) < 0.9 else np.array([1.0, 0.0, 0.0])
        return camera_data(top, above - 0.35 * top)
    right = np.cross(up, normal)
    front = normal * np.sign(right[np.argmax(np.abs(right))])  # the largest axis of the world to the right
    return camera_data(up, front + 0.2 * up + 0.25 * np.cross(up, front))


def spatial(up) -> np.ndarray:
    right = canonical_perpendicular(up)
    return 0.6 * right - np.cross(up, right) + 0.55 * up


def camera_data(up, towards) -> dict:
    return {"up": up.tolist(), "towards": (towards / np.linalg.norm(towards)).tolist()}
