"""Kinematics by primitives: where every body is, how it moves, and its partial velocities.  THEORY §3, (K.1)–(K.8)."""

from mekane.algebra.vectors import (
    add,
    add_to,
    column,
    cross,
    mat,
    put,
    put_mat,
    rotate,
    rotate_back,
    scale,
    sub,
    times,
    turn_about,
    turn_of,
    vec,
)
from mekane.numba_backend.kernel import kernel
from mekane.tables.columns import (
    AXIS,
    B_AB,
    B_AL,
    B_ALB,
    B_D,
    B_P,
    B_R,
    B_V,
    B_W,
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
    S_V,
    S_W,
    SPEED0,
    SPEED1,
    T_P_PF,
    T_R_PF,
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
    """A body on one turn: (K.3), (K.1)."""
    R, w, axis = mat(body, k, B_R), vec(body, k, B_W), vec(primitive_f, s, AXIS)
    d, a = rotate(R, vec(body_f, i, T_P_PF)), rotate(R, axis)
    h, spin = cross(w, d), scale(u[iu], a)
    put_mat(body, i, B_R, times(R, turn_about(axis, q[iq])))
    put(body, i, B_P, add(vec(body, k, B_P), d))
    put(body, i, B_W, add(w, spin))
    put(body, i, B_V, add(vec(body, k, B_V), h))
    put(body, i, B_D, d)
    put(body, i, B_ALB, cross(w, spin))
    put(body, i, B_AB, cross(w, h))
    put(speed, iu, S_W, a)


@kernel
def forward_primitives(i, body_i, body_f, primitive_i, primitive_f, speed_kind, q, u, body, speed):
    """A body on any joint, one primitive after the other."""
    k = body_i[i, PARENT]
    R, w, v = mat(body, k, B_R), vec(body, k, B_W), vec(body, k, B_V)
    alb = vec(body, 0, B_W)  # zero, of the scalar at hand
    d = rotate(R, vec(body_f, i, T_P_PF))
    h = cross(w, d)
    v = add(v, h)  # (K.3)
    ab = cross(w, h)
    if body_i[i, ROTATED] == 1:
        R = times(R, mat(body_f, i, T_R_PF))
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
        else:
            axis = vec(primitive_f, s, AXIS)
            if kind == BRYAN:
                axis = (q[iq + 1], 0.0 * q[iq + 1], 1.0 - q[iq + 1])
            a = rotate(R, axis)
            pitch = primitive_f[s, PITCH]
            if kind >= TRANSLATION:
                shift, rate = scale(pitch * q[iq], a), scale(pitch * u[iu], a)
                h = cross(w, shift)
                v = add(add(v, h), rate)  # (K.2)
                ab = add(add(ab, cross(alb, shift)), cross(w, add(h, scale(2.0, rate))))
                d = add(d, shift)
            if kind == TRANSLATION:
                put(speed, iu, S_W, vec(body, 0, B_W))
                put(speed, iu, S_V, a)
            else:
                spin = scale(u[iu], a)
                alb = add(alb, cross(w, spin))  # (K.1)
                w = add(w, spin)
                R = times(R, turn_about(axis, q[iq]))
                begin_partial(speed, iu, a, pitch, d)
    for r in range(body_i[i, SPEED0], body_i[i, SPEED1]):
        if speed_kind[r] == GENERAL:
            add_to(speed, r, S_V, cross(vec(speed, r, S_W), d))  # (K.5)
    put_mat(body, i, B_R, R)
    put(body, i, B_P, add(vec(body, k, B_P), d))
    put(body, i, B_W, w)
    put(body, i, B_V, v)
    put(body, i, B_D, d)
    put(body, i, B_ALB, alb)
    put(body, i, B_AB, ab)


@kernel
def begin_partial(speed, r, a, pitch, d):
    """Partial velocities of a turning speed: w_r = a, and v_r up to a × (place of Bo), which is known when the joint is
    done (K.5)."""
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
                R = mat(body, i, B_R)
                w = sub(w, rotate_back(R, vec(body, body_i[i, PARENT], B_W)))
                ud[iu], ud[iu + 1], ud[iu + 2] = rotate_back(R, vec(body, i, B_AL))
            x, y, z = scale(0.5, w)
            e1, e2, e3, e4 = q[iq], q[iq + 1], q[iq + 2], q[iq + 3]
            qd[iq] = e4 * x - e3 * y + e2 * z
            qd[iq + 1] = e3 * x + e4 * y - e1 * z
            qd[iq + 2] = -e2 * x + e1 * y + e4 * z
            qd[iq + 3] = -e1 * x - e2 * y - e3 * z
        else:
            qd[iq] = u[iu]
            if kind == BRYAN:
                qd[iq + 1] = 0.0 * u[iu]
