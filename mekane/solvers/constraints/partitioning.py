"""Which speeds are independent where constraints are embedded: elimination with full pivoting on scaled rows of B.
THEORY §6, (C.2).

Rows are scaled as in (C.1), columns by the inertia that each speed meets, so that a pivot of one is as good as any and
a pivot of zero says that the dependent speeds do not follow from the independent ones. When the weakest pivot has
changed tenfold, or errors grow in the elimination, pivots are chosen anew, and other speeds if they are clearly better.
"""

import numpy as np

from mekane.algebra.elimination import take_pivot
from mekane.kernels.embedding import write_row
from mekane.numba_backend.kernel import kernel
from mekane.tables.columns import S_DI
from mekane.tables.tables import BY_ROW, CHOSEN_ANEW, KEPT, N_ACTIVE, N_DEPENDENT, N_U, ORDER

CHANGED = 10.0  # by this factor: time to look whether other speeds are better
BETTER = 2.0  # by this factor: worth changing to
GROWN = 1e3  # errors in the elimination: time to choose other pivots
SINGULAR = 1e-4  # weakest pivot below which the rows are nearly dependent, whatever speeds are chosen


@kernel(exact=True)
def partition_speeds(T, W, keep):
    """Split the speeds where `evaluate_kinematics` and `evaluate_inertias` have been; returns the weakest pivot. keep =
    1: those marked stay independent."""
    n, m = T.count[N_U], W.state[N_ACTIVE]
    order, by_row = W.partition[ORDER], W.partition[BY_ROW]
    begin(T, W, order, by_row)
    weakest = np.inf
    for k in range(m):
        size, i, j = best_pivot(k, m, n, order, by_row, W.B, W.scale, W.speed, W.partition[KEPT], keep)
        if not size > 0.0:
            return 0.0
        order[j], order[k] = order[k], order[j]
        by_row[i], by_row[k] = by_row[k], by_row[i]
        take_pivot(k, m, n, order, by_row, W.B)
        weakest = min(weakest, size)
    return weakest


@kernel(exact=True)
def begin(T, W, order, by_row):
    """Rows active, and all speeds in the order they stand."""
    count = 0
    for y in range(W.active.shape[0]):
        if W.active[y] == 1 and count < W.state[N_ACTIVE]:
            write_row(
                y,
                T.path_start,
                T.path,
                T.body_i,
                T.row_i,
                T.term_i,
                T.speed_kind,
                W.body,
                W.speed,
                W.term,
                W.wrench,
                W.B,
            )
            W.B[y, order.shape[0]] = 0.0
            by_row[count] = y
            count += 1
    for r in range(order.shape[0]):
        order[r] = r
    W.embedded[N_DEPENDENT] = count


@kernel(exact=True)
def best_pivot(k, m, n, order, by_row, B, scale, speed, kept, keep):
    """Size and place of the largest element left."""
    best, row, column = 0.0, k, k
    for i in range(k, m):
        for j in range(k, n):
            r = order[j]
            if keep == 0 or kept[r] == 0:
                size = pivot_size(B[by_row[i], r], scale[by_row[i]], speed[r, S_DI])
                if size > best:
                    best, row, column = size, i, j
    return best, row, column


@kernel(exact=True)
def pivot_size(x, scale, inverse_inertia):
    return abs(x) * scale * np.sqrt(inverse_inertia)


@kernel(exact=True)
def mark_independent(T, W):
    """From here on these stay independent if possible. Returns 1 if others did before."""
    m, changed = W.state[N_ACTIVE], 0
    order, kept = W.partition[ORDER], W.partition[KEPT]
    for k in range(order.shape[0]):
        now = 1 if k >= m else 0
        if kept[order[k]] != now:
            changed = 1
        kept[order[k]] = now
    return changed


@kernel(exact=True)
def choose_again(T, W):
    """Keep the independent speeds unless others are clearly better; which row settles which speed may change in any
    case."""
    weakest = partition_speeds(T, W, 1)
    best = partition_speeds(T, W, 0)
    if best > BETTER * weakest:
        W.embedded[CHOSEN_ANEW] += mark_independent(T, W)
        weakest = best
    else:
        partition_speeds(T, W, 1)
    W.weakest[0] = weakest


@kernel(exact=True)
def is_partitioned(W):
    """True if speeds are split for the rows now active."""
    if W.embedded[N_DEPENDENT] != W.state[N_ACTIVE]:
        return False
    for k in range(W.state[N_ACTIVE]):
        if W.active[W.partition[BY_ROW, k]] == 0:
            return False
    return True


@kernel(exact=True)
def weakest_pivot(W):
    """Of the factors of B_D that an evaluation has left; 0 if one is no number. Inertias are those of the last choice
    or later."""
    weakest = np.inf
    for k in range(W.state[N_ACTIVE]):
        y, r = W.partition[BY_ROW, k], W.partition[ORDER, k]
        size = pivot_size(W.B[y, r], W.scale[y], W.speed[r, S_DI])
        if not size >= 0.0:
            return 0.0
        weakest = min(weakest, size)
    return weakest


@kernel(exact=True)
def growth(W, x):
    """How much errors grow in the elimination that an evaluation has left: the largest element of L⁻¹ e, for the worst
    signs of e.

    Pivots do not tell it. In a chain of loops every pivot may still be good where their order no longer is: errors grow
    from loop to loop.
    x: space, a number for each row.
    """
    largest, order, by_row = 1.0, W.partition[ORDER], W.partition[BY_ROW]
    for i in range(W.state[N_ACTIVE]):
        total, e = 0.0, 1.0 / W.scale[by_row[i]]
        for k in range(i):
            total += W.B[by_row[i], order[k]] * x[k]
        x[i] = -(total + e) if total > 0.0 else e - total
        largest = max(largest, abs(x[i]) * W.scale[by_row[i]])
    return largest


@kernel(exact=True)
def has_changed(weakest, before):
    return weakest < before / CHANGED or weakest > before * CHANGED
