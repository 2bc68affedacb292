"""Bodies and joints. A body with several joints is at the end of a row of bodies without mass, one for each other joint, so
that the mass matrix is exact; the coordinates are those of MuJoCo."""

from __future__ import annotations

import numpy as np

from mekane.errors import ModelError
from mekane.importers.mjcf.geoms import shape_of
from mekane.importers.mjcf.looks import look_of
from mekane.importers.mjcf.reading import Reading
from mekane.importers.mjcf.start import BALL, FREE, HINGE, SLIDE, Motion, motions, rotation_of
from mekane.importers.urdf.report import remark_size
from mekane.importers.urdf.start import rotation_about
from mekane.model.values.inertia import inertia_from
from mekane.model.values.orientation import frame_with_z

HALF_TURN = 3.0  # rad: beyond, an angle is not clear from where bodies are
KINDS = {FREE: "free", BALL: "ball", SLIDE: "slider", HINGE: "pin"}


def add_bodies(reading: Reading) -> None:
    model = reading.model
    where = motions(model, reading.qpos, reading.qvel)
    if len(where) > 1:
        remark_size(reading.report, [row[-1].p for row in where[1:]], "bodies")
    for i in range(1, model.nbody):
        joints = range(model.body_jntadr[i], model.body_jntadr[i] + model.body_jntnum[i])
        row = [reading.names.free(f"{reading.names.joints[j]} frame") for j in joints[:-1]] + [reading.names.bodies[i]]
        for name, motion in zip(row, where[i], strict=True):
            mass = mass_keywords(reading, i) if name == row[-1] else {"massless": True}
            _add_body(reading, name, motion, mass)
        _add_joints(reading, i, joints, [reading.names.bodies[model.body_parentid[i]], *row])


def _add_body(reading: Reading, name: str, motion: Motion, mass: dict) -> None:
    reading.system.body(
        name, **mass, position=motion.p, orientation=motion.R, velocity=motion.v, angular_velocity=motion.w
    )


def mass_keywords(reading: Reading, i: int) -> dict:
    """Keywords of System.body for a body of the model."""
    model, (com, R) = reading.model, inertial_frame(reading, i)
    mass, tensor = float(model.body_mass[i]), R @ np.diag(model.body_inertia[i]) @ R.T
    tensor = 0.5 * (tensor + tensor.T)
    given = {"mass": mass} if mass else {"massless": True}
    given |= {"inertia": tensor, "com": com, "shape": shape_of(reading, i), "look": look_of(reading, i) or None}
    try:
        inertia_from(tensor, "")
    except ModelError as error:
        reading.report.remark(
            f"body {reading.names.bodies[i]!r} has an inertia that no body has, and was accepted: {error.problem}."
        )
        given["unphysical"] = True
    if not mass and not reading.fixed(i):
        reading.report.gather("bodies without mass", reading.names.bodies[i])
    return given


def inertial_frame(reading: Reading, i: int) -> tuple[np.ndarray, np.ndarray]:
    """Mass centre and principal axes in the frame of the body. MuJoCo takes them as the same where they nearly are."""
    model, same = reading.model, reading.mujoco.mjtSameFrame(reading.model.body_sameframe[i]).name
    com = np.zeros(3) if same == "mjSAMEFRAME_BODY" else np.array(model.body_ipos[i])
    turned = same not in ("mjSAMEFRAME_BODY", "mjSAMEFRAME_BODYROT")
    return com, rotation_of(model.body_iquat[i]) if turned else np.eye(3)


# ---------------------------------------------------------------- joints


def _add_joints(reading: Reading, i: int, joints: range, row: list[str]) -> None:
    """row: the parent, and the bodies after each joint."""
    p, R = reading.model.body_pos[i], rotation_of(reading.model.body_quat[i])
    if not joints:
        name = reading.names.free(f"{row[-1]} weld")
        reading.system.weld(name, row[0], row[1], on_a=p, on_b=(0, 0, 0), frame_a=R, frame_b=np.eye(3))
    for j, a, b in zip(joints, row, row[1:], strict=False):
        _add_joint(reading, j, (a, b), p, R)
        p, R = np.zeros(3), np.eye(3)


def _add_joint(reading: Reading, j: int, ends: tuple[str, str], p, R) -> None:
    """p, R: the frame of the body before the joint, in that of body a. The coordinate is MuJoCo's, also where it begins at a
    value other than 0."""
    model, kind, name = reading.model, reading.model.jnt_type[j], reading.names.joints[j]
    anchor, axis, begins = model.jnt_pos[j], model.jnt_axis[j], model.qpos0[model.jnt_qposadr[j]]
    R_BM = frame_with_z(axis) if reading.is_scalar(j) else np.eye(3)
    if kind == FREE:
        p, R, on_b = np.zeros(3), np.eye(3), np.zeros(3)
    elif kind == SLIDE:
        p, on_b = p - R @ axis * begins, np.zeros(3)
    else:
        p, on_b = p + R @ anchor, anchor
    back = rotation_about(axis, -begins) if kind == HINGE else np.eye(3)
    frames = {"on_a": p, "on_b": on_b, "frame_a": R @ back @ R_BM, "frame_b": R_BM}
    getattr(reading.system, KINDS[kind])(name, *ends, **frames)
    q = reading.qpos[model.jnt_qposadr[j]]
    if kind == HINGE and abs(q) > HALF_TURN:
        reading.system.initial_conditions({f"{name}.angle": float(q)})
