"""The mass matrix by composite bodies: all that a body carries, seen as one rigid body.  (E.3)

M_rs = w_s · n_r + v_s · f_r,     (n_r, f_r): moment about Bo and force that accelerate the composite with w_r, v_r
"""

from mekane.algebra.vectors import add, cross, dot, mat, put, put_sym, rotate, scale, sym, sym_times, sym_turned, vec
from mekane.numba_backend.kernel import kernel
from mekane.tables.columns import (
    B_D,
    B_F,
    B_J,
    B_M,
    B_R,
    PARENT,
    PURE_ROTATION,
    S_V,
    S_W,
    SPEED0,
    SPEED1,
    T_I,
    T_MASS,
    T_MC,
)


@kernel
def compose(body_i, body_f, body):
    """Composite inertia about Bo (B_J), first moment (B_F) and mass (B_M) of every body with all that it carries. Needs
    `forward_kinematics`."""
    for i in range(1, body.shape[0]):
        R = mat(body, i, B_R)
        put_sym(body, i, B_J, sym_turned(R, sym(body_f, i, T_I)))
        put(body, i, B_F, rotate(R, vec(body_f, i, T_MC)))
        body[i, B_M] = body_f[i, T_MASS]
    for i in range(body.shape[0] - 1, 0, -1):
        k = body_i[i, PARENT]
        if k > 0:
            d, h, m = vec(body, i, B_D), vec(body, i, B_F), body[i, B_M]
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
            w, h = vec(speed, r, S_W), vec(body, i, B_F)
            f, n = cross(w, h), sym_times(sym(body, i, B_J), w)
            if speed_kind[r] != PURE_ROTATION:
                v = vec(speed, r, S_V)
                f, n = add(f, scale(body[i, B_M], v)), add(n, cross(h, v))
            j = i
            while j > 0:
                for s in range(body_i[j, SPEED0], body_i[j, SPEED1]):
                    M[r, s] = dot(vec(speed, s, S_W), n)
                    if speed_kind[s] != PURE_ROTATION:
                        M[r, s] += dot(vec(speed, s, S_V), f)
                    M[s, r] = M[r, s]
                n = add(n, cross(vec(body, j, B_D), f))
                j = body_i[j, PARENT]
