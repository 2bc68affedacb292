"""Kane's equations solved in order N: inertia forces of every body, elimination over speeds, accelerations.  THEORY §4,
(E.2)–(E.5)."""

from mekane.algebra.scalar import zero_like
from mekane.algebra.vectors import add, add_to, cross, dot, rotate, rotate_back, scale, sub, sym_times, sym_turned
from mekane.kernels.bodies import (
    acceleration,
    add_bias_force,
    applied_wrench,
    bias_acceleration,
    bias_force,
    from_parent,
    inertia,
    inertia_column,
    mass_properties,
    partial_velocity,
    pose,
    put_acceleration,
    put_bias_force,
    put_inertia,
    put_inertia_column,
    put_six,
    six,
    twist,
)
from mekane.numba_backend.kernel import kernel
from mekane.tables.columns import (
    B_H,
    B_J,
    B_M,
    ONE_ROTATION,
    PARENT,
    PURE_ROTATION,
    S_DI,
    S_E,
    S_ROTOR,
    S_TAU,
    SPEED0,
    SPEED1,
)


@kernel
def body_inertia_and_bias(body_f, body):
    """Rigid inertia of every body about Bo in N axes, and its bias: inertia forces at zero acceleration less applied
    forces (E.2)."""
    for i in range(1, body.shape[0]):
        (R, _), (w, _), (m, mc, I) = pose(body, i), twist(body, i), mass_properties(body_f, i)
        J, c, zero = sym_turned(R, I), rotate(R, mc), zero_like(m)
        moment, force = applied_wrench(body, i)
        coupling = zero, -c[2], c[1], c[2], zero, -c[0], -c[1], c[0], zero
        put_inertia(body, i, J, coupling, (m, m, m, zero, zero, zero))
        put_bias_force(body, i, sub(cross(w, sym_times(J, w)), moment), sub(cross(w, cross(w, c)), force))


@kernel
def less_square(S, x, y):
    """S − x yᵀ where x yᵀ is symmetric."""
    return (
        S[0] - x[0] * y[0],
        S[1] - x[1] * y[1],
        S[2] - x[2] * y[2],
        S[3] - x[0] * y[1],
        S[4] - x[0] * y[2],
        S[5] - x[1] * y[2],
    )


@kernel
def less_outer(H, x, y):
    """H − x yᵀ"""
    return (
        H[0] - x[0] * y[0], H[1] - x[0] * y[1], H[2] - x[0] * y[2],
        H[3] - x[1] * y[0], H[4] - x[1] * y[1], H[5] - x[1] * y[2],
        H[6] - x[2] * y[0], H[7] - x[2] * y[1], H[8] - x[2] * y[2],
    )  # fmt: skip


@kernel
def inward_pass(body_i, speed_kind, body, speed):
    """Articulated inertia and bias, inward from the last body, one speed after the other (E.4)."""
    for i in range(body.shape[0] - 1, 0, -1):
        if body_i[i, ONE_ROTATION] == 1:
            inward_rotation(i, body_i[i, PARENT], body_i[i, SPEED0], body, speed)
        else:
            inward_speeds(i, body_i[i, PARENT], body_i[i, SPEED0], body_i[i, SPEED1], speed_kind, body, speed)


@kernel(inline=True)
def inward_rotation(i, k, r, body, speed):
    """A body with one speed, a rotation about its origin. Its bias acceleration c goes with the rigid inertia:
    IA c = I c − U (U·c) / D."""
    (J, H, M), (n, f), (a, _) = inertia(body, i), bias_force(body, i), partial_velocity(speed, r)
    Uw, Uv = sym_times(J, a), rotate_back(H, a)
    Di = 1.0 / (dot(a, Uw) + speed[r, S_ROTOR])
    e = speed[r, S_TAU] - dot(a, n)
    put_inertia_column(speed, r, Uw, Uv)
    speed[r, S_DI] = Di
    speed[r, S_E] = e
    if k > 0:
        alb, ab = bias_acceleration(body, i)
        x, y = scale(Di, Uw), scale(Di, Uv)
        g = e - dot(Uw, alb) - dot(Uv, ab)
        n = add(add(n, scale(g, x)), add(sym_times(J, alb), rotate(H, ab)))
        f = add(add(f, scale(g, y)), add(rotate_back(H, alb), sym_times(M, ab)))
        J, H, M = less_square(J, Uw, x), less_outer(H, Uw, y), less_square(M, Uv, y)
        shift_to_parent(body, k, from_parent(body, i), J, H, M, n, f)


@kernel
def inward_speeds(i, k, first, end, speed_kind, body, speed):
    """A body with any speeds."""
    (J, H, M), (n, f) = inertia(body, i), bias_force(body, i)
    for r in range(end - 1, first - 1, -1):
        a, b = partial_velocity(speed, r)
        if speed_kind[r] == PURE_ROTATION:
            Uw, Uv = sym_times(J, a), rotate_back(H, a)
            D, bias = dot(a, Uw), dot(a, n)
        else:
            Uw, Uv = add(sym_times(J, a), rotate(H, b)), add(rotate_back(H, a), sym_times(M, b))
            D, bias = dot(a, Uw) + dot(b, Uv), dot(a, n) + dot(b, f)
        J, H, M, n, f = reduce(speed, r, Uw, Uv, D, bias, J, H, M, n, f)
    if k > 0:
        alb, ab = bias_acceleration(body, i)
        n = add(n, add(sym_times(J, alb), rotate(H, ab)))
        f = add(f, add(rotate_back(H, alb), sym_times(M, ab)))
        shift_to_parent(body, k, from_parent(body, i), J, H, M, n, f)


