"""Planar models: what may be in them, and the rows of their joints that act in the plane."""

import numpy as np

from mekane.errors import ModelError
from mekane.expressions.traced_number import reals
from mekane.model.joint import joint_kinds
from mekane.model.plane import plane_axes

TILTED = 1e-9


def check_planar(system):
    """Refuse what would leave the plane."""
    n = plane_axes(system.plane)[:, 2]
    for joint in system.joints.values():
        check_joint(system, joint, n)
    for body in system.bodies.values():
        w, v = reals(body.angular_velocity), reals(body.velocity)
        tilt, out = np.cross(n, w), n @ v
        fastest = max(1.0, np.abs(w).max(), np.abs(v).max())
        if max(np.abs(tilt).max(), abs(out)) > TILTED * fastest:
            problem = (
                f"it moves with velocity {body.velocity.tolist()} and angular velocity {body.angular_velocity.tolist()}"
            )
            raise ModelError(f"body {body.name!r}", problem, f"the model moves in the {system.plane} plane")


def check_joint(system, joint, n):
    """Refuse a joint whose rotations are not about the normal, or whose translations leave the plane."""
    directions = joint.plane_axes()
    if directions is None:
        remedy = f"Use {', '.join(planar_kinds())}, or leave out planar=."
        raise ModelError(
            joint.part, f"it is a {joint.kind}", f"a model in the {system.plane} plane has no use for one", remedy
        )
    for axis, cosine in directions:
        for R in axes_of(system, joint):
            along = R @ axis
            if abs(abs(along @ n) - cosine) > TILTED:
                where = "along the normal of" if cosine else "in"
                problem = f"its axis is {np.round(along, 6).tolist()}"
                raise ModelError(joint.part, problem, f"it must be {where} the {system.plane} plane")


def planar_kinds() -> list[str]:
    """Kinds of joint that move in a plane."""
    return [kind for kind, joint in joint_kinds.items() if joint.specimen().plane_axes() is not None]


def planar_rows(system, joint):
    """Rows of a joint; in a planar model a largest set of them that are independent in the plane."""
    if not system.plane:
        return joint.rows()
    chosen, basis = [], []
    effects = [effect(row, plane_axes(system.plane), *axes_of(system, joint)) for row in joint.rows()]
    for k in sorted(range(len(effects)), key=lambda k: -np.linalg.norm(effects[k])):
        rest = effects[k] - sum(((e @ effects[k]) * e for e in basis), np.zeros(3))
        if np.linalg.norm(rest) > 0.1:
            basis.append(rest / np.linalg.norm(rest))
            chosen.append(k)
    return [joint.rows()[k] for k in sorted(chosen)]


def axes_of(system, joint):
    """Frames F and M of a joint in the initial positions."""
    R_a, R_b = (system.ground.R_NB if name == "ground" else system.bodies[name].R_NB for name in (joint.a, joint.b))
    return reals(R_a @ joint.R_AF), reals(R_b @ joint.R_BM)


def effect(row, axes, R_F, R_M):
    """Force along the plane's two axes and torque about its normal that a row exerts on b."""
    unit = np.concatenate([R_F.T, R_M.T])
    force = np.eye(3)[row.e] if row.kind == "coincide" else unit[row.e]
    if row.kind == "perpendicular":
        return np.array([0.0, 0.0, np.cross(unit[row.m], unit[row.e]) @ axes[:, 2]])
    return np.array([force @ axes[:, 0], force @ axes[:, 1], 0.0])
