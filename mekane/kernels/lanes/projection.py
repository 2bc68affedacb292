"""Back onto the constraints on lanes, one Newton step at a time: THEORY (C.3), by the kernels as they are."""

from mekane.algebra.scalar import absolute, maximum, zero_like
from mekane.kernels.lanes.rhs import smallest_pivot
from mekane.kernels.multipliers import factor_rows
from mekane.kernels.projection import articulated_inertias, evaluate_kinematics, make_unit, projection_step, shift
from mekane.numba_backend.kernel import kernel
from mekane.tables.columns import Y_PHI
from mekane.tables.tables import N_ACTIVE, N_Q, N_U

LARGEST = 0.1  # no coordinate is moved by more, so that a step cannot change to another branch
N_AFTER = 3
RESIDUAL, PIVOT, MISSED = range(N_AFTER)  # what is written after the state


@kernel
def lane_projection(T, W, t, y, column, x, after):
    """y after one step of positions (Y_PHI) or speeds (Y_RATE). after: what was before it, see RESIDUAL …; x: scratch
    over speeds."""
    n_q, n_u = T.count[N_Q], T.count[N_U]
    q, u = y[:n_q], y[n_q : n_q + n_u]
    make_unit(T.primitive_i, q)
    for r in range(n_u):
        x[r] = zero_like(t)
    after[RESIDUAL], after[PIVOT], after[MISSED] = zero_like(t), 1.0 + zero_like(t), zero_like(t)
    if W.state[N_ACTIVE] > 0:
        evaluate_kinematics(T, W, t, q, u)
        articulated_inertias(T, W)
        factor_rows(T, W)
        projection_step(T, W, column, x)
        after[RESIDUAL], after[MISSED] = largest_of_rows(W, t, column, 1), largest_of_rows(W, t, column, 0)
        after[PIVOT] = smallest_pivot(W, t)
    if column == Y_PHI:
        shorten(x, t)
        shift(T.primitive_i, q, x)
    else:
        for r in range(n_u):
            u[r] += x[r]


@kernel
def largest_of_rows(W, t, column, active):
    """Largest residual or rate of the rows that are active, or of those that are not."""
    worst = zero_like(t)
    for y in range(W.active.shape[0]):
        if W.active[y] == active:
            worst = maximum(worst, absolute(W.row[y, column]))
    return worst


@kernel
def shorten(x, t):
    """A change of coordinates, made no longer than LARGEST."""
    size = zero_like(t)
    for r in range(x.shape[0]):
        size = maximum(size, absolute(x[r]))
    factor = LARGEST / maximum(size, LARGEST + zero_like(t))
    for r in range(x.shape[0]):
        x[r] = x[r] * factor
