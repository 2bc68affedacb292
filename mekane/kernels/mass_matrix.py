"""The mass matrix by composite bodies: all that a body carries, seen as one rigid body.  (E.3)

M_rs = w_s · n_r + v_s · f_r,     (n_r, f_r): moment about Bo and force that accelerate the composite with w_r, v_r
"""

from mekane.algebra.vectors import add, cross, dot, put, put_sym, rotate, scale, sym, sym_times, sym_turned, vec
from mekane.kernels.bodies import from_parent, mass_properties, partial_velocity, pose
from mekane.numba_backend.kernel import kernel
from mekane.tables.columns import B_F, B_J, B_M, PARENT, PURE_ROTATION, S_ROTOR, SPEED0, SPEED1


@kernel
def compose(body_i, body_f, body):
    """Composite inertia about Bo (B_J), first moment (B_F) and mass (B_M) of every body with all that it carries. Needs
    `forward_kinematics`."""
    for i in range(1, body.shape[0]):
        (R, _), (m, mc, I) = pose(body, i), mass_properties(body_f, i)
        put_sym(body, i, B_J, sym_turned(R, I))
        put(body, i, B_F, rotate(R, mc))
        body[i, B_M] = m
    for i in range(body.shape[0] - 1, 0, -1):
        k = body_i[i, PARENT]
        if k > 0:
            d, h, m = from_parent(body, i), vec(body, i, B_F), body[i, B_M]
            J, P = sym(body, i, B_J), sym(body, k, B_J)
            across = dot(d, add(scale(m, d), scale(2.0, h)))
            a = add(scale(m, d), h)  # m d dᵀ + d hᵀ + h dᵀ = a dᵀ + d hᵀ
            put_sym(
                body, k, B_J,
                (
                    P[0] + J[0] + across - a[0] * d[0] - d[0] * h[0], P[1] + J[1] + across - a[1] * d[1] - d[1] * h[1],
                    P[2] + J[2] + across - a[2] * d[2] - d[2] * h[2], P[3] + J[3] - a[0] * d[1] - d[0] * h[1],
                    P[4] + J[4] - a[0] * d[2] - d[0] * h[2], P[5] + J[5] - a[1] * d[2] - d[1] * h[2],
                ),
            )  # fmt: skip
            put(body, k, B_F, add(vec(body, k, B_F), a))
            body[k, B_M] += m


@kernel
def mass_matrix(body_i, speed_kind, body, speed, M):
    """Needs `compose`. Entries of speeds on different branches stay as they are."""
    for i in range(1, body.shape[0]):
        for r in range(body_i[i, SPEED0], body_i[i, SPEED1]):
            (w, v), h = partial_velocity(speed, r), vec(body, i, B_F)
            f, n = cross(w, h), sym_times(sym(body, i, B_J), w)
            if speed_kind[r] != PURE_ROTATION:
                f, n = add(f, scale(body[i, B_M], v)), add(n, cross(h, v))
            j = i
            while j > 0:
                for s in range(body_i[j, SPEED0], body_i[j, SPEED1]):
                    w_s, v_s = partial_velocity(speed, s)
                    M[r, s] = dot(w_s, n)
                    if speed_kind[s] != PURE_ROTATION:
                        M[r, s] += dot(v_s, f)
                    M[s, r] = M[r, s]
                n = add(n, cross(from_parent(body, j), f))
                j = body_i[j, PARENT]
            M[r, r] += speed[r, S_ROTOR]
