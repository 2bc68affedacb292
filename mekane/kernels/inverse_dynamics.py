"""Forces from motion: accelerations that follow from given ud, the wrench each joint carries, and momentum and energy.
THEORY §4, §10."""

from mekane.algebra.vectors import add, add_to, cross, dot, mat, put, rotate, rotate_back, scale, sym, sym_times, vec
from mekane.numba_backend.kernel import kernel
from mekane.tables.columns import (
    B_A,
    B_AB,
    B_AL,
    B_ALB,
    B_D,
    B_F,
    B_FX,
    B_H,
    B_J,
    B_M,
    B_N,
    B_P,
    B_R,
    B_TX,
    B_V,
    B_W,
    EXPRESSION,
    PARENT,
    PURE_ROTATION,
    ROW_KIND,
    ROW_TERM,
    ROW_TERM_END,
    ROW_WORK,
    S_TAU,
    S_V,
    S_W,
    SPEED0,
    SPEED1,
    T_MASS,
    T_MC,
    TERM_BODY,
    Z_F,
    Z_T,
)


@kernel
def accelerations_from_ud(body_i, speed_kind, body, speed, ud):
    """Accelerations of all bodies outward from the ground, for given ud: (K.6) differentiated."""
    for i in range(1, body.shape[0]):
        k = body_i[i, PARENT]
        al, a = vec(body, k, B_AL), vec(body, k, B_A)
        a = add(add(a, cross(al, vec(body, i, B_D))), vec(body, i, B_AB))
        al = add(al, vec(body, i, B_ALB))
        for r in range(body_i[i, SPEED0], body_i[i, SPEED1]):
            al = add(al, scale(ud[r], vec(speed, r, S_W)))
            if speed_kind[r] != PURE_ROTATION:
                a = add(a, scale(ud[r], vec(speed, r, S_V)))
        put(body, i, B_AL, al)
        put(body, i, B_A, a)


@kernel
def apply_multipliers(row_i, term_i, multiplier, term, body):
    """Add the wrenches of all constraint rows to the applied ones."""
    for y in range(multiplier.shape[0]):
        for k in range(row_i[y, ROW_TERM], row_i[y, ROW_TERM_END]):
            add_to(body, term_i[k, TERM_BODY], B_TX, scale(multiplier[y], vec(term, k, Z_T)))
            add_to(body, term_i[k, TERM_BODY], B_FX, scale(multiplier[y], vec(term, k, Z_F)))


@kernel
def driving_power(row_i, term_i, body, term, multiplier, power):
    """Add the power of constraint forces that do work: prescribed motions, and rows given for accelerations."""
    for y in range(multiplier.shape[0]):
        if row_i[y, ROW_KIND] == EXPRESSION and row_i[y, ROW_WORK] >= 0:
            for k in range(row_i[y, ROW_TERM], row_i[y, ROW_TERM_END]):
                i = term_i[k, TERM_BODY]
                rate = dot(vec(term, k, Z_T), vec(body, i, B_W)) + dot(vec(term, k, Z_F), vec(body, i, B_V))
                power[row_i[y, ROW_WORK]] += multiplier[y] * rate


@kernel
def inverse_inward_pass(body_i, body, wrench):
    """wrench[i]: moment about Bo and force that body i receives through its own joint, by (E.2) inward. Needs
    `body_inertia_and_bias` just before."""
    for i in range(wrench.shape[0]):
        put(wrench, i, 0, vec(body, 0, B_W))  # zero
        put(wrench, i, 3, vec(body, 0, B_W))
    for i in range(body.shape[0] - 1, 0, -1):
        al, a, H = vec(body, i, B_AL), vec(body, i, B_A), mat(body, i, B_H)
        n = add(add(sym_times(sym(body, i, B_J), al), rotate(H, a)), vec(body, i, B_N))
        f = add(add(rotate_back(H, al), sym_times(sym(body, i, B_M), a)), vec(body, i, B_F))
        add_to(wrench, i, 0, n)
        add_to(wrench, i, 3, f)
        k = body_i[i, PARENT]
        n, f = vec(wrench, i, 0), vec(wrench, i, 3)
        add_to(wrench, k, 0, add(n, cross(vec(body, i, B_D), f)))
        add_to(wrench, k, 3, f)


@kernel
def forces_on_speeds(body_i, speed_kind, speed, wrench, tau):
    """tau_r = S_r · wrench − what the laws already give: the forces on speeds that the motion still needs."""
    for i in range(1, wrench.shape[0]):
        n, f = vec(wrench, i, 0), vec(wrench, i, 3)
        for r in range(body_i[i, SPEED0], body_i[i, SPEED1]):
            tau[r] = dot(vec(speed, r, S_W), n) - speed[r, S_TAU]
            if speed_kind[r] != PURE_ROTATION:
                tau[r] += dot(vec(speed, r, S_V), f)


@kernel
def momentum_and_energy(body_f, body, out):
    """out: kinetic energy, potential energy of gravity, linear momentum, angular momentum about No. Needs
    `body_inertia_and_bias` just before."""
    for c in range(8):
        out[c] = 0.0
    gravity = scale(-1.0, vec(body, 0, B_A))
    for i in range(1, body.shape[0]):
        w, v, p, H = vec(body, i, B_W), vec(body, i, B_V), vec(body, i, B_P), mat(body, i, B_H)
        L = add(sym_times(sym(body, i, B_J), w), rotate(H, v))  # about Bo
        P = add(rotate_back(H, w), sym_times(sym(body, i, B_M), v))
        mp = add(scale(body_f[i, T_MASS], p), rotate(mat(body, i, B_R), vec(body_f, i, T_MC)))
        out[0] += 0.5 * (dot(w, L) + dot(v, P))
        out[1] -= dot(gravity, mp)
        L = add(L, cross(p, P))
        out[2], out[3], out[4] = out[2] + P[0], out[3] + P[1], out[4] + P[2]
        out[5], out[6], out[7] = out[5] + L[0], out[6] + L[1], out[7] + L[2]
