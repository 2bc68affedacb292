"""Which rows to hold, and how a state is brought back onto them after a step.  THEORY §6, (C.3)."""

import numpy as np

from mekane.algebra.kernel import kernel
from mekane.compile.layout import B_D, B_P, PAIR_B, PERPENDICULAR, PURE_TURN, ROW_KIND, S_DI, S_V, S_W, X_PM, Y_PHI, Y_RATE
from mekane.compile.tables import N_ACTIVE, N_Q, N_ROWS, N_U, REFINEMENTS, REGULAR, V_PIVOT
from mekane.kernels.handle import LOOK, PULL, WEIGH, call
from mekane.kernels.multipliers import gather
from mekane.kernels.projection import make_unit, shift
from mekane.kernels.rhs import factor_rows

INDEPENDENT = 1e-10  # a row whose part not spanned by others is smaller (squared, relative) repeats them
ITERATIONS = 12
LARGEST = 0.1  # a correction moves no coordinate by more, so that it cannot jump to another branch
ROUND_OFF = 2e-15
VANISHING = 1e-8  # of the largest of its kind: a row this small at the start is not scaled up further
WEAK = 1e-4  # pivot below which rows are near dependent
NEAR_SINGULAR = (1e-7, 2)  # softness, refinements there
ONLY_WEIGH, CHOOSE, HOLD = 0.0, 1.0, 2.0  # what else to do after weighing


@kernel(exact=True)
def choose_rows(T, W):
    """List the rows to hold: a largest independent set, by Cholesky with pivoting. Their number never falls during a run.

    A singular position makes independent rows dependent for a moment; they stay in use there, softened.
    Rows already in use are preferred, so that reactions that are not unique do not jump about.
    """
    n, before = T.count[N_ROWS], W.state[N_ACTIVE]
    rest, order, preferred = W.vectors[0], W.order[0], W.order[1]
    for j in range(n):
        order[j], preferred[j] = j, 1
    for j in range(before):
        preferred[W.active[j]] = 2
    gather_all(T, W)
    for j in range(n):
        rest[j] = W.D[j, j]
    count = 0
    while count < n:
        best = count
        for i in range(count, n):
            if rest[order[i]] * preferred[order[i]] > rest[order[best]] * preferred[order[best]]:
                best = i
        order[best], order[count] = order[count], order[best]
        if count >= before and rest[order[count]] < INDEPENDENT:
            break
        take_row(W.D, W.chosen, rest, order, count)
        count += 1
    keep(W.active, order, preferred, count)
    W.state[N_ACTIVE] = count


@kernel
def gather_all(T, W):
    """E and D of all rows."""
    for j in range(T.count[N_ROWS]):
        W.active[j] = j
    gather(
        W.active, T.count[N_ROWS], T.path_start, T.path, T.body_i, T.pair_i, T.row_i, T.speed_kind,
        W.body, W.speed, W.row, W.wrench, W.E, W.force[0], W.scale, W.D,
    )  # fmt: skip


@kernel
def set_scales(T, W):
    """At the start of a run: scales that make the diagonal of D one, but for rows that vanish just there."""
    for j in range(T.count[N_ROWS]):
        W.scale[j] = 1.0
    gather_all(T, W)
    biggest_force, biggest_torque = possible_diagonals(T, W)
    for j in range(T.count[N_ROWS]):
        if T.row_i[j, ROW_KIND] == PERPENDICULAR:
            biggest_torque = max(biggest_torque, W.D[j, j])
        else:
            biggest_force = max(biggest_force, W.D[j, j])
    for j in range(T.count[N_ROWS]):
        biggest = biggest_torque if T.row_i[j, ROW_KIND] == PERPENDICULAR else biggest_force
        W.scale[j] = 1.0 / np.sqrt(max(W.D[j, j], VANISHING * biggest, 1e-100))


@kernel
def possible_diagonals(T, W):
    """Diagonal elements of D that a unit force and a unit torque could have in this mechanism: rows of a kind may all vanish."""
    arm = 0.0
    for i in range(1, W.body.shape[0]):
        for c in range(3):
            arm = max(arm, abs(W.body[i, B_D + c]))
    for j in range(W.pair.shape[0]):
        for c in range(3):
            arm = max(arm, abs(W.pair[j, X_PM + c] - W.body[T.pair_i[j, PAIR_B], B_P + c]))
    force, torque = 0.0, 0.0
    for r in range(W.speed.shape[0]):
        turn, slide = 0.0, 0.0
        for c in range(3):
            turn += W.speed[r, S_W + c] ** 2
            slide += W.speed[r, S_V + c] ** 2 if T.speed_kind[r] != PURE_TURN else 0.0
        force = max(force, (slide + turn * arm * arm) * W.speed[r, S_DI])
        torque = max(torque, turn * W.speed[r, S_DI])
    return force, torque


