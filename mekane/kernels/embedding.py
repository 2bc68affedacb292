"""Constraints embedded: p = n − m equations for the independent speeds, no multipliers.  THEORY §6, (C.2).

Speeds are split into dependent and independent ones by an integer list chosen between evaluations
(solvers/independent). With B_D and B_I the columns of B of either kind,

    ud_D = P ud_I + z,   P = −B_D⁻¹ B_I,   z = B_D⁻¹ γ
    ṽ_r = v_r + Σ_s v_s P_sr        nonholonomic partial velocities, for each independent speed r and every body
    M̃_rs = Σ_B ( ṽ_r, w̃_r )·I_B ( ṽ_s, w̃_s ),   F̃_r = F_r + Σ_s F_s P_sr,   M̃ ud_I = F̃

F being the forces on speeds that are left when the dependent speeds change by z and the others not at all. Everything
is dense: it is meant for mechanisms of a few loops. Multipliers follow afterwards from the equations of the dependent
speeds, B_Dᵀ lam = −F_D.
"""

from mekane.algebra.elimination import solve_transposed, substitute_dependent
from mekane.algebra.ldlt import solve_ldlt
from mekane.algebra.scalar import zero_like
from mekane.algebra.vectors import add, cross, dot, rotate, rotate_back, scale, sym_times
from mekane.kernels.articulated_body import body_inertia_and_bias
from mekane.kernels.bodies import add_six, from_parent, inertia, partial_velocity, put_six, six, twist
from mekane.kernels.contact_guards import write_guards
from mekane.kernels.inverse_dynamics import accelerations_from_ud, driving_power, forces_on_speeds, inverse_inward_pass
from mekane.kernels.kinematics import forward_kinematics, state_rates
from mekane.kernels.multipliers import push_with_row, row_acceleration
from mekane.kernels.rhs import apply_laws, evaluate_measurements
from mekane.numba_backend.kernel import kernel
from mekane.tables.columns import PARENT, PURE_ROTATION, ROW_PATH, S_ROTOR, SPEED0, SPEED1
from mekane.tables.tables import BY_ROW, N_ACTIVE, N_Q, N_ROTORS, N_U, ORDER


@kernel
def rhs_embedded(T, W, t, y, yd):
    """The same right-hand side as `rhs`, by (C.2). Needs speeds split for the active rows."""
    n_q, n_u = T.count[N_Q], T.count[N_U]
    q, u = y[:n_q], y[n_q : n_q + n_u]
    ud = yd[n_q : n_q + n_u]
    power = yd[n_q + n_u :]
    forward_kinematics(T.body_i, T.body_f, T.primitive_i, T.primitive_f, T.speed_kind, q, u, W.body, W.speed)
    evaluate_measurements(T, W, t, q, u)
    apply_laws(T, W, t, q, u, y[n_q + n_u :], power)
    body_inertia_and_bias(T.body_f, W.body)
    solve_dependent(T, W, ud)
    reduce_equations(T, W, ud)
    solve_ldlt(n_u - W.state[N_ACTIVE], n_u, W.reduced)
    recover_speeds(T, W, ud)
    recover_multipliers(T, W, ud)
    driving_power(T.row_i, T.term_i, W.body, W.term, W.multiplier, power)
    state_rates(T.body_i, T.primitive_i, W.body, q, u, yd[:n_q], ud)
    if T.contact_i.shape[0] > 0:
        write_guards(T, W)


@kernel
def solve_dependent(T, W, ud):
    """The active rows solved for the dependent speeds: B_D⁻¹ B_I in place of B_I, and ud = z for independent speeds
    that keep theirs."""
    m, n = W.state[N_ACTIVE], T.count[N_U]
    order, by_row = W.partition[ORDER], W.partition[BY_ROW]
    for r in range(n):
        ud[r] = zero_like(W.regularization[0])
    accelerations_from_ud(T.body_i, T.speed_kind, W.body, W.speed, ud)
    for k in range(m):
        y = by_row[k]
        write_row(
            y, T.path_start, T.path, T.body_i, T.row_i, T.term_i, T.speed_kind, W.body, W.speed, W.term, W.wrench, W.B
        )
        W.B[y, n] = -row_acceleration(y, T.row_i, T.term_i, W.body, W.row, W.term)  # γ
    substitute_dependent(m, n, order, by_row, W.B)
    for k in range(m):
        ud[order[k]] = W.B[by_row[k], n]


@kernel
def write_row(y, path_start, path, body_i, row_i, term_i, speed_kind, body, speed, term, wrench, B):
    """Row y of B over all speeds: its wrenches carried inward, times partial velocities."""
    for r in range(speed.shape[0]):
        B[y, r] = zero_like(B[y, r])
    j = row_i[y, ROW_PATH]
    push_with_row(y, path_start, path, row_i, term_i, body, term, wrench)
    for s in range(path_start[j], path_start[j + 1]):
        i = path[s]
        n, f = six(wrench, i)
        for r in range(body_i[i, SPEED0], body_i[i, SPEED1]):
            w_r, v_r = partial_velocity(speed, r)
            B[y, r] = dot(w_r, n)
            if speed_kind[r] != PURE_ROTATION:
                B[y, r] += dot(v_r, f)
        add_six(wrench, body_i[i, PARENT], add(n, cross(from_parent(body, i), f)), f)


