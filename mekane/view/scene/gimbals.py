"""Gimbals: bodies that rotate about several axes through one point are drawn as rings about it, each round its
children."""

import numpy as np

from mekane.model.geometry.solid import placed
from mekane.model.values.orientation import frame_with_z

ROUND, WIDE, THICK = 1.08, 0.1, 0.12  # inner radius by what is inside; width and thickness by the inner radius


def gimbal_axes(system, attached, body, near: float):
    """Centre and two axes of a body whose points all meet in one, with pins about different axes there; None for all
    others."""
    pins = [
        (p, R @ joint.hinge_axis) for joint in system.joints.values() if joint.hinge_axis is not None
        for name, p, R in ((joint.a, joint.p_AF, joint.R_AF), (joint.b, joint.p_BM, joint.R_BM)) if name == body.name
    ]  # fmt: skip
    if len(pins) < 2 or any(
        np.linalg.norm(np.asarray(point) - pins[0][0]) > near for point in attached.points[body.name]
    ):
        return None
    across = [axis for _, axis in pins[1:] if np.linalg.norm(np.cross(axis, pins[0][1])) > 0.1]
    return (pins[0][0], pins[0][1], across[0]) if across else None


def ring(centre, first, second, inside: float):
    """In the plane of both axes, round everything that reaches `inside` from the centre."""
    normal = np.cross(first, second)
    inner = ROUND * inside
    return placed(
        "ring", (inner, (1 + WIDE) * inner, THICK * inner), centre, frame_with_z(normal / np.linalg.norm(normal))
    )


def extent_from(solids, centre) -> float:
    """How far solids reach from a point of their body; what is round is not taken for the box around it."""
    return max(np.linalg.norm(np.asarray(solid.position) - centre) + own_reach(solid) for solid in solids)


def own_reach(solid) -> float:
    if solid.kind in ("cylinder", "disc", "ring"):
        return float(np.hypot(solid.half[0], solid.half[2]))
    return float(max(solid.half) if solid.kind in ("sphere", "ellipsoid", "capsule") else np.linalg.norm(solid.half))