@kernel(exact=True)
def adjust_scales(active, n, scale, D):
    """Between steps: no diagonal element of D may be more than one."""
    for j in range(n):
        if D[j, j] > 1.0:
            scale[active[j]] /= np.sqrt(D[j, j])


@kernel(exact=True)
def take_row(D, L, rest, order, k):
    """Column k of the Cholesky factor: remove what row order[k] spans from the rows after it."""
    p = order[k]
    L[p, k] = np.sqrt(max(rest[p], 1e-30))
    for i in range(k + 1, order.shape[0]):
        o = order[i]
        x = D[min(o, p), max(o, p)]
        for m in range(k):
            x -= L[o, m] * L[p, m]
        L[o, k] = x / L[p, k]
        rest[o] -= L[o, k] * L[o, k]


@kernel(exact=True)
def keep(active, order, mark, count):
    """The first `count` of `order`, listed in rising order."""
    for j in range(mark.shape[0]):
        mark[j] = 0
    for j in range(count):
        mark[order[j]] = 1
    n = 0
    for j in range(mark.shape[0]):
        if mark[j] == 1:
            active[n] = j
            n += 1


@kernel(exact=True)
def largest(row, column, active, n):
    """Largest absolute value in a column of the active rows."""
    worst = 0.0
    for j in range(n):
        worst = max(worst, abs(row[active[j], column]))
    return worst


@kernel(exact=True)
def largest_of(x):
    worst = 0.0
    for k in range(x.shape[0]):
        worst = max(worst, abs(x[k]))
    return worst


@kernel
def hold_rows(T, W):
    """After `eliminate`: the rows to hold and the factors of their D."""
    if W.state[N_ACTIVE] < T.count[N_ROWS]:
        choose_rows(T, W)
    factor_rows(T, W)
    soften(W.state, W.soft, smallest(W.vectors[V_PIVOT], W.state[N_ACTIVE]))


@kernel
def correct(header, T, W, y, x):
    """Bring q onto the constraints, then u: Newton in the mass metric with one factorisation. Returns the largest move of a coordinate.

    Each of the two iterations stops when its residual is at round-off or no longer falls. `x` is scratch over speeds.
    """
    n_q, n_u = T.count[N_Q], T.count[N_U]
    q, u = y[:n_q], y[n_q : n_q + n_u]
    make_unit(T.block_i, q)
    if T.count[N_ROWS] == 0:
        return 0.0
    call(header, LOOK, 0.0, y, 0)
    call(header, WEIGH, HOLD, 0, 0)
    n, moved, column = W.state[N_ACTIVE], 0.0, Y_PHI
    before = largest(W.row, column, W.active, n)
    for _ in range(ITERATIONS):
        if before > ROUND_OFF:
            call(header, PULL, float(column), x, 0)
            moved += step(T.block_i, q, u, x, column)
            call(header, LOOK, 0.0, y, 0)
        after = largest(W.row, column, W.active, n)
        if after > 0.5 * before or after < ROUND_OFF:
            if column == Y_RATE:
                break
            column = Y_RATE
            after = largest(W.row, column, W.active, n)
        before = after
    adjust_scales(W.active, n, W.scale, W.D)
    return moved


@kernel(exact=True)
def smallest(x, n):
    least = 1.0
    for j in range(n):
        least = min(least, x[j])
    return least


@kernel(exact=True)
def soften(state, soft, pivot):
    """Near a singular position the held rows are softer, until it is passed."""
    if pivot < WEAK:
        soft[0], state[REFINEMENTS] = NEAR_SINGULAR
    else:
        soft[0], state[REFINEMENTS] = REGULAR


@kernel(exact=True)
def step(block_i, q, u, x, column):
    """Apply a correction to the positions or to the speeds. Returns the largest move of a coordinate."""
    if column == Y_RATE:
        for r in range(u.shape[0]):
            u[r] += x[r]
        return 0.0
    size = largest_of(x)
    if size > LARGEST:
        for r in range(x.shape[0]):
            x[r] *= LARGEST / size
    shift(block_i, q, x)
    return min(size, LARGEST)
