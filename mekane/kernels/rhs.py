"""The right-hand side yd = f(t, y), y = (q, u, integrals, work): a table of contents of the physics."""

from mekane.algebra.scalar import select, zero_like
from mekane.kernels.articulated_body import body_inertia_and_bias, inward_pass, outward_pass
from mekane.kernels.callback import call_back
from mekane.kernels.constraint_rows import pose_pairs, write_expression_rows, write_rows
from mekane.kernels.contact_guards import write_guards
from mekane.kernels.forces import act, nonconservative_power, place_points, read_inputs
from mekane.kernels.friction import add_friction, sliding_friction
from mekane.kernels.inverse_dynamics import (
    accelerations_from_ud,
    apply_multipliers,
    driving_power,
    forces_on_speeds,
    inverse_inward_pass,
    momentum_and_energy,
)
from mekane.kernels.kinematics import forward_kinematics, state_rates
from mekane.kernels.multipliers import factor_rows, row_acceleration, solve, spread_active
from mekane.kernels.row_scales import measure_contact_scales
from mekane.kernels.shared_loads import SHARINGS, make_scales_equal, share_by_load
from mekane.kernels.tape import run_tape
from mekane.numba_backend.kernel import kernel
from mekane.tables.columns import B_FX, B_TX, S_E, S_TAU
from mekane.tables.tables import (
    CALLBACK,
    CONSTRAINT_CODE,
    CONSTRAINT_INPUTS,
    FIRST_INPUT,
    FIRST_RESULT,
    FOLLOWING,
    FROZEN,
    N_ACTIVE,
    N_EXPRESSION_ROWS,
    N_LOADS,
    N_Q,
    N_READ,
    N_REPEATED,
    N_ROWS,
    N_SLIDING,
    N_U,
    REFINEMENTS,
    V_LAM,
    V_PIVOT,
    V_RESIDUAL,
    V_RIGHT,
)


@kernel
def rhs(T, W, t, y, yd):
    """Kane's equations with constraints (C.1), the laws, and the power of every non-conservative element."""
    n_q, n_u = T.count[N_Q], T.count[N_U]
    q, u = y[:n_q], y[n_q : n_q + n_u]
    ud = yd[n_q : n_q + n_u]
    power = yd[n_q + n_u :]
    forward_kinematics(T.body_i, T.body_f, T.primitive_i, T.primitive_f, T.speed_kind, q, u, W.body, W.speed)
    evaluate_measurements(T, W, t, q, u)
    apply_laws(T, W, t, q, u, y[n_q + n_u :], power)
    body_inertia_and_bias(T.body_f, W.body)
    inward_pass(T.body_i, T.speed_kind, W.body, W.speed)
    outward_pass(T.body_i, T.speed_kind, W.body, W.speed, ud)
    if W.state[N_ACTIVE] > 0 or W.state[N_SLIDING] > 0 or T.count[N_LOADS] > 0:
        solve_multipliers(T, W)
        outward_pass(T.body_i, T.speed_kind, W.body, W.speed, ud)
        driving_power(T.row_i, T.term_i, W.body, W.term, W.multiplier, power)
    state_rates(T.body_i, T.primitive_i, W.body, q, u, yd[:n_q], ud)
    if T.contact_i.shape[0] > 0:
        write_guards(T, W)


@kernel
def evaluate_measurements(T, W, t, q, u):
    """Points, lines, joint frames and rows, from where the bodies are and how they move."""
    if T.point_i.shape[0] > 0:
        place_points(T.point_i, T.point_f, T.line_i, W.body, W.point, W.line)
    if T.pair_i.shape[0] > 0:
        pose_pairs(T.pair_i, T.pair_f, W.r, W.body, W.pair)
        write_rows(T.pair_i, T.row_i, T.row_f, W.body, W.pair, W.row, W.term, 0, T.count[N_READ])
    if T.count[N_EXPRESSION_ROWS] > 0:
        read(T, W, t, q, u, u, 0, T.count[CONSTRAINT_INPUTS])
        run_tape(
            T.code, 0, T.count[CONSTRAINT_CODE], T.count[FIRST_RESULT], T.table_i, T.table_f, W.r, W.modes, W.state[FROZEN]
        )  # fmt: skip
        write_expression_rows(T.row_i, T.term_i, W.r, W.row, W.term, T.count[N_ROWS])


@kernel
def read(T, W, t, q, u, controller, begin, end):
    """Channels [begin, end) into the registers of the tape."""
    W.r[0] = t
    elapsed = t - W.measurement_time[0] if W.state[FOLLOWING] == 1 else zero_like(t)
    read_inputs(
        T.input_i,
        begin,
        end,
        q,
        u,
        controller,
        W.body,
        W.row,
        W.point,
        W.line,
        W.measurement,
        W.measurement_rate,
        elapsed,
        T.count[FIRST_INPUT],
        W.r,
    )


@kernel
def clear_loads(W, t):
    """No wrench on any body."""
    for i in range(W.body.shape[0]):
        for c in range(3):
            W.body[i, B_TX + c] = zero_like(t)
            W.body[i, B_FX + c] = zero_like(t)