@kernel
def reduce_equations(T, W, ud):
    """M̃ and F̃ of the independent speeds, at the accelerations that follow from the ud given."""
    m, n, bodies = W.state[N_ACTIVE], T.count[N_U], W.body.shape[0]
    z, lacking = W.along[0], W.along[1]
    accelerations_from_ud(T.body_i, T.speed_kind, W.body, W.speed, ud)
    inverse_inward_pass(T.body_i, W.body, W.wrench)
    forces_on_speeds(T.body_i, T.speed_kind, W.speed, W.wrench, ud, lacking)  # −F_r
    for a in range(n - m):
        write_direction(m, W.partition[ORDER], W.partition[BY_ROW], W.B, a, z)
        nonholonomic_partials(T.body_i, T.speed_kind, W.body, W.speed, z, W.partial, a * bodies)
        push(W.body, W.partial, a * bodies, W.wrench)
        for b in range(a + 1):
            W.reduced[a, b] = product(W.partial, b * bodies, W.wrench)
            if T.count[N_ROTORS] > 0:
                W.reduced[a, b] += rotor_product(m, W.partition[ORDER], W.partition[BY_ROW], W.B, b, W.speed, z)
        W.reduced[a, n] = zero_like(W.regularization[0])
        for r in range(n):
            W.reduced[a, n] -= z[r] * lacking[r]


@kernel
def write_direction(m, order, by_row, B, a, z):
    """z: all speeds when the independent speed number a is one and the others are zero; a column of P."""
    for k in range(m, order.shape[0]):
        z[order[k]] = zero_like(z[order[k]])
    z[order[m + a]] = 1.0
    for k in range(m):
        z[order[k]] = -B[by_row[k], order[m + a]]


@kernel
def nonholonomic_partials(body_i, speed_kind, body, speed, z, partial, first):
    """Nonholonomic partial velocities of every body, w̃ and ṽ at Bo, from row `first` on: (K.6) with speeds z."""
    zero, _ = twist(body, 0)
    put_six(partial, first, zero, zero)
    for i in range(1, body.shape[0]):
        w, v = six(partial, first + body_i[i, PARENT])
        v = add(v, cross(w, from_parent(body, i)))
        for r in range(body_i[i, SPEED0], body_i[i, SPEED1]):
            w_r, v_r = partial_velocity(speed, r)
            w = add(w, scale(z[r], w_r))
            if speed_kind[r] != PURE_ROTATION:
                v = add(v, scale(z[r], v_r))
        put_six(partial, first + i, w, v)


@kernel
def push(body, partial, first, wrench):
    """Rigid inertia of every body times its partial velocities. Needs `body_inertia_and_bias`."""
    for i in range(1, body.shape[0]):
        (w, v), (J, H, M) = six(partial, first + i), inertia(body, i)
        put_six(wrench, i, add(sym_times(J, w), rotate(H, v)), add(rotate_back(H, w), sym_times(M, v)))


@kernel
def product(partial, first, wrench):
    """Σ_B ( w̃·moment + ṽ·force )"""
    total = zero_like(partial[first, 0])
    for i in range(1, wrench.shape[0]):
        (w, v), (n, f) = six(partial, first + i), six(wrench, i)
        total = total + dot(w, n) + dot(v, f)
    return total


@kernel
def rotor_product(m, order, by_row, B, b, speed, z):
    """Σ_r z_r (inertia of rotors)_r z'_r, where z' is the direction of the independent speed number b."""
    s = order[m + b]
    total = z[s] * speed[s, S_ROTOR]
    for k in range(m):
        total = total - z[order[k]] * speed[order[k], S_ROTOR] * B[by_row[k], s]
    return total


@kernel
def recover_speeds(T, W, ud):
    """All ud from those of the independent speeds: ud_D = P ud_I + z, z being there already."""
    m, n = W.state[N_ACTIVE], T.count[N_U]
    order, by_row = W.partition[ORDER], W.partition[BY_ROW]
    for a in range(n - m):
        x = W.reduced[a, n]
        ud[order[m + a]] = x
        for k in range(m):
            ud[order[k]] -= W.B[by_row[k], order[m + a]] * x


@kernel
def recover_multipliers(T, W, ud):
    """Multipliers of the active rows from the equations of the dependent speeds, and the accelerations of all
    bodies."""
    m, lacking = W.state[N_ACTIVE], W.along[1]
    accelerations_from_ud(T.body_i, T.speed_kind, W.body, W.speed, ud)
    inverse_inward_pass(T.body_i, W.body, W.wrench)
    forces_on_speeds(T.body_i, T.speed_kind, W.speed, W.wrench, ud, lacking)
    for y in range(W.multiplier.shape[0]):
        W.multiplier[y] = zero_like(W.multiplier[y])
    solve_transposed(m, W.partition[ORDER], W.partition[BY_ROW], W.B, lacking, W.multiplier)
