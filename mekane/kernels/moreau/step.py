"""A step of Moreau's method, in the form of Jean.

    q_m = q + ½h q̇(u),    u⁺ = u + h M⁻¹f + M_B⁻¹Wᵀ P,    q⁺ = q_m + ½h q̇(u⁺)                                  (N.17)

f, M, the rows W of contacts and B of joints and constraints are taken at q_m; P solves (N.2) with the velocities at the
end of the step. Order one.
"""

from mekane.kernels.articulated_body import apply_inverse_mass
from mekane.kernels.kinematics import forward_kinematics, state_rates
from mekane.kernels.moreau.elements import find_elements, is_hit, keep_element, let_stick, mark_closing
from mekane.kernels.moreau.gauss_seidel import true_velocity
from mekane.kernels.moreau.memory import (
    ALL_CONTACTS,
    CONTACTS,
    FULL,
    GAINED,
    MISSED,
    MOST_CONTACTS,
    REBOUNDS,
    RESIDUAL,
    TOLERANCE,
    WORST,
    WORST_TIME,
)
from mekane.kernels.moreau.pairs import forget_pairs, keep_pair
from mekane.kernels.moreau.rows import drives_work, write_roots
from mekane.kernels.moreau.search import search
from mekane.kernels.moreau.second_stage import solve_impulses
from mekane.kernels.moreau.split_impacts import solve_whole_impacts
from mekane.kernels.projection import evaluate_kinematics, make_unit, projection_step, to_absolute_angular_velocities
from mekane.kernels.rhs import rhs
from mekane.numba_backend.kernel import kernel
from mekane.tables.columns import B_W, Y_RATE
from mekane.tables.tables import N_ACTIVE, N_Q, N_U

TAKEN, NO_SPACE = 0.0, 1.0
# in place of the length of a step: modes in the discrete state; only what touches is found
SHOW, HIDE, LOOK = -1.0, -2.0, -3.0
INSTANT = 1e-12  # s


@kernel
def moreau_step(T, W, C, t, h, y, middle):
    """From y at time t to the state a step later, in its place. middle: the rates of its coordinates; in their place then
    comes q_m, and the rest of the state after the step as it would be without impulses. NO_SPACE: nothing has changed, because there
    are more contacts than C has space for."""
    n_q, n_u = T.count[N_Q], T.count[N_U]
    t_m = t + 0.5 * h
    q, u, rest = C.q, y[n_q : n_q + n_u], y[n_q + n_u :]
    for i in range(n_q):
        q[i] = y[i] + 0.5 * h * middle[i]
    make_unit(T.primitive_i, q)
    free_motion(T, W, C, t_m, h, q, u, rest)
    write_roots(W, C)
    while True:
        C.counts[CONTACTS], C.counts[FULL], C.counts[REBOUNDS] = 0, 0, 0
        find_elements(T, W, C, h)
        search(T, W, C, h)
        if C.counts[FULL] == 1:
            return NO_SPACE
        solve_whole_impacts(C)
        solve_impulses(C)
        if let_stick(C):
            solve_impulses(C)
        if not impacts_close_others(T, W, C, t_m, h, q):
            break
    book(C, t_m)
    for i in range(n_q):
        middle[i] = q[i]
    for r in range(n_u):
        middle[n_q + r] = C.u[0, r]
    for k in range(rest.shape[0]):
        rest[k] += h * C.yd[n_q + n_u + k]
        middle[n_q + n_u + k] = rest[k]
    take_impulses(T, W, C, rest)
    add_impulses(T, W, C, u)
    forward_kinematics(T.body_i, T.body_f, T.primitive_i, T.primitive_f, T.speed_kind, q, u, W.body, W.speed)
    state_rates(T.body_i, T.primitive_i, W.body, q, u, C.yd[:n_q], C.u[1])
    for i in range(n_q):
        y[i] = q[i] + 0.5 * h * C.yd[i]
    return TAKEN


