"""The time loop of explicit Runge–Kutta methods: fixed step, or error control with dense output. Compiled, nothing
allocated.

Comparisons inside laws ("a if t < 0.5 else b") are frozen during an adaptive step, so that every stage sees one smooth
law; the step ends where the law changes: at the known switching times exactly, and where a comparison of the state
changes sides by root finding on the dense output. A frozen law may be evaluated beyond the border where its branch
ends, and have no value there (x**1.5 for x < 0): what is not finite is computed again with the comparisons decided anew,
for the rest of that step.
"""

import numpy as np

from mekane.numba_backend.kernel import kernel
from mekane.solvers.contacts.incipient_sliding import (
    choose_incipient,
    drop_incipient,
    is_neglected_too_much,
    time_to_stop,
)
from mekane.solvers.entries.calls import rhs
from mekane.solvers.error_control import (
    POWER,
    SAFETY,
    SHRINK,
    error_norm,
    fit,
    is_accepted,
    may_be_forced,
    shortest_step,
    vanishes,
    watch_noise,
    watch_stiffness,
)
from mekane.solvers.events import (
    CUT,
    LANDINGS,
    REPEAT,
    WHOLE,
    are_far,
    correction,
    look_for_events,
)
from mekane.solvers.sampling import finish
from mekane.solvers.stages import is_finite, new_state, stages, unfreeze, watch_start, watched_stages
from mekane.solvers.state import (
    BASE,
    END,
    EVALUATIONS,
    EVENTS,
    FINISHED,
    GRID,
    NEXT_TICK,
    NOT_FINITE,
    NOW,
    OF_CONTACT,
    OUTCOME,
    REJECTED,
    RTOL,
    STEP,
    STEP_MAX,
    STEP_VANISHED,
    UNDERWAY,
    copy,
)
from mekane.solvers.step_start import AGAIN, LEAVE, start_step

GROW = 8.0  # a step by at most
PART = 0.9  # of a step to an event that does not meet the tolerances
BEYOND = 1.2  # times until sliding in space stops: directions mean nothing in stages further on
NEARBY = 1e-4  # of a step: so far at most the state is moved to where it ends


@kernel(exact=True, outer=True)
def advance(P, M, S, y, step_state, counters, record, event_times, events, conditions, clocks, most_steps):
    """Go on until the end of the run or for so many steps. The outcome is in `counters`."""
    counters[OUTCOME] = UNDERWAY
    adaptive = M.error.shape[0] > 0
    for _ in range(most_steps):
        what = start_step(P, M, S, y, step_state, counters, record, event_times, events, conditions, clocks, adaptive)
        if what == LEAVE:
            return
        if what == AGAIN:
            continue
        grid = counters[GRID]
        if adaptive:
            watch_stiffness(P, M, S, y, step_state, counters)
            watch_noise(P, M, S, y, step_state, counters)
            if counters[OUTCOME] != UNDERWAY:
                return
            choose_incipient(P, S, y, step_state, counters)
            h, t_new = controlled_step(P, M, S, y, step_state, counters, event_times, events)
        else:
            h, t_new = fixed_step(P, M, S, y, step_state, counters)
        if counters[OUTCOME] != UNDERWAY:
            return
        dense = 0
        if events.shape[0] > 0 and not (adaptive and are_far(M, S, events)):
            dense, share, which = look_for_events(P, M, S, y, step_state, counters, events, h, adaptive)
            if dense != WHOLE:
                counters[GRID] = grid
            if dense == REPEAT:
                drop_incipient(P, S, step_state[NOW], y)
                continue
            if dense == CUT:
                h, t_new = land(P, M, S, y, step_state, counters, events, h, share, which)
        finish(P, M, S, y, step_state, counters, record, h, t_new, dense)
    if step_state[NOW] >= step_state[END]:
        counters[OUTCOME] = FINISHED


@kernel(exact=True)
def fixed_step(P, M, S, y, step_state, counters):
    """One step of the fixed grid BASE + n STEP; the last one ends at END."""
    t, n = step_state[NOW], counters[GRID] + 1
    if step_state[BASE] + n * step_state[STEP] <= t + 1e-9 * step_state[STEP]:
        n += 1  # an event was at the end of a step
    t_new = step_state[BASE] + n * step_state[STEP]
    goal = min(step_state[END], step_state[NEXT_TICK])
    if t_new > goal - 1e-9 * step_state[STEP]:
        t_new, n = goal, n - 1 if t_new > goal + 1e-9 * step_state[STEP] else n
    h = t_new - t
    stages(P, M, S, y, t, h, t_new, 1, M.b.shape[0], counters)
    new_state(M, S, y, h)
    if not is_finite(S.new):
        counters[OUTCOME] = NOT_FINITE
    counters[GRID] = n
    return h, t_new


