"""Where a step begins: comparisons are decided, conditions of events and clocks looked at, for all time loops."""

import numpy as np

from mekane.expressions.frozen_discontinuities import FLOOR_ABOVE, FLOOR_BELOW, TURN_ABOVE
from mekane.numba_backend.kernel import kernel
from mekane.solvers.clocks import ticks
from mekane.solvers.entries.calls import project, rhs
from mekane.solvers.error_control import first_step, is_over, leaves_before_end, leaves_before_first
from mekane.solvers.events import ARMED, has_contacts, is_missed, is_still_ahead
from mekane.solvers.stages import SPACINGS, is_finite, unfreeze
from mekane.solvers.state import (
    BASE,
    DONE,
    END,
    EVALUATIONS,
    EVENT,
    FINISHED,
    GUARD,
    LAST,
    MODE,
    N_COUNTERS,
    NEXT_TICK,
    NOW,
    OF_CONTACT,
    OUTCOME,
    PROJECT,
    STEP,
    STOP,
    TICK,
    TRUE_AT_START,
    UNDERWAY,
    WHAT,
    copy,
)
from mekane.tables.tables import FROZEN, N_EXPRESSION_ROWS

LEAVE, AGAIN, GO = range(3)  # the loop is left, its outcome says why; the step begins anew; it can be taken
AT_DISCONTINUITY = 1e-3  # of the distance of whole numbers, or radians: so close a state is that ended a step at a jump
JUST_AFTER = 1e-12  # relative; a law is looked at just after a switching time, not at it


@kernel(exact=True)
def start_step(P, M, S, y, step_state, counters, record, event_times, events, conditions, clocks, adaptive):
    """Begin a step: LEAVE, AGAIN or GO."""
    if step_state[NOW] >= step_state[END]:
        counters[OUTCOME] = FINISHED
        return LEAVE
    stays = adaptive and conditions.shape[0] == 0 and stays_decided(P, step_state, events)
    if adaptive:
        stop = counters[STOP]
        pass_event_times(step_state, counters, event_times)
        stays = stays and counters[STOP] == stop
    first, evaluations = step_state[STEP] <= 0.0, counters[EVALUATIONS]
    if first:
        copy(y, S.new)
    elif leaves_before_end(step_state, counters, event_times, adaptive):
        return LEAVE
    begin(P, M, S, y, step_state, counters, event_times, events, adaptive, stays)
    if happens(P, S, counters, events, conditions):
        return LEAVE
    if step_state[NOW] >= step_state[NEXT_TICK]:
        if ticks(P, clocks, step_state, counters, record):
            return AGAIN
        counters[OUTCOME] = TICK
        return LEAVE
    if first and leaves_before_first(S, y, step_state, counters, event_times, evaluations):
        return LEAVE
    return GO


@kernel(exact=True)
def pass_event_times(step_state, counters, event_times):
    """A step ends before a discontinuity of the time, the next one begins after it: the next float or so, where a law such
    as floor(t), which is no comparison, has its new value."""
    goal = min(step_state[END], step_state[NEXT_TICK])
    while counters[STOP] < event_times.shape[0] and event_times[counters[STOP]] < goal:
        if not is_over(event_times[counters[STOP]], step_state[NOW]):
            return
        step_state[NOW] = max(step_state[NOW], event_times[counters[STOP]])
        counters[STOP] += 1


@kernel(exact=True)
def stays_decided(P, step_state, events):
    """Whether comparisons are as they were in the last step unless a switching time was passed: they are laws of time alone,
    guards of contact laws being all that is watched, and nothing was set since."""
    if not has_contacts(events) or events[0, OF_CONTACT] == 0 or P.state[FROZEN] == 0:
        return False
    return step_state[LAST] > 0.0 and step_state[NOW] > step_state[BASE] and step_state[NEXT_TICK] == np.inf


@kernel(exact=True)
def just_after(t, end, ahead):
    """The time at which the laws of a step that begins at t are decided: where a law is discontinuous at t it has its new
    value then. ahead: the next switching time, beyond which they are others."""
    later, between = t + JUST_AFTER * max(abs(t), min(1.0, end)) + 1e-300, t + 0.5 * (ahead - t)
    return between if t < between < later else later


@kernel(exact=True)
def begin(P, M, S, y, step_state, counters, event_times, events, adaptive, stays):
    """Slope at the start of a step. Here, and in adaptive runs only here, comparisons are decided; in runs with fixed steps
    the laws change within these. stays: no comparison can be another one than in the last step."""
    t = step_state[NOW]
    ahead = event_times[counters[STOP]] if counters[STOP] < event_times.shape[0] else np.inf
    later = just_after(t, step_state[END], ahead)
    P.state[FROZEN] = 1 if stays else 0
    if P.modes.shape[0] > 0 and not stays and (adaptive or is_decided(S, events.shape[0])):
        decide(P, S, y, later, counters, events, S.K[0])
        if P.count[N_EXPRESSION_ROWS] > 0 and counters[PROJECT] == 1 and is_missed(P.row, P.active):
            if has_contacts(events):
                counters[OUTCOME] = EVENT  # a surface may have an edge here: what that does is decided there
            else:
                project(P, t, y, S.x)  # a prescribed motion goes on at another speed from here
    rhs(P, t, y, S.K[0])
    counters[EVALUATIONS] += 1
    if stays and counters[PROJECT] == 1 and is_missed(P.row, P.active):
        counters[OUTCOME] = EVENT
    if adaptive and P.modes.shape[0] > 0 and not is_finite(S.K[0]):
        slope_beside_border(P, S, y, t, later, counters, events)
    for k in range(events.shape[0]):
        if events[k, OF_CONTACT] == 1:
            S.before[k] = 1.0
            if adaptive and S.instant[0] != t and is_still_ahead(P, S, events, k, t, step_state[LAST]):
                S.decided[k] = 0.0
            if P.r[events[k, GUARD]] > ARMED:
                S.slack[k] = 0.0
            continue
        if is_discontinuity(events, k):
            S.before[k] = 1.0
            if S.decided[k] != 0.0:
                count_return(counters, events, k)
            continue
        # a comparison holds where left − right is negative
        side = -1.0 if P.modes[events[k, MODE]] != 0.0 else 1.0
        if S.before[k] * side < 0.0:
            counters[N_COUNTERS + events[k, MODE]] += 1
        S.before[k] = side
    P.state[FROZEN] = 1 if adaptive else 0
    if adaptive:
        if step_state[STEP] <= 0.0:
            step_state[STEP] = first_step(P, M, S, y, step_state, counters)
            rhs(P, t, y, S.K[0])  # conditions and controllers read the registers here, not where the guess has looked
            counters[EVALUATIONS] += 1


