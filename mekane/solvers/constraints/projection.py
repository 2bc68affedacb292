"""Which rows to activate, and how a state is brought back onto them after a step.  THEORY §6, (C.3)."""

import numpy as np

from mekane.algebra.scalar import less, maximum, minimum, select
from mekane.kernels.contact_modes import mark_modes
from mekane.kernels.multipliers import factor, factor_rows, gather
from mekane.kernels.projection import make_unit, shift
from mekane.kernels.row_scales import VANISHING, possible_diagonals, pushing
from mekane.numba_backend.kernel import kernel
from mekane.tables.columns import (
    C_NORMAL,
    C_TANGENT,
    C_TANGENTS,
    INCIPIENT,
    OPEN,
    PURE_ROTATION,
    ROW_FLAG,
    S_DI,
    STICKING,
    Y_PHI,
    Y_RATE,
)
from mekane.tables.handle import INERTIAS, KINEMATICS, PROJECTION_STEP, call
from mekane.tables.tables import N_ACTIVE, N_Q, N_REPEATED, N_ROWS, N_U, REFINEMENTS, REGULAR, V_PIVOT, V_WORK

INDEPENDENT = 1e-10  # a row whose part not spanned by others is smaller (squared, relative) repeats them
PREFERRED = 100  # weight: such rows are chosen until what others do not span of them is this much smaller
CLOSED = 1e-12  # [m or rad]
BEFORE_CONTACTS = 10**12  # weight, as `kept`: over that of the smallest independent part
ITERATIONS = 12
LARGEST = 0.1  # a projection moves no coordinate by more, so that it cannot change to another branch
ROUND_OFF = 2e-15
WEAK = 1e-4  # pivot below which rows are near dependent
# weakest pivot of mechanisms without light bodies; where it is smaller, WEAK and regularization are in proportion
ORDINARY = 1e-2
# where rows of contact laws repeat others: round-off over the first is what forces that are not unique err by; what rows
# that do not repeat miss falls by the first over their pivot in each refinement
REPEATED = (1e-6, 10)
NEAR_SINGULAR = 1e-7  # regularization there
# of the weakest pivot: multipliers miss rows by the square of regularization over that pivot after one refinement
INDEPENDENT_ENOUGH = 1e-9
ONLY_INERTIAS, CHOOSE, FACTOR = 0.0, 1.0, 2.0  # what to do after the articulated inertias


@kernel(exact=True)
def choose_rows(T, W):
    """Mark the rows to activate: a largest independent set. Their number never falls during a run.

    A singular position makes independent rows dependent for a moment; they stay active there, regularized.
    Rows already active are preferred, so that neither reactions that are not unique jump about nor, where rows repeat others
    but for rounding in a file, positions. Rows of contact laws are all active, also those that repeat others: their forces are
    then the smallest ones, which their sets are judged by.
    """
    order, kept = W.order[0], W.order[1]
    before = max(W.state[N_ACTIVE] - W.state[N_REPEATED], 0)
    for j in range(T.count[N_ROWS]):
        order[j], kept[j] = j, PREFERRED if W.state[N_ACTIVE] > 0 and W.active[j] == 1 else 0
    mark_modes(T, W)
    gather_all(T, W)
    switch_off(T.row_i, T.d_start, T.d_row, W.r, W.D)
    if W.dense.shape[0] > 0:
        copy_dense(T.d_start, T.d_row, W.D, W.dense)
        if W.state[N_ACTIVE] == 0:
            prefer_closed(W.row, kept)
        prefer_loops(T, kept)
        W.state[N_ACTIVE] = choose_by_size(W.dense, W.chosen, W.vectors[0], order, kept, before)
        mark(W.active, order, W.state[N_ACTIVE])
    else:
        choose_in_order(T, W, kept)
    W.state[N_REPEATED] = add_repeated(T, W)
    W.state[N_ACTIVE] += W.state[N_REPEATED]


@kernel(exact=True)
def prefer_closed(row, kept):
    """At the start rows that are closed are preferred: a run goes on from where another, or an equilibrium, has left a row
    open that repeats others but for rounding."""
    for j in range(kept.shape[0]):
        kept[j] = PREFERRED if abs(row[j, Y_PHI]) < CLOSED else 0


@kernel(exact=True)
def prefer_loops(T, kept):
    """Joints and constraints are chosen before contact laws, whose rows may repeat them: a joint that were left out would have no
    force, and contacts would carry what is its own."""
    n = T.contact_i.shape[0]
    if n > 0:
        for j in range(T.count[N_ROWS]):
            kept[j] = (1 + kept[j]) * BEFORE_CONTACTS
    for e in range(n):
        if T.contact_i[e, C_NORMAL] >= 0:
            kept[T.contact_i[e, C_NORMAL]] //= BEFORE_CONTACTS
        for y in range(T.contact_i[e, C_TANGENT], T.contact_i[e, C_TANGENT] + T.contact_i[e, C_TANGENTS]):
            kept[y] //= BEFORE_CONTACTS