@kernel
def reduce(speed, r, Uw, Uv, D, bias, J, H, M, n, f):
    """Take speed r out: IA −= U Uᵀ / D,  pA += U e / D,  with U = IA S_r, D = S_r·U + rotors, e = τ − S_r·pA."""
    Di = 1.0 / (D + speed[r, S_ROTOR])
    e = speed[r, S_TAU] - bias
    put_inertia_column(speed, r, Uw, Uv)
    speed[r, S_DI] = Di
    speed[r, S_E] = e
    x, y = scale(Di, Uw), scale(Di, Uv)
    return less_square(J, Uw, x), less_outer(H, Uw, y), less_square(M, Uv, y), add(n, scale(e, x)), add(f, scale(e, y))


@kernel(inline=True)
def shift_to_parent(body, k, d, J, H, M, n, f):
    """Shift an articulated inertia and bias by −d, to the parent's origin, and add them there."""
    x, y, z = d
    E = (
        H[0] + y * M[4] - z * M[3], H[1] + y * M[5] - z * M[1], H[2] + y * M[2] - z * M[5],
        H[3] + z * M[0] - x * M[4], H[4] + z * M[3] - x * M[5], H[5] + z * M[4] - x * M[2],
        H[6] + x * M[3] - y * M[0], H[7] + x * M[1] - y * M[3], H[8] + x * M[5] - y * M[4],
    )  # fmt: skip
    body[k, B_J] += J[0] + y * H[2] - z * H[1] - (E[1] * z - E[2] * y)
    body[k, B_J + 1] += J[1] + z * H[3] - x * H[5] - (E[5] * x - E[3] * z)
    body[k, B_J + 2] += J[2] + x * H[7] - y * H[6] - (E[6] * y - E[7] * x)
    body[k, B_J + 3] += J[3] + y * H[5] - z * H[4] - (E[2] * x - E[0] * z)
    body[k, B_J + 4] += J[4] + y * H[8] - z * H[7] - (E[0] * y - E[1] * x)
    body[k, B_J + 5] += J[5] + z * H[6] - x * H[8] - (E[3] * y - E[4] * x)
    add_to(body, k, B_H, (E[0], E[1], E[2]))
    add_to(body, k, B_H + 3, (E[3], E[4], E[5]))
    add_to(body, k, B_H + 6, (E[6], E[7], E[8]))
    add_to(body, k, B_M, (M[0], M[1], M[2]))
    add_to(body, k, B_M + 3, (M[3], M[4], M[5]))
    add_bias_force(body, k, add(n, cross(d, f)), f)


@kernel
def outward_pass(body_i, speed_kind, body, speed, ud):
    """Accelerations outward from the ground, whose own is −gravity (E.5)."""
    for i in range(1, body.shape[0]):
        if body_i[i, ONE_ROTATION] == 1:
            outward_rotation(i, body_i[i, PARENT], body_i[i, SPEED0], body, speed, ud)
        else:
            outward_speeds(i, body_i[i, PARENT], body_i[i, SPEED0], body_i[i, SPEED1], speed_kind, body, speed, ud)


@kernel(inline=True)
def outward_rotation(i, k, r, body, speed, ud):
    """A body with one speed, a rotation. Whatever does not need the parent's acceleration comes first: the next body
    waits for the rest."""
    d, (alb, ab), (Uw, Uv) = from_parent(body, i), bias_acceleration(body, i), inertia_column(speed, r)
    Uw, Uv = scale(speed[r, S_DI], Uw), scale(speed[r, S_DI], Uv)
    own = speed[r, S_DI] * speed[r, S_E] - dot(Uw, alb) - dot(Uv, ab)
    Ud, (w_r, _) = add(Uw, cross(d, Uv)), partial_velocity(speed, r)
    al, a = acceleration(body, k)
    rate = (own - dot(Ud, al)) - dot(Uv, a)
    ud[r] = rate
    put_acceleration(body, i, add(add(al, alb), scale(rate, w_r)), add(add(a, ab), cross(al, d)))


@kernel
def outward_speeds(i, k, first, end, speed_kind, body, speed, ud):
    """A body with any speeds."""
    (al, a), (alb, ab) = acceleration(body, k), bias_acceleration(body, i)
    a = add(add(a, cross(al, from_parent(body, i))), ab)
    al = add(al, alb)
    for r in range(first, end):
        (Uw, Uv), (w_r, v_r) = inertia_column(speed, r), partial_velocity(speed, r)
        rate = (speed[r, S_E] - dot(Uw, al) - dot(Uv, a)) * speed[r, S_DI]
        ud[r] = rate
        al = add(al, scale(rate, w_r))
        if speed_kind[r] != PURE_ROTATION:
            a = add(a, scale(rate, v_r))
    put_acceleration(body, i, al, a)


@kernel(outer=True)
def apply_inverse_mass(body_i, speed_kind, wrench, speed, body, force, x):
    """x = M⁻¹ b, where `force` already holds the eliminated b: (E.5) without bias. `wrench` is used for the
    accelerations."""
    zero, _ = twist(body, 0)
    put_six(wrench, 0, zero, zero)
    for i in range(1, wrench.shape[0]):
        al, a = six(wrench, body_i[i, PARENT])
        a = add(a, cross(al, from_parent(body, i)))
        for r in range(body_i[i, SPEED0], body_i[i, SPEED1]):
            (Uw, Uv), (w_r, v_r) = inertia_column(speed, r), partial_velocity(speed, r)
            x[r] = (force[r] - dot(Uw, al) - dot(Uv, a)) * speed[r, S_DI]
            al = add(al, scale(x[r], w_r))
            if speed_kind[r] != PURE_ROTATION:
                a = add(a, scale(x[r], v_r))
        put_six(wrench, i, al, a)
