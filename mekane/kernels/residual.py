"""The equations of motion as a residual: what a motion with these accelerations and multipliers leaves unbalanced.
THEORY (E.3), (C.1)

    tau = M ud + bias − laws − Bᵀ λ                     zero in a motion without other forces
    phi, rate, acceleration of every row                zero where the row is active

Run on dual numbers it gives the exact derivatives of all of that along any directions.
"""

from mekane.kernels.articulated_body import body_inertia_and_bias
from mekane.kernels.inverse_dynamics import (
    accelerations_from_ud,
    apply_multipliers,
    forces_on_speeds,
    inverse_inward_pass,
)
from mekane.kernels.joint_loads import read_loads
from mekane.kernels.kinematics import forward_kinematics, state_rates
from mekane.kernels.multipliers import row_acceleration
from mekane.kernels.rhs import apply_laws, clear_loads, evaluate_measurements
from mekane.numba_backend.dual import DIRECTIONS
from mekane.numba_backend.kernel import kernel
from mekane.tables.columns import Y_PHI, Y_RATE
from mekane.tables.tables import FIRST_INPUT, N_LOADS, N_Q, N_ROWS, N_U, N_WORK


@kernel
def equations(T, W, t, q, u, controller, ud, tau, qd, ud_state, acceleration, power):
    """ud: accelerations of the recursion; ud_state: those of the speeds in the state, which differ where these are
    absolute angular velocities (F.2).

    The multipliers stand in W.multiplier, parameters in W.r; phi and rate of the rows are left in W.row. power: rates
    of integrals, then the power of every non-conservative element.
    """
    forward_kinematics(T.body_i, T.body_f, T.primitive_i, T.primitive_f, T.speed_kind, q, u, W.body, W.speed)
    clear_loads(W, t)
    evaluate_measurements(T, W, t, q, u)
    apply_laws(T, W, t, q, u, controller, power)
    apply_multipliers(T.row_i, T.term_i, W.multiplier, W.term, W.body)
    body_inertia_and_bias(T.body_f, W.body)
    accelerations_from_ud(T.body_i, T.speed_kind, W.body, W.speed, ud)
    inverse_inward_pass(T.body_i, W.body, W.wrench)
    forces_on_speeds(T.body_i, T.speed_kind, W.speed, W.wrench, ud, tau)
    for r in range(T.count[N_U]):
        ud_state[r] = ud[r]
    state_rates(T.body_i, T.primitive_i, W.body, q, u, qd, ud_state)
    for y in range(T.count[N_ROWS]):
        acceleration[y] = row_acceleration(y, T.row_i, T.term_i, W.body, W.row, W.term)


@kernel
def equations_at(T, W, registers, x, z):
    """The same with everything that goes in as one list x, and everything that comes out as one list z; see
    solvers.derivatives."""
    n_q, n_u, n_work, n_rows, n_p = (
        T.count[N_Q],
        T.count[N_U],
        T.count[N_WORK],
        T.count[N_ROWS],
        T.count[FIRST_INPUT] - 1,
    )
    u, controller, ud = 1 + n_q, 1 + n_q + n_u, 1 + n_q + n_u + n_work
    multiplier = ud + n_u
    for y in range(n_rows):
        W.multiplier[y] = x[multiplier + y]
    for k in range(n_p):
        W.r[1 + k] = x[multiplier + n_rows + k]
    qd, ud_state, power, acceleration = n_u, n_u + n_q, 2 * n_u + n_q, 2 * n_u + n_q + n_work
    equations(
        T, W, x[0], x[1:u], x[u:controller], x[controller:ud], x[ud:multiplier],
        z[:qd], z[qd:ud_state], z[ud_state:power], z[acceleration : acceleration + n_rows], z[power:acceleration],
    )  # fmt: skip
    phi = acceleration + n_rows
    for y in range(n_rows):
        z[phi + y] = W.row[y, Y_PHI]
        z[phi + n_rows + y] = W.row[y, Y_RATE]
    for k in range(registers.shape[0]):
        z[phi + 2 * n_rows + k] = W.r[registers[k]]
    if T.count[N_LOADS] > 0:
        write_loads(T, W, z[phi + 2 * n_rows + registers.shape[0] :])


@kernel
def write_loads(T, W, out):
    """Load components of joints that limit friction, two for each element of contact laws: from the wrenches that the inward
    pass has left, and the multipliers.  (N.5)"""
    n = T.contact_i.shape[0]
    read_loads(T, W, n)
    for e in range(n):
        for c in range(2):
            out[2 * e + c] = W.load[e, 2 * n + c]


@kernel
def equations_along(T, W, registers, x, directions, lanes_x, lanes_z, x_dual, z_dual, z, derivatives):
    """z, and its derivatives along each of the directions, seven at a time. lanes_x, lanes_z: the memory of the duals,
    as floats."""
    n_x, n_z, n = x.shape[0], z.shape[0], directions.shape[0]
    for first in range(0, max(n, 1), DIRECTIONS):
        some = min(DIRECTIONS, n - first)
        for j in range(n_x):
            lanes_x[j, 0] = x[j]
            for k in range(DIRECTIONS):
                lanes_x[j, 1 + k] = directions[first + k, j] if k < some else 0.0
        equations_at(T, W, registers, x_dual, z_dual)
        for k in range(some):
            for j in range(n_z):
                derivatives[first + k, j] = lanes_z[j, 1 + k]
    for j in range(n_z):
        z[j] = lanes_z[j, 0]
