"""The right-hand side on lanes: several runs of one model at once, by the kernels as they are.

As `mekane.kernels.rhs` has it, without contact laws and Python functions: those branch on numbers, and stay with the
scalar engine. The active rows are the same in all lanes.
"""

from mekane.algebra.scalar import minimum, zero_like
from mekane.kernels.articulated_body import body_inertia_and_bias, inward_pass, outward_pass
from mekane.kernels.inverse_dynamics import driving_power
from mekane.kernels.kinematics import forward_kinematics, state_rates
from mekane.kernels.rhs import apply_laws, evaluate_measurements, find_smooth_multipliers
from mekane.numba_backend.kernel import kernel
from mekane.tables.columns import S_E
from mekane.tables.tables import N_ACTIVE, N_Q, N_U, V_LAM, V_PIVOT


@kernel
def lane_rhs(T, W, t, y, yd):
    """Kane's equations with constraints (C.1), the laws, and the power of every non-conservative element."""
    n_q, n_u = T.count[N_Q], T.count[N_U]
    q, u, qd, ud, power = y[:n_q], y[n_q : n_q + n_u], yd[:n_q], yd[n_q : n_q + n_u], yd[n_q + n_u :]
    forward_kinematics(T.body_i, T.body_f, T.primitive_i, T.primitive_f, T.speed_kind, q, u, W.body, W.speed)
    evaluate_measurements(T, W, t, q, u)
    apply_laws(T, W, t, q, u, y[n_q + n_u :], power)
    body_inertia_and_bias(T.body_f, W.body)
    inward_pass(T.body_i, T.speed_kind, W.body, W.speed)
    outward_pass(T.body_i, T.speed_kind, W.body, W.speed, ud)
    if W.state[N_ACTIVE] > 0:
        add_multipliers(T, W)
        outward_pass(T.body_i, T.speed_kind, W.body, W.speed, ud)
        driving_power(T.row_i, T.term_i, W.body, W.term, W.multiplier, power)
    state_rates(T.body_i, T.primitive_i, W.body, q, u, qd, ud)


@kernel
def add_multipliers(T, W):
    """Multipliers of the active rows, and their effect on the eliminated forces S_E."""
    find_smooth_multipliers(T, W)
    for y in range(W.multiplier.shape[0]):
        W.multiplier[y] = W.scale[y] * W.vectors[V_LAM, y]
    for r in range(W.speed.shape[0]):
        W.speed[r, S_E] += W.force[0, r]


@kernel
def smallest_pivot(W, t):
    """Of the active rows, in each lane; 1 where there are none."""
    least = 1.0 + zero_like(t)
    for y in range(W.active.shape[0]):
        if W.active[y] != 0:
            least = minimum(least, W.vectors[V_PIVOT, y])
    return least