@kernel
def free_motion(T, W, C, t, h, q, u, rest):
    """C.u[0]: speeds after the step without impulses of contacts; rows and inertias at q stay in W. C.rate: rates of
    all rows with u."""
    n_q, n_u = T.count[N_Q], T.count[N_U]
    y = C.y
    for i in range(n_q):
        y[i] = q[i]
    for r in range(n_u):
        y[n_q + r] = u[r]
    for k in range(rest.shape[0]):
        y[n_q + n_u + k] = rest[k]
    rhs(T, W, t, y, C.yd)
    free = C.u[0]
    keep_rates(W, C)
    for r in range(n_u):
        free[r] = u[r] + h * C.yd[n_q + r]
    evaluate_kinematics(T, W, t, q, free)
    if W.state[N_ACTIVE] > 0:
        projection_step(T, W, Y_RATE, C.u[1])
        for r in range(n_u):
            free[r] += C.u[1, r]
        evaluate_kinematics(T, W, t, q, free)


@kernel
def impacts_close_others(T, W, C, t, h, q):
    """Whether impacts of this step drive elements together that were not in reach: they are marked, to be in the step. All moves
    without impulses after it, as before."""
    if not is_hit(C, h):
        return False
    n_q, n_u = T.count[N_Q], T.count[N_U]
    u = C.y[n_q : n_q + n_u]
    add_impulses(T, W, C, u)
    evaluate_kinematics(T, W, t, q, u)
    closes = mark_closing(T, W, C, h)
    evaluate_kinematics(T, W, t, q, C.u[0])
    return closes


@kernel
def keep_rates(W, C):
    """How rows and bodies move now."""
    for j in range(C.rate.shape[0]):
        C.rate[j] = W.row[j, Y_RATE]
    for i in range(C.twist.shape[0]):
        for c in range(6):
            C.twist[i, c] = W.body[i, B_W + c]


@kernel
def look(T, W, C):
    """Gaps that are closed in the position at hand, of shapes that are searched; the smallest stays in C.numbers. Needs
    articulated inertias."""
    keep_rates(W, C)
    write_roots(W, C)
    C.counts[CONTACTS], C.counts[FULL] = 0, 0
    search(T, W, C, INSTANT)
    return NO_SPACE if C.counts[FULL] == 1 else TAKEN


@kernel
def take_impulses(T, W, C, work):
    """What the contacts have done."""
    forget_pairs(W, C)
    total = 0.0
    for k in range(C.counts[CONTACTS]):
        drives_work(C, k, work)
        if C.element[k] >= 0:
            total += keep_element(T, C, k, true_velocity(C, k), work)
        else:
            total += keep_pair(W, C, k, true_velocity(C, k), work)
    if C.counts[REBOUNDS] > 0 and total > 0.0:
        C.numbers[GAINED] += total


@kernel
def add_impulses(T, W, C, u):
    """u: speeds after the step."""
    force, x = W.force[0], C.u[1]
    for r in range(x.shape[0]):
        force[r] = C.x[r] / C.root[r]
    apply_inverse_mass(T.body_i, T.speed_kind, W.wrench, W.speed, W.body, force, x)
    to_absolute_angular_velocities(T.primitive_i, W.body, W.wrench, x)
    for r in range(x.shape[0]):
        u[r] = C.u[0, r] + x[r]


@kernel
def book(C, t):
    """How it went, for all steps together."""
    contacts = C.counts[CONTACTS]
    C.counts[ALL_CONTACTS] += contacts
    C.counts[MOST_CONTACTS] = max(C.counts[MOST_CONTACTS], contacts)
    if C.numbers[RESIDUAL] > C.numbers[TOLERANCE]:
        C.counts[MISSED] += 1
    if not C.numbers[RESIDUAL] <= C.numbers[WORST]:
        C.numbers[WORST], C.numbers[WORST_TIME] = C.numbers[RESIDUAL], t
