"""Kane's equations of a tree solved in order N, (E.2)–(E.5) as in `kernels.articulated_body`, but with the inertia, forces and
accelerations of every body in its own axes.

For traces: what is zero or one leaves no operation behind. In the axes of a body on a pin that is most of it, in those of
the ground nothing. Matrices are nine numbers row by row, symmetric ones six, as in `algebra.vectors`.
"""

from typing import NamedTuple

import numpy as np

from mekane.algebra import vectors
from mekane.algebra.triples import add, cross, dot, scale
from mekane.kernels import articulated_body as dynamics
from mekane.kernels import bodies, kinematics
from mekane.numba_backend.kernel import plain
from mekane.tables.columns import (
    AXIS,
    B_AL,
    B_J,
    BODY_W,
    BRYAN,
    KIND,
    MIXED,
    PARENT,
    PITCH,
    PRIMITIVE0,
    PRIMITIVE1,
    PRIMITIVE_Q,
    PRIMITIVE_U,
    QUATERNION,
    ROTOR,
    S_TAU,
    SPEED_W,
    TRANSLATION,
)
from mekane.tables.tables import N_ACTIVE, N_LOADS, N_SLIDING

rotate, rotate_back, sym_times, sym_turned, times, turn_about, turn_of, vec = (
    plain(getattr(vectors, name))
    for name in ("rotate", "rotate_back", "sym_times", "sym_turned", "times", "turn_about", "turn_of", "vec")
)
pose, put_pose, put_twist, bias_acceleration, applied_wrench, add_applied_wrench, inertia, bias_force, acceleration = (
    plain(getattr(bodies, name))
    for name in (
        "pose", "put_pose", "put_twist", "bias_acceleration", "applied_wrench", "add_applied_wrench", "inertia", "bias_force",
        "acceleration",
    )
)  # fmt: skip
forward_primitives, body_inertia_and_bias = plain(kinematics.forward_primitives), plain(dynamics.body_inertia_and_bias)
shift_to_parent, less_square, less_outer = (
    plain(function) for function in (dynamics.shift_to_parent, dynamics.less_square, dynamics.less_outer)
)
ZERO, IDENTITY = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


class Speed(NamedTuple):
    """A speed of a joint: its number, partial velocities in the axes of the body, inertia of rotors."""

    r: int
    w: tuple
    v: tuple
    rotor: object


class Motion(NamedTuple):
    """Of a body relative to its parent P."""

    R: tuple  # R_PB
    d: tuple  # p_PB, in P
    w: tuple  # w_NB, in B
    alpha: tuple  # bias of alpha_NB, in B
    a: tuple  # bias of a_NB, in P
    speeds: list


class Eliminated(NamedTuple):
    """A speed that was taken out: U, 1/D and e of (E.4)."""

    Uw: tuple
    Uv: tuple
    Di: object
    e: object


def is_possible(T, W):
    """Whether nothing but forces acts on a tree, and all speeds are relative ones."""
    rows = W.state[N_ACTIVE] or W.state[N_SLIDING] or T.count[N_LOADS] or T.contact_i.shape[0]
    return not rows and not np.isin(T.primitive_i[:, KIND], (BRYAN, MIXED)).any()


def accelerations(T, W, q, u):
    """ud after laws have acted: poses, applied wrenches and forces on speeds are in W, in the axes of the ground."""
    motions, body = [None], scratch(T)
    for i in range(1, len(T.body_i)):
        parent = motions[T.body_i[i, PARENT]]
        motions.append(motion_of(T, i, parent.w if parent else ZERO, q, u, body))
    return outward(T, W, motions, inward(T, W, motions))


# ---------------------------------------------------------------- kinematics


def motion_of(T, i, w_P, q, u, body):
    """R, d and a as from a parent in the axes of the ground (K.3); what is in B: (K.1), (K.4)."""
    k, speed = T.body_i[i, PARENT], np.full((len(u), SPEED_W), 0.0, object)
    put_pose(body, k, IDENTITY, ZERO)
    put_twist(body, k, w_P, ZERO)
    forward_primitives(i, T.body_i, T.body_f, T.primitive_i, T.primitive_f, T.speed_kind, q, u, body, speed)
    (R, d), (_, a), primitives = pose(body, i), bias_acceleration(body, i), speeds_of(T, i, q)
    w, alpha = rotate_back(R, w_P), ZERO
    for speeds in primitives:
        spin = ZERO
        for one in speeds:
            spin = add(spin, scale(u[one.r], one.w))
        w, alpha = add(w, spin), add(alpha, cross(w, spin))
    return Motion(R, d, w, alpha, a, [one for speeds in primitives for one in speeds])