@kernel(exact=True)
def add_repeated(T, W):
    """Activate those rows of contact laws that repeat others. Returns their number."""
    count = 0
    for e in range(T.contact_i.shape[0]):
        normal, first, n = T.contact_i[e, C_NORMAL], T.contact_i[e, C_TANGENT], T.contact_i[e, C_TANGENTS]
        if W.contact[e] != OPEN and normal >= 0 and W.active[normal] == 0:
            W.active[normal] = 1
            count += 1
        if W.contact[e] == INCIPIENT:
            W.active[first] = W.active[first + 1] = 2
        if W.contact[e] == STICKING:
            for y in range(first, first + n):
                if W.active[y] == 0:
                    W.active[y] = 1
                    count += 1
    return count


@kernel(exact=True)
def copy_dense(d_start, d_row, D, dense):
    for j in range(dense.shape[0]):
        for k in range(dense.shape[0]):
            dense[j, k] = 0.0
        for p in range(d_start[j], d_start[j + 1]):
            dense[j, d_row[p]] = dense[d_row[p], j] = D[p]


@kernel(exact=True)
def choose_by_size(D, L, rest, order, kept, before):
    """Cholesky with pivoting: `order` begins with the chosen rows, whose number is returned."""
    n, count = order.shape[0], 0
    for j in range(n):
        rest[j] = D[j, j]
    while count < n:
        best = count
        for i in range(count, n):
            if rest[order[i]] * (1 + kept[order[i]]) > rest[order[best]] * (1 + kept[order[best]]):
                best = i
        order[best], order[count] = order[count], order[best]
        if count >= before and rest[order[count]] < INDEPENDENT:
            break
        take_row(D, L, rest, order, count)
        count += 1
    return count


@kernel(exact=True)
def choose_in_order(T, W, kept):
    """Where rows are many: each row that does not repeat rows before it."""
    factor(
        T.d_start, T.d_row, T.l_start, T.l_row, W.D, W.L, W.vectors[V_PIVOT], W.vectors[V_WORK], 0.0, 0.0, T.row_i, 1, INDEPENDENT,
        W.active, kept,
    )  # fmt: skip
    count = 0
    for j in range(W.active.shape[0]):
        count += W.active[j]
    W.state[N_ACTIVE] = count


@kernel(exact=True)
def switch_off(row_i, d_start, d_row, r, D):
    """Rows whose flag is 0 vanish from D, so that they are not chosen."""
    for j in range(d_start.shape[0] - 1):
        for p in range(d_start[j], d_start[j + 1]):
            if is_off(row_i, r, j) or is_off(row_i, r, d_row[p]):
                D[p] = 0.0


@kernel(exact=True)
def is_off(row_i, r, j):
    return row_i[j, ROW_FLAG] > 0 and r[row_i[j, ROW_FLAG]] == 0.0


@kernel
def gather_all(T, W):
    """E and D of all rows."""
    for j in range(T.count[N_ROWS]):
        W.active[j] = 1
    gather(T, W, W.force[1])


@kernel
def set_scales(T, W):
    """At the start of a run: scales that make the diagonal of D one, but for rows that vanish just there. What pivots were
    judged beside stays if it is smaller: see solvers.constraints.weak_rows."""
    for j in range(T.count[N_ROWS]):
        W.scale[j] = 1.0
    W.regularization[1] = min(W.regularization[1], lightness(T, W))
    gather_all(T, W)
    biggest_force, biggest_torque = possible_diagonals(T, W)
    for j in range(T.count[N_ROWS]):
        if pushing(T.row_i, W.term, j) == 0.0:
            biggest_torque = max(biggest_torque, W.D[T.d_start[j + 1] - 1])
        else:
            biggest_force = max(biggest_force, W.D[T.d_start[j + 1] - 1])
    for j in range(T.count[N_ROWS]):
        biggest = biggest_torque if pushing(T.row_i, W.term, j) == 0.0 else biggest_force
        W.scale[j] = 1.0 / np.sqrt(max(W.D[T.d_start[j + 1] - 1], VANISHING * biggest, 1e-100))


@kernel(exact=True)
def adjust_scales(d_start, active, scale, D):
    """Between steps: no diagonal element of D may be more than one."""
    for j in range(active.shape[0]):
        d = D[d_start[j + 1] - 1]
        if active[j] != 0 and d > 1.0:
            scale[j] /= np.sqrt(d)


@kernel(exact=True)
def take_row(D, L, rest, order, k):
    """Column k of the Cholesky factor: remove what row order[k] spans from the rows after it."""
    p = order[k]
    L[p, k] = np.sqrt(max(rest[p], 1e-30))
    for i in range(k + 1, order.shape[0]):
        o = order[i]
        x = D[o, p]
        for m in range(k):
            x -= L[o, m] * L[p, m]
        L[o, k] = x / L[p, k]
        rest[o] -= L[o, k] * L[o, k]


@kernel(exact=True)
def mark(active, order, count):
    """The first `count` of `order` are active."""
    for j in range(active.shape[0]):
        active[order[j]] = 1 if j < count else 0


