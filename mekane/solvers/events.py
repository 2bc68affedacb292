"""Event location: a step ends where a comparison of the state changes sides, found on the dense output."""

from mekane.numba_backend.kernel import kernel
from mekane.solvers.entries.calls import rhs
from mekane.solvers.stages import interpolate
from mekane.solvers.state import EVALUATIONS, EVENTS, NOW, STEP, STEP_MAX, STUCK
from mekane.tables.columns import Y_PHI, Y_RATE
from mekane.tables.tables import FROZEN

STRIDE = 0.02  # of the largest step
PROBES = 8  # places in a step where comparisons of the state are looked at
BARELY_ANY, NEARLY_ALL = 1e-3, 0.9  # parts of a step
MISSED = 1e-10  # residual or rate of a row beyond what a projection leaves and JUST_AFTER adds


@kernel(exact=True)
def changes_side(P, S, events):
    """True where a comparison of the state lies on another side than at the start of the step."""
    for k in range(events.shape[0]):
        if S.before[k] * P.r[events[k, 0]] < 0.0:
            return True
    return False


@kernel(exact=True)
def side_changed(P, M, S, y, t, h, share, events, counters):
    """Whether, at this share of the step, some comparison has changed sides since its start. Dense output."""
    interpolate(M, S, y, h, share, S.stage)
    rhs(P, t + share * h, S.stage, S.sample)
    counters[EVALUATIONS] += 1
    return changes_side(P, S, events)


@kernel(exact=True)
def stop_at_event(P, M, S, y, step_state, counters, events, h, t_new):
    """Shorten an accepted step to just after the first comparison of the state that changes sides, by bisection on the
    dense output.

    The step is looked at in several places, because a comparison may change back before its end.
    """
    t, low, high = step_state[NOW], 0.0, 0.0
    if h < 1e-9 * step_state[STEP_MAX]:
        return t_new
    for k in range(1, PROBES + 1):
        high = k / PROBES
        if side_changed(P, M, S, y, t, h, high, events, counters):
            break
        low = high
    if low == 1.0:
        counters[STUCK] = 0
        return t_new
    while high - low > 1e-12:
        middle = 0.5 * (low + high)
        if side_changed(P, M, S, y, t, h, middle, events, counters):
            high = middle
        else:
            low = middle
    high = min(1.0, high + 1e-10)
    if counters[STUCK] > 20:  # it changes sides again and again at the same instant: take a stride
        high = max(high, min(1.0, STRIDE * step_state[STEP_MAX] / h))
    counters[STUCK] = counters[STUCK] + 1 if high < 1e-6 else 0
    counters[EVENTS] += 1
    interpolate(M, S, y, h, high, S.new)
    if high < 1.0:
        return t + high * h
    return t_new


@kernel(exact=True)
def must_repeat(P, step_state, counters, h, t_new):
    """A step in which comparisons were not frozen and one changed sides: its dense output knows two laws. Then the next
    one ends there."""
    part = t_new - step_state[NOW]
    if P.modes.shape[0] == 0 or P.state[FROZEN] == 1 or part > NEARLY_ALL * h or part < BARELY_ANY * h:
        return False
    step_state[STEP] = part
    counters[EVENTS] -= 1
    return True


@kernel(exact=True)
def is_missed(row, n):
    """True if the state is off any of the first n rows by more than the last projection can have left."""
    worst = 0.0
    for j in range(n):
        worst = max(worst, abs(row[j, Y_PHI]), abs(row[j, Y_RATE]))
    return worst > MISSED
