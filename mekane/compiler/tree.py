"""The tree as tables: how each body is a child of its parent, and its mass properties about its own origin."""

import numpy as np

from mekane.model.values.orientation import IDENTITY
from mekane.tables import columns as at

KINDS = {
    "rotation": at.ROTATION,
    "bryan": at.BRYAN,
    "translation": at.TRANSLATION,
    "screw": at.SCREW,
    "quaternion": at.QUATERNION,
    "mixed": at.MIXED,
}
COORDINATES = {"quaternion": 4, "mixed": 4, "bryan": 2}  # of a primitive; the others have one
SPEEDS = {"quaternion": 3, "mixed": 3}
PITCHES = {"rotation": 0.0, "translation": 1.0}


def tree_tables(system, links, frames):
    """body_i, body_f, primitive_i, primitive_f, speed_kind, by name; fills `frames`, parents first."""
    body_i, body_f = np.zeros((len(links) + 1, 7), np.int64), np.zeros((len(links) + 1, at.BODY_F), frames.dtype)
    primitive_i, primitive_f, speed_kind = [], [], []
    n_q = 0
    for i, link in enumerate(links, 1):
        R_PF, axes = body_axes(link, frames)
        body_i[i, at.PARENT] = frames.row[link.parent]
        body_i[i, at.ROTATED] = R_PF is not IDENTITY and not np.array_equal(R_PF, IDENTITY)
        body_i[i, at.ONE_ROTATION] = [primitive.kind for primitive in link.primitives] == ["rotation"]
        body_i[i, at.SPEED0], body_i[i, at.PRIMITIVE0] = len(speed_kind), len(primitive_i)
        body_f[i, at.T_P_PF : at.T_P_PF + 3] = frames.point(link.parent, link.p_PF)
        body_f[i, at.T_R_PF : at.T_R_PF + 9] = R_PF.ravel()
        body_f[i, at.T_MASS :] = mass_properties(system.bodies[link.body], frames)
        for number, primitive in enumerate(link.primitives):
            primitive_i.append((KINDS[primitive.kind], n_q, len(speed_kind), i))
            primitive_f.append((*(axes @ primitive.axis), PITCHES.get(primitive.kind, primitive.pitch), 0.0))
            speed_kind += partial_kinds(primitive, link.primitives[number + 1 :])
            n_q += COORDINATES.get(primitive.kind, 1)
        body_i[i, at.SPEED1], body_i[i, at.PRIMITIVE1] = len(speed_kind), len(primitive_i)
    return dict(
        body_i=body_i,
        body_f=body_f,
        primitive_i=np.array(primitive_i, np.int64).reshape(-1, 4),
        primitive_f=np.array(primitive_f, frames.dtype).reshape(-1, at.PRIMITIVE_F),
        speed_kind=np.array(speed_kind, np.int64),
    )


def body_axes(link, frames):
    """Choose the axes of B. On a joint's own turns they are those of the parent at zero coordinates, which spares a
    rotation.

    Returns R_PF as the kernel is to use it, and the axes in which it is to find the primitive's axes.
    """
    R_PF = frames.axes(link.parent, link.R_PF)
    if any(primitive.kind in COORDINATES for primitive in link.primitives):
        R_BM, rotated, axes = IDENTITY, R_PF, IDENTITY
    else:
        R_BM, rotated, axes = R_PF, IDENTITY, R_PF
    R_BU = R_BM @ link.R_BM.T
    frames.set(link.body, R_BU, -R_BU @ link.p_BM)
    return rotated, axes


def partial_kinds(primitive, later):
    """What the partial velocities of the primitive's speeds look like at Bo, given the primitives that follow."""
    if primitive.kind == "translation":
        return [at.PURE_TRANSLATION]
    pure = primitive.kind != "screw" and all(b.kind not in ("translation", "screw") for b in later)
    return [at.PURE_ROTATION if pure else at.GENERAL] * SPEEDS.get(primitive.kind, 1)


def mass_properties(body, frames):
    """Mass, mass × centre, inertia about Bo as (xx, yy, zz, xy, xz, yz); all in B."""
    R = frames.R_BU[frames.row[body.name]]
    c = frames.point(body.name, body.com)
    x, y, z = c
    across = np.array([[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]])  # times its transpose: c·c 1 − c c
    I = R @ body.inertia @ R.T + body.mass * (across @ across.T)
    return [body.mass, *(body.mass * c), I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]]


def path_to_ground(body_i, bodies):
    """Bodies between any of these and the ground, highest number first."""
    path = set()
    for i in bodies:
        while i > 0 and i not in path:
            path.add(int(i))
            i = body_i[i, at.PARENT]
    return sorted(path, reverse=True)


def speeds_on_path(body_i, bodies):
    """Speeds of the bodies between these and the ground, in the order of the path, each body's last one first."""
    return [
        r for i in path_to_ground(body_i, bodies) for r in range(body_i[i, at.SPEED1] - 1, body_i[i, at.SPEED0] - 1, -1)
    ]