@kernel(exact=True)
def decide(P, S, y, later, counters, events, slope):
    """Decide comparisons, and freeze them: as they are just later, or as it is known from the event that ended the last
    step."""
    P.state[FROZEN] = 0
    rhs(P, later, y, slope)
    counters[EVALUATIONS] += 1
    if pass_discontinuities(P, S, events, True):
        rhs(P, later, y, slope)  # laws that read what has jumped
        counters[EVALUATIONS] += 1
        pass_discontinuities(P, S, events, False)
    P.state[FROZEN] = 1
    for k in range(events.shape[0]):
        if S.decided[k] != 0.0 and events[k, OF_CONTACT] == 0 and not is_discontinuity(events, k):
            P.modes[events[k, MODE]] = 1.0 if S.decided[k] < 0.0 else 0.0


@kernel(exact=True)
def is_discontinuity(events, k):
    """Whether a guard is how far it is to the next jump of a floor or an angle, not left − right of a comparison."""
    return events[k, OF_CONTACT] == 0 and events[k, WHAT] >= FLOOR_ABOVE


@kernel(exact=True)
def is_upwards(events, k):
    """Whether the next jump is that above."""
    return events[k, WHAT] == FLOOR_ABOVE or events[k, WHAT] == TURN_ABOVE


@kernel(exact=True)
def count_return(counters, events, k):
    """Count a jump that undoes the last one of its floor or angle. Beside the count stands which way that went."""
    upwards = is_upwards(events, k)
    value, way = events[k, MODE] + (0 if upwards else -1), 1 if upwards else -1
    if counters[N_COUNTERS + value + 1] == -way:
        counters[N_COUNTERS + value] += 1
    counters[N_COUNTERS + value + 1] = way


@kernel(exact=True)
def pass_discontinuities(P, S, events, known):
    """Values beyond the jumps that have ended the last step, where by round-off those before them were found; they are marked as
    known, or not any more. Returns whether there are such jumps."""
    found = False
    for k in range(events.shape[0]):
        if S.decided[k] == 0.0 or not is_discontinuity(events, k):
            continue
        upwards = is_upwards(events, k)
        value = events[k, MODE] + (0 if upwards else -1)
        if known and P.r[events[k, GUARD]] <= AT_DISCONTINUITY:
            of_floor = events[k, WHAT] == FLOOR_ABOVE or events[k, WHAT] == FLOOR_BELOW
            P.modes[value] += (1.0 if upwards else -1.0) * (1.0 if of_floor else -2.0 * np.pi)
        P.modes[value + 1] = 1.0 if known else 0.0
        found = True
    return found


@kernel(exact=True)
def slope_beside_border(P, S, y, t, later, counters, events):
    """The slope where the branch in use has no value, by round-off, at its border: a few floats later, just later, or with
    comparisons open where the border is one of the state. The branch stays in use."""
    rhs(P, min(t + SPACINGS * np.spacing(abs(t)), later), y, S.K[0])
    counters[EVALUATIONS] += 1
    if not is_finite(S.K[0]):
        rhs(P, later, y, S.K[0])
        counters[EVALUATIONS] += 1
    if not is_finite(S.K[0]) and unfreeze(P):
        rhs(P, t, y, S.K[0])
        if not is_finite(S.K[0]):  # the border by the comparison and that of the branch are not the same float
            for m in range(y.shape[0]):
                S.stage[m] = y[m] + (later - t) * (S.K[0, m] if np.isfinite(S.K[0, m]) else 0.0)
            rhs(P, later, S.stage, S.K[0])
        decide(P, S, y, later, counters, events, S.K[1])
        counters[EVALUATIONS] += 1


@kernel(exact=True)
def is_decided(S, n):
    """Whether a guard changed sides where the last step ended."""
    for k in range(n):
        if S.decided[k] != 0.0:
            return True
    return False


@kernel(exact=True)
def happens(P, S, counters, events, conditions):
    """Whether a condition has become true where a step begins, or a contact law changes its mode: then the loop is left."""
    for k in range(events.shape[0]):
        if events[k, OF_CONTACT] == 1 and S.decided[k] != 0.0:
            counters[OUTCOME] = EVENT
    for k in range(conditions.shape[0]):
        if S.condition[k] == DONE:
            continue
        holds = 1.0 if P.r[conditions[k, 0]] != 0.0 else 0.0
        if holds == 1.0 and (S.condition[k] == 0.0 or (S.condition[k] < 0.0 and conditions[k, 1] == 1)):
            S.fired[k] = 1.0
            counters[OUTCOME] = EVENT
        elif holds == 1.0 and S.condition[k] < 0.0:
            S.fired[k] = TRUE_AT_START
        S.condition[k] = holds
    return counters[OUTCOME] != UNDERWAY