@kernel(exact=True)
def controlled_step(P, M, S, y, step_state, counters, event_times, events):
    """Try steps until one meets the tolerances; sets the length of the next."""
    t, rejected, planned, forced = step_state[NOW], False, 0.0, False
    watch_start(P, S, events)
    while True:
        wanted = min(step_state[STEP], step_state[STEP_MAX])
        h, t_new, cut = fit(t, wanted, step_state, counters, event_times)
        if not cut and vanishes(h, t):
            if forced or not may_be_forced(P, t, h, counters):
                counters[OUTCOME] = STEP_VANISHED
                return h, t_new
            h, t_new = shortest_step(t, step_state, counters, event_times)
            forced = True
        watched_stages(P, M, S, y, t, h, t_new, 1, 2, counters, events)
        soon = time_to_stop(P, S, M.c[1] * h, step_state, events)
        if h > BEYOND * soon:
            planned = h  # what comes after the stop may be as long as this would have been
            step_state[STEP] = 0.5 * (1.0 + BEYOND) * soon
            continue
        watched_stages(P, M, S, y, t, h, t_new, 2, M.b.shape[0], counters, events)
        copy(S.stage, S.last)
        new_state(M, S, y, h)
        error = error_norm(P, M, S, y, h, step_state)
        if not np.isfinite(error) and unfreeze(P):
            forced = False
            continue
        if error < 1.0 and is_neglected_too_much(P, S, y, h, t_new, step_state, counters):
            rejected = True
            counters[REJECTED] += 1
            continue
        if is_accepted(error, forced, step_state, counters):
            factor = GROW if error == 0.0 else min(GROW, SAFETY * error ** (-1.0 / M.numbers[POWER]))
            factor = GROW if forced else factor
            if rejected and not forced:
                factor, planned = min(1.0, factor), 0.0
            step_state[STEP] = max(h * factor, wanted if cut else planned)
            return h, t_new
        rejected = True
        counters[REJECTED] += 1
        step_state[STEP] = h * (
            max(SHRINK, SAFETY * error ** (-1.0 / M.numbers[POWER])) if np.isfinite(error) else SHRINK
        )


@kernel(exact=True)
def take(P, M, S, y, t, t_new, counters):
    """The step to t_new, into S.new; with comparisons open where a frozen law has no value in it."""
    for _ in range(2):
        stages(P, M, S, y, t, t_new - t, t_new, 1, M.b.shape[0], counters)
        copy(S.stage, S.last)
        new_state(M, S, y, t_new - t)
        if is_finite(S.new) or not unfreeze(P):
            break


@kernel(exact=True)
def ends_with_slope(M, S):
    """Whether the last stage of the step just taken was at its new state; S.sample becomes the slope there."""
    for m in range(S.new.shape[0]):
        if S.last[m] != S.new[m]:
            return False
    copy(S.K[M.b.shape[0] - 1], S.sample)
    return True


@kernel(exact=True)
def shift(P, M, S, t_new, dt, counters):
    """S.new, at t_new with its slope in S.sample, goes on by a little: trapezoidal rule, or Euler's where that ends behind the
    border of a branch."""
    last = M.b.shape[0]
    for m in range(S.new.shape[0]):
        S.stage[m] = S.new[m] + dt * S.sample[m]
    rhs(P, t_new + dt, S.stage, S.K[last])
    counters[EVALUATIONS] += 1
    if not is_finite(S.K[last]):
        copy(S.stage, S.new)
        return
    for m in range(S.new.shape[0]):
        S.new[m] += 0.5 * dt * (S.sample[m] + S.K[last, m])


@kernel(exact=True)
def land(P, M, S, y, step_state, counters, events, h, share, which):
    """Take the step again, to end where a guard changes sides (which < 0: at this share). Corrections of its end that are
    within the tolerance move the state there. Returns its length and end."""
    t = step_state[NOW]
    t_new, near = t + share * h, False
    for i in range(LANDINGS):
        if not near:
            take(P, M, S, y, t, t_new, counters)
        if which < 0:
            break
        dt = correction(P, S, t_new, h, which, events, counters, i, not near and ends_with_slope(M, S))
        if dt == 0.0 or t_new + dt <= t:
            break
        near = abs(dt) <= min(NEARBY, step_state[RTOL]) * (t_new - t) and is_finite(S.sample)
        if near:
            shift(P, M, S, t_new, dt, counters)
        t_new += dt
    if M.error.shape[0] > 0 and which >= 0 and events[which, OF_CONTACT] == 1:
        t_new = approach(P, M, S, y, step_state, counters, t, t_new)
    return t_new - t, t_new


@kernel(exact=True)
def approach(P, M, S, y, step_state, counters, t, t_new):
    """A step that ends where sliding does must meet the tolerances, too: directions turn fast there. Else it ends before, and
    nothing happens yet. Returns its end."""
    for i in range(LANDINGS):
        if not error_norm(P, M, S, y, t_new - t, step_state) > 1.0:
            break
        counters[EVENTS] -= 1 if i == 0 else 0
        for k in range(S.decided.shape[0]):
            S.decided[k] = 0.0
        t_new = t + PART * (t_new - t)
        step_state[STEP] = t_new - t
        take(P, M, S, y, t, t_new, counters)
    return t_new