@kernel
def apply_laws(T, W, t, q, u, controller, power):
    """Applied wrenches and forces on speeds, from the laws of the model. power: rates of integrals and work."""
    for k in range(power.shape[0]):
        power[k] = zero_like(t)
    if (
        T.input_i.shape[0] > T.count[CONSTRAINT_INPUTS]
        or T.code.shape[0] > T.count[CONSTRAINT_CODE]
        or T.action_i.shape[0] > 0
    ):
        clear_loads(W, t)
        for r in range(W.speed.shape[0]):
            W.speed[r, S_TAU] = zero_like(t)
        read(T, W, t, q, u, controller, T.count[CONSTRAINT_INPUTS], T.input_i.shape[0])
        if T.count[CALLBACK] != 0:
            call_back(T.count[CALLBACK], W.r)
        run_tape(
            T.code, T.count[CONSTRAINT_CODE], T.code.shape[0], T.count[FIRST_RESULT], T.table_i, T.table_f, W.r, W.modes, W.state[FROZEN]
        )  # fmt: skip
        act(T.point_i, T.line_i, T.row_i, T.term_i, T.action_i, W.body, W.speed, W.term, W.point, W.line, W.r)
        nonconservative_power(T.point_i, T.action_i, u, W.body, W.row, W.point, W.line, W.r, power)


@kernel
def solve_rows(T, W):
    """V_LAM from V_RIGHT, and their forces on speeds."""
    pivot, right, lam, rest = W.vectors[V_PIVOT], W.vectors[V_RIGHT], W.vectors[V_LAM], W.vectors[V_RESIDUAL]
    solve(W.active, T.d_start, T.d_row, T.l_start, T.l_row, W.D, W.L, pivot, W.state[REFINEMENTS], right, lam, rest)
    spread_active(W.active, T.row_i, T.e_start, T.speed_start, T.path_speed, W.E, lam, W.force[0])


@kernel
def find_smooth_multipliers(T, W):
    """V_LAM: scaled multipliers of the active rows where nothing slides; their forces on speeds."""
    factor_rows(T, W)
    right = W.vectors[V_RIGHT]
    for y in range(right.shape[0]):
        right[y] = zero_like(W.scale[y])
        if W.active[y] != 0:
            acceleration = W.scale[y] * row_acceleration(y, T.row_i, T.term_i, W.body, W.row, W.term)
            right[y] = select(W.active[y], -acceleration, right[y])
    solve_rows(T, W)


@kernel
def find_multipliers(T, W):
    """V_LAM: scaled multipliers of the active rows, with friction of what slides; their forces on speeds."""
    find_smooth_multipliers(T, W)
    if W.state[N_SLIDING] > 0 or T.count[N_LOADS] > 0:
        sliding_friction(T, W)
        spread_active(W.active, T.row_i, T.e_start, T.speed_start, T.path_speed, W.E, W.vectors[V_LAM], W.force[0])


@kernel
def solve_multipliers(T, W):
    """Multipliers of the active rows (C.1), and their effect on the eliminated forces S_E."""
    if W.state[N_REPEATED] > 0:
        measure_contact_scales(T, W, 0)
        make_scales_equal(T, W)
        for _ in range(SHARINGS):
            find_multipliers(T, W)
            share_by_load(T, W)
            if T.count[N_LOADS] > 0:
                # loads of joints were measured with accelerations by these multipliers: those without them again
                outward_pass(T.body_i, T.speed_kind, W.body, W.speed, W.force[3])
    find_multipliers(T, W)
    for y in range(W.multiplier.shape[0]):
        W.multiplier[y] = W.scale[y] * W.vectors[V_LAM, y]
    if W.state[N_SLIDING] > 0:
        add_friction(T, W)
    for r in range(W.speed.shape[0]):
        W.speed[r, S_E] += W.force[0, r]


@kernel
def derive(T, W, t, y, yd, out):
    """After the right-hand side, what results need besides: the wrench each body receives through its tree joint (in
    W.wrench), applied and constraint wrenches together (in W.body), momentum and energy (in `out`)."""
    clear_loads(W, t)  # constraint wrenches of an earlier state may still be there
    rhs(T, W, t, y, yd)
    apply_multipliers(T.row_i, T.term_i, W.multiplier, W.term, W.body)
    body_inertia_and_bias(T.body_f, W.body)
    inverse_inward_pass(T.body_i, W.body, W.wrench)
    momentum_and_energy(T.body_f, W.body, W.speed, y[T.count[N_Q] : T.count[N_Q] + T.count[N_U]], out)


@kernel
def energies(T, W, t, y, power, out):
    """Momentum and energy of a state (in `out`) and the values of all laws (in W.r), without accelerations."""
    n_q, n_u = T.count[N_Q], T.count[N_U]
    q, u = y[:n_q], y[n_q : n_q + n_u]
    forward_kinematics(T.body_i, T.body_f, T.primitive_i, T.primitive_f, T.speed_kind, q, u, W.body, W.speed)
    evaluate_measurements(T, W, t, q, u)
    apply_laws(T, W, t, q, u, y[n_q + n_u :], power)
    body_inertia_and_bias(T.body_f, W.body)
    momentum_and_energy(T.body_f, W.body, W.speed, u, out)


@kernel
def inverse(T, W, t, y, ud, tau, power):
    """Forces on the speeds that the laws leave to be supplied, for a motion with these ud. Constraints are not
    considered.

    Integrals are zero, as at the start of a motion. power: their rates, then that of every non-conservative element."""
    n_q, n_u = T.count[N_Q], T.count[N_U]
    q, u = y[:n_q], y[n_q : n_q + n_u]
    forward_kinematics(T.body_i, T.body_f, T.primitive_i, T.primitive_f, T.speed_kind, q, u, W.body, W.speed)
    evaluate_measurements(T, W, t, q, u)
    apply_laws(T, W, t, q, u, power, power)
    body_inertia_and_bias(T.body_f, W.body)
    accelerations_from_ud(T.body_i, T.speed_kind, W.body, W.speed, ud)
    inverse_inward_pass(T.body_i, W.body, W.wrench)
    forces_on_speeds(T.body_i, T.speed_kind, W.speed, W.wrench, ud, tau)
