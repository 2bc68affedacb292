"""Kinematics by primitives: where every body is, how it moves, and its partial velocities.  THEORY §3, (K.1)–(K.8)."""

from mekane.algebra.scalar import zero_like
from mekane.algebra.vectors import (
    add,
    add_to,
    column,
    cross,
    put,
    rotate,
    rotate_back,
    scale,
    sub,
    times,
    turn_about,
    turn_of,
    vec,
)
from mekane.kernels.bodies import (
    acceleration,
    joint_frame,
    partial_velocity,
    pose,
    put_joint_motion,
    put_pose,
    put_twist,
    twist,
)
from mekane.numba_backend.kernel import kernel
from mekane.tables.columns import (
    AXIS,
    BRYAN,
    GENERAL,
    KIND,
    MIXED,
    ONE_ROTATION,
    PARENT,
    PITCH,
    PRIMITIVE0,
    PRIMITIVE1,
    PRIMITIVE_BODY,
    PRIMITIVE_Q,
    PRIMITIVE_U,
    QUATERNION,
    ROTATED,
    ROTOR,
    S_ROTOR,
    S_V,
    S_W,
    SPEED0,
    SPEED1,
    TRANSLATION,
)


@kernel
def forward_kinematics(body_i, body_f, primitive_i, primitive_f, speed_kind, q, u, body, speed):
    """Positions, velocities, bias accelerations and partial velocities of every body, outward from the ground."""
    for i in range(1, body.shape[0]):
        if body_i[i, ONE_ROTATION] == 1:
            s = body_i[i, PRIMITIVE0]
            forward_rotation(
                i,
                body_i[i, PARENT],
                s,
                primitive_i[s, PRIMITIVE_Q],
                primitive_i[s, PRIMITIVE_U],
                body_f,
                primitive_f,
                q,
                u,
                body,
                speed,
            )
        else:
            forward_primitives(i, body_i, body_f, primitive_i, primitive_f, speed_kind, q, u, body, speed)


@kernel(inline=True)
def forward_rotation(i, k, s, iq, iu, body_f, primitive_f, q, u, body, speed):
    """A body whose joint is one rotation: (K.3), (K.1)."""
    (R, p), (w, v), axis = pose(body, k), twist(body, k), vec(primitive_f, s, AXIS)
    _, p_PF = joint_frame(body_f, i)
    d, a = rotate(R, p_PF), rotate(R, axis)
    h, spin = cross(w, d), scale(u[iu], a)
    put_pose(body, i, times(R, turn_about(axis, q[iq])), add(p, d))
    put_twist(body, i, add(w, spin), add(v, h))
    put_joint_motion(body, i, d, cross(w, spin), cross(w, h))
    put(speed, iu, S_W, a)
    speed[iu, S_ROTOR] = primitive_f[s, ROTOR]


@kernel
def forward_primitives(i, body_i, body_f, primitive_i, primitive_f, speed_kind, q, u, body, speed):
    """A body on any joint, one primitive after the other."""
    k = body_i[i, PARENT]
    (R, p), (w, v), (R_PF, p_PF) = pose(body, k), twist(body, k), joint_frame(body_f, i)
    zero, _ = twist(body, 0)  # of the scalar at hand
    alb = zero
    d = rotate(R, p_PF)
    h = cross(w, d)
    v = add(v, h)  # (K.3)
    ab = cross(w, h)
    if body_i[i, ROTATED] == 1:
        R = times(R, R_PF)
    for s in range(body_i[i, PRIMITIVE0], body_i[i, PRIMITIVE1]):
        kind, iq, iu = primitive_i[s, KIND], primitive_i[s, PRIMITIVE_Q], primitive_i[s, PRIMITIVE_U]
        if kind >= QUATERNION:
            R = times(R, turn_of(q[iq], q[iq + 1], q[iq + 2], q[iq + 3]))
            spin = rotate(R, (u[iu], u[iu + 1], u[iu + 2]))
            if kind == MIXED:
                spin = sub(spin, w)  # (F.2)
            alb = add(alb, cross(w, spin))  # (K.4)
            w = add(w, spin)
            for c in range(3):
                begin_partial(speed, iu + c, column(R, c), 0.0, d)
                speed[iu + c, S_ROTOR] = primitive_f[s, ROTOR]
        else:
            axis = vec(primitive_f, s, AXIS)
            if kind == BRYAN:
                axis = (q[iq + 1], zero_like(q[iq + 1]), 1.0 - q[iq + 1])
            a = rotate(R, axis)
            pitch = primitive_f[s, PITCH]
            speed[iu, S_ROTOR] = primitive_f[s, ROTOR]
            if kind >= TRANSLATION:
                shift, rate = scale(pitch * q[iq], a), scale(pitch * u[iu], a)
                h = cross(w, shift)
                v = add(add(v, h), rate)  # (K.2)
                ab = add(add(ab, cross(alb, shift)), cross(w, add(h, scale(2.0, rate))))
                d = add(d, shift)
            if kind == TRANSLATION:
                put(speed, iu, S_W, zero)
                put(speed, iu, S_V, a)
            else:
                spin = scale(u[iu], a)
                alb = add(alb, cross(w, spin))  # (K.1)
                w = add(w, spin)
                R = times(R, turn_about(axis, q[iq]))
                begin_partial(speed, iu, a, pitch, d)
    for r in range(body_i[i, SPEED0], body_i[i, SPEED1]):
        if speed_kind[r] == GENERAL:
            w_r, _ = partial_velocity(speed, r)
            add_to(speed, r, S_V, cross(w_r, d))  # (K.5)
    put_pose(body, i, R, add(p, d))
    put_twist(body, i, w, v)
    put_joint_motion(body, i, d, alb, ab)


@kernel
def begin_partial(speed, r, a, pitch, d):
    """Partial velocities of a rotational speed: w_r = a, and v_r up to a × (place of Bo), which is known when the joint
    is done (K.5)."""
    put(speed, r, S_W, a)
    put(speed, r, S_V, sub(scale(pitch, a), cross(a, d)))


@kernel
def state_rates(body_i, primitive_i, body, q, u, qd, ud):
    """qd from u: the same number for a screw primitive, (K.8) for Euler parameters; a sequence stays. And ud of
    absolute angular velocities, from alpha_NB: the recursion knows the ud of relative ones (F.2)."""
    for s in range(primitive_i.shape[0]):
        kind, iq, iu = primitive_i[s, KIND], primitive_i[s, PRIMITIVE_Q], primitive_i[s, PRIMITIVE_U]
        if kind >= QUATERNION:
            w = (u[iu], u[iu + 1], u[iu + 2])
            if kind == MIXED:
                i = primitive_i[s, PRIMITIVE_BODY]
                (R, _), (w_P, _), (alpha, _) = pose(body, i), twist(body, body_i[i, PARENT]), acceleration(body, i)
                w = sub(w, rotate_back(R, w_P))
                ud[iu], ud[iu + 1], ud[iu + 2] = rotate_back(R, alpha)
            x, y, z = scale(0.5, w)
            e1, e2, e3, e4 = q[iq], q[iq + 1], q[iq + 2], q[iq + 3]
            qd[iq] = e4 * x - e3 * y + e2 * z
            qd[iq + 1] = e3 * x + e4 * y - e1 * z
            qd[iq + 2] = -e2 * x + e1 * y + e4 * z
            qd[iq + 3] = -e1 * x - e2 * y - e3 * z
        else:
            qd[iq] = u[iu]
            if kind == BRYAN:
                qd[iq + 1] = zero_like(u[iu])