def speeds_of(T, i, q):
    """The speeds of each primitive of a joint, the last one first worked out: R and d are from it to the body, in B."""
    found, R, d = [], IDENTITY, ZERO
    for s in range(T.body_i[i, PRIMITIVE1] - 1, T.body_i[i, PRIMITIVE0] - 1, -1):
        (kind, iq, iu), rotor = T.primitive_i[s, [KIND, PRIMITIVE_Q, PRIMITIVE_U]], T.primitive_f[s, ROTOR]
        if kind >= QUATERNION:
            axes = [rotate_back(R, axis) for axis in (IDENTITY[:3], IDENTITY[3:6], IDENTITY[6:])]
            found.append([Speed(iu + c, axes[c], cross(axes[c], d), rotor) for c in range(3)])
            R = times(turn_of(*q[iq : iq + 4]), R)
            continue
        axis, pitch = vec(T.primitive_f, s, AXIS), T.primitive_f[s, PITCH]
        along = rotate_back(R, axis)
        if kind == TRANSLATION:
            found.append([Speed(iu, ZERO, along, rotor)])
        else:
            found.append([Speed(iu, along, add(scale(pitch, along), cross(along, d)), rotor)])
            R = times(turn_about(axis, q[iq]), R)
        d = add(d, scale(pitch * q[iq], along)) if kind >= TRANSLATION else d
    return found[::-1]


# ---------------------------------------------------------------- elimination


def inward(T, W, motions):
    """Articulated inertia and bias, inward from the last body. Returns {speed: Eliminated}."""
    body, found = scratch(T), {}
    for i in range(len(motions) - 1, 0, -1):
        k = T.body_i[i, PARENT]
        add_rigid_body(T, W, i, motions[i].w, body)
        own = *inertia(body, i), *bias_force(body, i)
        for speed in reversed(motions[i].speeds):
            found[speed.r], own = eliminated(speed, W.speed[speed.r, S_TAU], *own)
        if k > 0:
            shift_to_parent(body, k, motions[i].d, *at_joint(motions[i], *own))
    return found


def add_rigid_body(T, W, i, w, body):
    """Inertia and bias of the body itself, in its axes (E.2). When it is needed: what waits is in the way of other numbers."""
    only, (R, _) = np.full((2, BODY_W), 0.0, object), pose(W.body, i)
    put_pose(only, 1, IDENTITY, ZERO)
    put_twist(only, 1, w, ZERO)
    add_applied_wrench(only, 1, *(rotate_back(R, x) for x in applied_wrench(W.body, i)))
    body_inertia_and_bias(T.body_f[[0, i]], only)
    body[i, B_J:B_AL] += only[1, B_J:B_AL]


def scratch(T):
    return np.full((len(T.body_i), BODY_W), 0.0, object)


def eliminated(speed, tau, J, H, M, n, f):
    """Take a speed out: IA −= U Uᵀ / D,  pA += U e / D. Of a rotation about axis k of the body nothing is left in row and column k."""
    a, b = speed.w, speed.v
    Uw, Uv = add(sym_times(J, a), rotate(H, b)), add(rotate_back(H, a), sym_times(M, b))
    Di = 1.0 / (dot(a, Uw) + dot(b, Uv) + speed.rotor)
    e = tau - dot(a, n) - dot(b, f)
    x, y = scale(Di, Uw), scale(Di, Uv)
    J, H, M = less_square(J, Uw, x), less_outer(H, Uw, y), less_square(M, Uv, y)
    return Eliminated(Uw, Uv, Di, e), (J, H, M, add(n, scale(e, x)), add(f, scale(e, y)))


def at_joint(motion, J, H, M, n, f):
    """The same in the axes of the parent, with the bias acceleration."""
    R, a = motion.R, motion.a
    n, f = add(n, sym_times(J, motion.alpha)), add(f, rotate_back(H, motion.alpha))
    J, H, M = sym_turned(R, J), turned(R, H), sym_turned(R, M)
    return J, H, M, add(rotate(R, n), rotate(H, a)), add(rotate(R, f), sym_times(M, a))


def turned(R, H):
    """R H Rᵀ"""
    rows = times(R, H)
    return tuple(x for i in (0, 3, 6) for x in rotate(R, rows[i : i + 3]))


# ---------------------------------------------------------------- accelerations


def outward(T, W, motions, found):
    """ud, from accelerations outward from the ground, whose own is −gravity (E.5)."""
    known, ud = [acceleration(W.body, 0)], np.zeros(len(found), object)
    for i in range(1, len(motions)):
        motion, (al, a) = motions[i], known[T.body_i[i, PARENT]]
        a = rotate_back(motion.R, add(add(a, cross(al, motion.d)), motion.a))
        al = add(rotate_back(motion.R, al), motion.alpha)
        for speed in motion.speeds:
            one = found[speed.r]
            ud[speed.r] = (one.e - dot(one.Uw, al) - dot(one.Uv, a)) * one.Di
            al, a = add(al, scale(ud[speed.r], speed.w)), add(a, scale(ud[speed.r], speed.v))
        known.append((al, a))
    return ud
