"""Forces from motion: accelerations that follow from given ud, the wrench each joint carries, and momentum and energy.
THEORY §4, §10."""

from mekane.algebra.vectors import add, cross, dot, rotate, rotate_back, scale, sym_times
from mekane.kernels.bodies import (
    acceleration,
    add_applied_wrench,
    add_six,
    bias_acceleration,
    bias_force,
    from_parent,
    inertia,
    mass_properties,
    partial_velocity,
    pose,
    put_acceleration,
    put_six,
    six,
    twist,
)
from mekane.numba_backend.kernel import kernel
from mekane.tables.columns import (
    EXPRESSION,
    PARENT,
    PURE_ROTATION,
    ROW_KIND,
    ROW_TERM,
    ROW_TERM_END,
    ROW_WORK,
    S_ROTOR,
    S_TAU,
    SPEED0,
    SPEED1,
    TERM_BODY,
)


@kernel
def accelerations_from_ud(body_i, speed_kind, body, speed, ud):
    """Accelerations of all bodies outward from the ground, for given ud: (K.6) differentiated."""
    for i in range(1, body.shape[0]):
        (al, a), (alb, ab) = acceleration(body, body_i[i, PARENT]), bias_acceleration(body, i)
        a = add(add(a, cross(al, from_parent(body, i))), ab)
        al = add(al, alb)
        for r in range(body_i[i, SPEED0], body_i[i, SPEED1]):
            w_r, v_r = partial_velocity(speed, r)
            al = add(al, scale(ud[r], w_r))
            if speed_kind[r] != PURE_ROTATION:
                a = add(a, scale(ud[r], v_r))
        put_acceleration(body, i, al, a)


@kernel
def apply_multipliers(row_i, term_i, multiplier, term, body):
    """Add the wrenches of all constraint rows to the applied ones."""
    for y in range(multiplier.shape[0]):
        for k in range(row_i[y, ROW_TERM], row_i[y, ROW_TERM_END]):
            n, f = six(term, k)
            add_applied_wrench(body, term_i[k, TERM_BODY], scale(multiplier[y], n), scale(multiplier[y], f))


@kernel
def driving_power(row_i, term_i, body, term, multiplier, power):
    """Add the power of constraint forces that do work: prescribed motions, and rows given for accelerations."""
    for y in range(multiplier.shape[0]):
        if row_i[y, ROW_KIND] == EXPRESSION and row_i[y, ROW_WORK] >= 0:
            for k in range(row_i[y, ROW_TERM], row_i[y, ROW_TERM_END]):
                (n, f), (w, v) = six(term, k), twist(body, term_i[k, TERM_BODY])
                power[row_i[y, ROW_WORK]] += multiplier[y] * (dot(n, w) + dot(f, v))


@kernel
def inverse_inward_pass(body_i, body, wrench):
    """wrench[i]: moment about Bo and force that body i receives through its own joint, by (E.2) inward. Needs
    `body_inertia_and_bias` just before."""
    zero, _ = twist(body, 0)
    for i in range(wrench.shape[0]):
        put_six(wrench, i, zero, zero)
    for i in range(body.shape[0] - 1, 0, -1):
        (J, H, M), (al, a), (n, f) = inertia(body, i), acceleration(body, i), bias_force(body, i)
        n = add(add(sym_times(J, al), rotate(H, a)), n)
        f = add(add(rotate_back(H, al), sym_times(M, a)), f)
        add_six(wrench, i, n, f)
        n, f = six(wrench, i)
        add_six(wrench, body_i[i, PARENT], add(n, cross(from_parent(body, i), f)), f)


@kernel
def forces_on_speeds(body_i, speed_kind, speed, wrench, ud, tau):
    """tau_r = S_r · wrench + rotors' ud_r − what the laws already give: the forces on speeds that the motion still
    needs."""
    for i in range(1, wrench.shape[0]):
        n, f = six(wrench, i)
        for r in range(body_i[i, SPEED0], body_i[i, SPEED1]):
            w_r, v_r = partial_velocity(speed, r)
            tau[r] = dot(w_r, n) + speed[r, S_ROTOR] * ud[r] - speed[r, S_TAU]
            if speed_kind[r] != PURE_ROTATION:
                tau[r] += dot(v_r, f)


@kernel
def momentum_and_energy(body_f, body, speed, u, out):
    """out: kinetic energy, rotors included, potential energy of gravity, linear momentum, angular momentum about No.
    Needs `body_inertia_and_bias` just before."""
    for c in range(8):
        out[c] = 0.0
    for r in range(speed.shape[0]):
        out[0] += 0.5 * speed[r, S_ROTOR] * u[r] * u[r]
    _, ground = acceleration(body, 0)
    gravity = scale(-1.0, ground)
    for i in range(1, body.shape[0]):
        (R, p), (w, v), (J, H, M) = pose(body, i), twist(body, i), inertia(body, i)
        m, mc, _ = mass_properties(body_f, i)
        L = add(sym_times(J, w), rotate(H, v))  # about Bo
        P = add(rotate_back(H, w), sym_times(M, v))
        mp = add(scale(m, p), rotate(R, mc))
        out[0] += 0.5 * (dot(w, L) + dot(v, P))
        out[1] -= dot(gravity, mp)
        L = add(L, cross(p, P))
        out[2], out[3], out[4] = out[2] + P[0], out[3] + P[1], out[4] + P[2]
        out[5], out[6], out[7] = out[5] + L[0], out[6] + L[1], out[7] + L[2]
