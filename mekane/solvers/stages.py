"""Stages of a Runge–Kutta step, and its dense output."""

import numpy as np

from mekane.numba_backend.kernel import kernel
from mekane.solvers.entries.calls import rhs
from mekane.solvers.state import EVALUATIONS, GUARD
from mekane.tables.tables import FROZEN

BACK, SPACINGS = 1e-11, 16.0  # of a step, and of floats at its end: so far before a border a law has a value


@kernel(exact=True)
def combine(y, h, weights, count, K, out):
    """out = y + h Σ weights[j] K[j]: one slope after the other, so that the processor takes several elements at a
    time."""
    for m in range(y.shape[0]):
        out[m] = 0.0
    for j in range(count):
        if weights[j] != 0.0:
            for m in range(y.shape[0]):
                out[m] += weights[j] * K[j, m]
    for m in range(y.shape[0]):
        out[m] = y[m] + h * out[m]


@kernel(exact=True)
def stages(P, M, S, y, t, h, t_new, first, end, counters):
    """Slopes K[first:end]; the state of the last one stays in S.stage."""
    for i in range(first, end):
        combine(y, h, M.A[i], i, S.K, S.stage)
        rhs(P, t_new if M.c[i] == 1.0 else t + M.c[i] * h, S.stage, S.K[i])
        counters[EVALUATIONS] += 1
        if M.c[i] == 1.0 and P.state[FROZEN] == 1 and not is_finite(S.K[i]):
            slope_before_border(P, S, y, t_new, h, S.K[i], counters)
            combine(y, h, M.A[i], i, S.K, S.stage)


@kernel(exact=True)
def before_border(t_new, h):
    """A little before the end of a step."""
    return t_new - max(BACK * h, SPACINGS * np.spacing(abs(t_new)))


@kernel(exact=True)
def slope_before_border(P, S, y, t_new, h, slope, counters):
    """Slope a little before the end of a step, at S.stage. Where a branch ends, round-off asks for more than it has, as the
    arc sine of 1 + 1e-15; with the law behind the border no step would meet the tolerances."""
    earlier = before_border(t_new, h)
    back = min((t_new - earlier) / h, 1.0)
    for m in range(y.shape[0]):
        S.stage[m] += back * (y[m] - S.stage[m])
    rhs(P, earlier, S.stage, slope)
    counters[EVALUATIONS] += 1


@kernel(exact=True)
def watch_start(P, S, events):
    """Guards where a step begins."""
    for k in range(events.shape[0]):
        S.at_stages[k, 0] = S.before[k] * P.r[events[k, GUARD]]


@kernel(exact=True)
def watched_stages(P, M, S, y, t, h, t_new, first, end, counters, events):
    """Slopes K[first:end], and the guards at their states: S.at_stages, S.low and S.high the smallest and largest."""
    for i in range(first, end):
        stages(P, M, S, y, t, h, t_new, i, i + 1, counters)
        for k in range(events.shape[0]):
            g = S.before[k] * P.r[events[k, GUARD]]
            S.at_stages[k, i] = g
            S.low[k] = g if i == 1 else min(S.low[k], g)
            S.high[k] = g if i == 1 else max(S.high[k], g)


@kernel(exact=True)
def new_state(M, S, y, h):
    combine(y, h, M.b, M.b.shape[0], S.K, S.new)


@kernel(exact=True)
def is_finite(y):
    for m in range(y.shape[0]):
        if not np.isfinite(y[m]):
            return False
    return True


@kernel(exact=True)
def unfreeze(P):
    """Let comparisons be decided anew for the rest of this step; False if they were not frozen."""
    frozen = P.modes.shape[0] > 0 and P.state[FROZEN] == 1
    P.state[FROZEN] = 0
    return frozen


@kernel(exact=True)
def dense_stages(P, M, S, y, t, h, counters):
    """The derivatives that only the dense output needs; the first of them is the slope at the end of the step."""
    first, end = M.b.shape[0], M.A.shape[0]
    stages(P, M, S, y, t, h, t + h, first, end, counters)
    for i in range(first, end):
        if not is_finite(S.K[i]) and unfreeze(P):
            stages(P, M, S, y, t, h, t + h, first, end, counters)


@kernel(exact=True)
def interpolate(M, S, y, h, theta, out):
    for m in range(y.shape[0]):
        out[m] = y[m]
    for i in range(M.P.shape[0]):
        weight = 0.0
        for p in range(M.P.shape[1] - 1, -1, -1):
            weight = (weight + M.P[i, p]) * theta
        if weight != 0.0:
            for m in range(y.shape[0]):
                out[m] += h * weight * S.K[i, m]