@kernel(exact=True)
def largest(row, column, active):
    """Largest absolute value in a column of the active rows."""
    worst = 0.0
    for j in range(active.shape[0]):
        if active[j] == 1:
            worst = max(worst, abs(row[j, column]))
    return worst


@kernel(exact=True)
def largest_of(x):
    worst = 0.0
    for k in range(x.shape[0]):
        worst = max(worst, abs(x[k]))
    return worst


@kernel(exact=True)
def are_chosen(T, W):
    """Whether the rows that are on, and no others, are active, and none of them repeats others: choosing would find them again.
    Where their number was set to zero they are to be chosen."""
    count = 0
    mark_modes(T, W)
    for e in range(T.contact_i.shape[0]):
        if W.contact[e] == INCIPIENT:
            return False
    for j in range(T.count[N_ROWS]):
        count += 1 if W.active[j] != 0 else 0
        if (W.active[j] != 0) == is_off(T.row_i, W.r, j):
            return False
    return W.state[N_REPEATED] == 0 and W.state[N_ACTIVE] == count


@kernel
def factor_active_rows(T, W):
    """After `inward_pass`: the rows to activate and the factors of their D."""
    if W.state[N_ACTIVE] < T.count[N_ROWS] and not are_chosen(T, W):
        choose_rows(T, W)
    factor_rows(T, W)
    pivot = smallest(W.vectors[V_PIVOT])
    regularize(W.state, W.regularization, pivot)
    if T.contact_i.shape[0] > 0 and W.state[N_REPEATED] == 0 and W.regularization[0] < INDEPENDENT_ENOUGH * pivot:
        W.state[REFINEMENTS] = 1


@kernel
def project(header, T, W, t, y, x):
    """Bring q onto the constraints, then u: Newton in the mass metric with one factorisation. Returns the largest move
    of a coordinate.

    Each of the two iterations stops when its residual is at round-off or no longer falls. `x` is scratch over speeds.
    """
    n_q, n_u = T.count[N_Q], T.count[N_U]
    q, u = y[:n_q], y[n_q : n_q + n_u]
    make_unit(T.primitive_i, q)
    if T.count[N_ROWS] == 0:
        return 0.0
    call(header, KINEMATICS, t, y, 0)
    call(header, INERTIAS, FACTOR, 0, 0)
    moved, column = 0.0, Y_PHI
    before = largest(W.row, column, W.active)
    for _ in range(ITERATIONS):
        if before > ROUND_OFF:
            call(header, PROJECTION_STEP, t, x, column)
            moved += step(T.primitive_i, q, u, x, column)
            call(header, KINEMATICS, t, y, 0)
        after = largest(W.row, column, W.active)
        if after > 0.5 * before or after < ROUND_OFF:
            if column == Y_RATE:
                break
            column = Y_RATE
            after = largest(W.row, column, W.active)
        before = after
    adjust_scales(T.d_start, W.active, W.scale, W.D)
    return moved


@kernel(exact=True)
def smallest(x):
    least = 1.0
    for j in range(x.shape[0]):
        least = minimum(least, x[j])
    return least


@kernel(exact=True)
def regularize(state, regularization, pivot):
    """Near a singular position the constrained rows are softer, until it is passed.

    Rows that pass a load on through a light body are nearly dependent in the mass metric wherever they are: their
    pivots are as small as the ratio of masses, and regularization must be small beside them. So pivots are judged
    beside the strongest that the weakest had so far.
    Rows of contact laws that repeat others have pivots of the size of the regularization: no singular position.
    """
    regularization[1] = maximum(regularization[1], pivot)
    share = minimum(1.0, regularization[1] / ORDINARY)
    if state[N_REPEATED] > 0:
        regularization[0], state[REFINEMENTS] = share * REPEATED[0], REPEATED[1]
    else:
        regularization[0], state[REFINEMENTS] = (
            share * select(less(pivot, WEAK * share), NEAR_SINGULAR, REGULAR[0]),
            REGULAR[1],
        )


@kernel
def lightness(T, W):
    """The smallest ratio of inertias that speeds of a kind meet: about the weakest pivot, if the start is a singular
    position."""
    least = 1.0
    for rotational in range(2):
        low, high = np.inf, 0.0
        for r in range(W.speed.shape[0]):
            if (T.speed_kind[r] == PURE_ROTATION) == (rotational == 1):
                low, high = min(low, W.speed[r, S_DI]), max(high, W.speed[r, S_DI])
        if high > 0.0:
            least = min(least, low / high)
    return least


@kernel(exact=True)
def step(primitive_i, q, u, x, column):
    """Apply a projection to the positions or to the speeds. Returns the largest move of a coordinate."""
    if column == Y_RATE:
        for r in range(u.shape[0]):
            u[r] += x[r]
        return 0.0
    size = largest_of(x)
    if size > LARGEST:
        for r in range(x.shape[0]):
            x[r] *= LARGEST / size
    shift(primitive_i, q, x)
    return min(size, LARGEST)
