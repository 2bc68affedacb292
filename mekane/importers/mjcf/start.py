"""Where a model starts: its bodies, and those between the joints of one body, for positions and speeds of MuJoCo.

MuJoCo has quaternions with the scalar first. The speeds of a free joint are the velocity of the body's origin in world axes
and the angular velocity in body axes; those of a ball joint are the angular velocity in body axes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mekane.errors import ModelError, did_you_mean
from mekane.importers.urdf.start import rotation_about

FREE, BALL, SLIDE, HINGE = range(4)  # types of joints


class Motion(NamedTuple):
    """Of a frame, in world axes."""

    p: np.ndarray
    R: np.ndarray
    v: np.ndarray
    w: np.ndarray


REST = Motion(np.zeros(3), np.eye(3), np.zeros(3), np.zeros(3))


def rotation_of(quaternion) -> np.ndarray:
    """The matrix of a quaternion, scalar first; its length does not matter."""
    w, x, y, z = np.asarray(quaternion, float) / np.linalg.norm(quaternion)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def motions(model, qpos, qvel) -> list[list[Motion]]:
    """For each body of the model its motion after each of its joints; of one without joints, its motion."""
    found = [[REST]]
    for i in range(1, model.nbody):
        parent = found[model.body_parentid[i]][-1]
        here = _carried(parent, model.body_pos[i], rotation_of(model.body_quat[i]))
        after = []
        for j in range(model.body_jntadr[i], model.body_jntadr[i] + model.body_jntnum[i]):
            here = _after_joint(model, j, here, qpos[model.jnt_qposadr[j] :], qvel[model.jnt_dofadr[j] :])
            after.append(here)
        found.append(after or [here])
    return found


def _carried(frame: Motion, p, R) -> Motion:
    """A frame fixed in another one."""
    arm = frame.R @ p
    return Motion(frame.p + arm, frame.R @ R, frame.v + np.cross(frame.w, arm), frame.w)


def _after_joint(model, j: int, before: Motion, q, u) -> Motion:
    kind, anchor, axis = model.jnt_type[j], model.jnt_pos[j], model.jnt_axis[j]
    if kind == FREE:
        R = rotation_of(q[3:7])
        return Motion(np.array(q[:3]), R, np.array(u[:3]), R @ u[3:6])
    if kind == SLIDE:
        along = before.R @ axis
        moved = along * (q[0] - model.qpos0[model.jnt_qposadr[j]])
        v = before.v + np.cross(before.w, moved) + along * u[0]
        return before._replace(p=before.p + moved, v=v)
    if kind == HINGE:
        turned, spin = rotation_about(axis, q[0] - model.qpos0[model.jnt_qposadr[j]]), axis * u[0]
    else:
        turned, spin = rotation_of(q[:4]), u[:3]
    at = _carried(before, anchor, turned)
    after = at._replace(w=at.w + at.R @ spin)
    return _carried(after, -anchor, np.eye(3))


def chosen_start(model, names, keyframe) -> tuple[np.ndarray, np.ndarray, int | None]:
    """qpos and qvel of a keyframe, given by name or number, or where MuJoCo starts; and its number."""
    if keyframe is None:
        return model.qpos0, np.zeros(model.nv), None
    known = [names.given("KEY", i) for i in range(model.nkey)]
    i = known.index(keyframe) if keyframe in known and keyframe else keyframe
    if isinstance(i, bool) or not isinstance(i, int) or not 0 <= i < model.nkey:
        shown = ", ".join(repr(name) if name else str(k) for k, name in enumerate(known))
        there = f"there are {shown}" if known else "the file has none"
        raise ModelError(
            "load_model", f"keyframe is {keyframe!r}", there, did_you_mean(str(keyframe), filter(None, known)).strip()
        )
    return model.key_qpos[i], model.key_qvel[i], i
