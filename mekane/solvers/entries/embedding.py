"""Entries: the right-hand side with embedded constraints, and the choice of independent speeds."""

from mekane.kernels.embedding import rhs_embedded
from mekane.kernels.projection import articulated_inertias
from mekane.numba_backend.kernel import entry
from mekane.solvers.constraints.partitioning import (
    GROWN,
    SINGULAR,
    choose_again,
    growth,
    has_changed,
    is_partitioned,
    mark_independent,
    partition_speeds,
    weakest_pivot,
)
from mekane.tables.handle import KINEMATICS, MULTIPLIERS, SIGNATURE, call, floats1, unpack
from mekane.tables.tables import LEFT, N_ACTIVE, N_LOADS, N_Q, N_REPEATED, N_SLIDING, N_U, N_WORK


@entry(SIGNATURE)
def embedded_entry(header, t, a, b):
    """b = f(t, a). Speeds are split anew where that is called for; where no split is good, multipliers do this
    evaluation."""
    T, W = unpack(header)
    # friction needs the forces that press, and these must not repeat one another
    if W.state[N_ACTIVE] == 0 or W.state[N_SLIDING] > 0 or W.state[N_REPEATED] > 0 or T.count[N_LOADS] > 0:
        return call(header, MULTIPLIERS, t, a, b)
    n = T.count[N_Q] + T.count[N_U] + T.count[N_WORK]
    if not is_partitioned(W):
        call(header, KINEMATICS, t, a, 0)
        articulated_inertias(T, W)
        choose_again(T, W)
    rhs_embedded(T, W, t, floats1(a, n), floats1(b, n))
    weakest = weakest_pivot(W)
    grown = growth(W, W.along[0])
    if has_changed(weakest, W.weakest[0]) or grown > GROWN:
        articulated_inertias(T, W)
        choose_again(T, W)
        rhs_embedded(T, W, t, floats1(a, n), floats1(b, n))
        weakest, grown = weakest_pivot(W), growth(W, W.along[0])
    if weakest < SINGULAR or grown > GROWN:
        W.embedded[LEFT] += 1
        return call(header, MULTIPLIERS, t, a, b)
    return 0.0


@entry(SIGNATURE)
def partition_entry(header, t, a, b):
    """After `evaluate_kinematics` and `evaluate_inertias`: independent speeds; t = 1: those marked. Returns the weakest
    pivot."""
    T, W = unpack(header)
    W.weakest[0] = partition_speeds(T, W, int(t))
    mark_independent(T, W)
    return W.weakest[0]
