"""Coordinates of a formulation from the places of the bodies, and joint coordinates from two frames. Plain NumPy,
outside the time loop."""

from typing import NamedTuple

import numpy as np

from mekane.algebra.scalar import atan2, real
from mekane.compiler.relative_pose import bryan_angles, cosine_between
from mekane.model.values.orientation import quaternion_from_matrix, rotation
from mekane.tables.columns import WEAK_SEQUENCE


class Poses(NamedTuple):
    """Where the users' frames of all bodies are and how they move, by name; world axes."""

    R: dict
    p: dict
    w: dict
    v: dict


def initial_poses(system):
    """As the user specified."""
    bodies = {"ground": system.ground, **system.bodies}
    pick = lambda field: {name: np.array(getattr(body, field)) for name, body in bodies.items()}
    return Poses(pick("R_NB"), pick("position"), pick("angular_velocity"), pick("velocity"))


def joint_frames(joint, poses):
    """R_NF, p_NF, R_NM, p_NM"""
    R_a, R_b = poses.R[joint.a], poses.R[joint.b]
    return R_a @ joint.R_AF, poses.p[joint.a] + R_a @ joint.p_AF, R_b @ joint.R_BM, poses.p[joint.b] + R_b @ joint.p_BM


def measured(measure, R_F, p_F, R_M, p_M):
    """Value of a joint coordinate; angles between −π and π."""
    unit = np.concatenate([R_F.T, R_M.T])
    if measure.kind == "shift":
        return unit[measure.e] @ (p_M - p_F)
    return atan2(unit[measure.of] @ unit[measure.ninety], unit[measure.of] @ unit[measure.zero])


def joint_values(joint, poses):
    """All measures of a joint by name. The angle of a screw is given by how far it has gone."""
    frames = joint_frames(joint, poses)
    values = {m.name: measured(m, *frames) for m in joint.measures()}
    for primitive, name in zip(joint.primitives(), joint.coordinates, strict=False):
        if primitive.kind == "screw":
            gone = frames[0][:, 2] @ (frames[3] - frames[1])
            values[name] += 2 * np.pi * np.round(real(gone / primitive.pitch - values[name]) / (2 * np.pi))
    return values


def near(angle, known):
    """The angle with the whole turns that bring it next to a known one, if one is known."""
    return angle if known is None else angle + 2 * np.pi * np.round(real(known - angle) / (2 * np.pi))


def placed_by_primitives(joint, values):
    """R_FM and p_FM (in F) that the joint's primitives give for these coordinates; none of them is a quaternion."""
    R, p = np.eye(3), np.zeros(3)
    for primitive, name in zip(joint.primitives(), joint.coordinates, strict=True):
        axis = R @ np.asarray(primitive.axis)
        if primitive.kind in ("rotation", "screw"):
            R = R @ rotation(primitive.axis, values[name])
        if primitive.kind in ("translation", "screw"):
            p = p + axis * values[name] * (primitive.pitch if primitive.kind == "screw" else 1.0)
    return R, p


def coordinates_of(compiled, poses):
    """q of these poses; where a tree joint does not fit them exactly, the part it allows."""
    return np.array(list_of_coordinates(compiled, poses), compiled.frames.dtype)


def list_of_coordinates(compiled, poses):
    q = []
    for link in compiled.links:
        R_F, p_F = poses.R[link.parent] @ link.R_PF, poses.p[link.parent] + poses.R[link.parent] @ link.p_PF
        R_M, p_M = poses.R[link.body] @ link.R_BM, poses.p[link.body] + poses.R[link.body] @ link.p_BM
        if any(primitive.kind == "quaternion" for primitive in link.primitives) or link.joint is None:
            q += free_coordinates(link.primitives, R_F.T @ R_M, R_F.T @ (p_M - p_F))
        else:
            joint = compiled.system.joints[link.joint]
            values = joint_values(joint, poses)
            names = reversed(joint.coordinates) if link.swapped else joint.coordinates
            begun = compiled.system._initial_conditions
            q += [near(values[name], begun.get(f"{joint.name}.{name}")) for name in names]
    return q


def free_coordinates(primitives, R, shift):
    """Coordinates of primitives that slide as they may, then turn in every way, or not at all."""
    slides = [x for x, primitive in zip(shift, primitives, strict=False) if primitive.kind == "translation"]
    if primitives[-1].kind == "bryan":
        return [*slides, *sequenced_angles(R)]
    if primitives[-1].kind == "rotation":
        return [*slides, atan2(R[1, 0], R[0, 0])]
    return [*slides, *quaternion_from_matrix(R)] if primitives[-1].kind in ("quaternion", "mixed") else slides


def sequenced_angles(R):
    """θ1, θ2, θ3 and the sequence they are given in: 0 for x-y-z unless it is weak there, else 1 for x-y-x."""
    if real(cosine_between(R)) >= WEAK_SEQUENCE:
        return [*bryan_angles(R), 0.0]
    sine = np.sqrt(R[0, 1] * R[0, 1] + R[0, 2] * R[0, 2])
    return [atan2(R[1, 0], -R[2, 0]), atan2(sine, R[0, 0]), atan2(R[0, 1], R[0, 2]), 1.0]
