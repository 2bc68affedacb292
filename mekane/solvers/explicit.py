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
from mekane.solvers.clocks import ticks
from mekane.solvers.entries.calls import project, rhs
from mekane.solvers.error_control import (
    POWER,
    SAFETY,
    SHRINK,
    error_norm,
    first_step,
    fit,
    leaves_before_end,
    leaves_before_first,
    vanishes,
    watch_noise,
    watch_stiffness,
)
from mekane.solvers.events import (
    LANDINGS,
    NONE,
    correction,
    is_missed,
    locate,
    must_repeat,
    takes_no_time,
)
from mekane.solvers.sampling import finish
from mekane.solvers.stages import dense_stages, is_finite, new_state, stages, unfreeze
from mekane.solvers.state import (
    BASE,
    DONE,
    END,
    EVALUATIONS,
    EVENT,
    FINISHED,
    GRID,
    MODE,
    N_COUNTERS,
    NEXT_TICK,
    NOT_FINITE,
    NOW,
    OUTCOME,
    PROJECT,
    REJECTED,
    STEP,
    STEP_MAX,
    STEP_VANISHED,
    TICK,
    TRUE_AT_START,
    UNDERWAY,
    copy,
)
from mekane.tables.tables import FROZEN, N_EXPRESSION_ROWS, N_ROWS

GROW = 8.0  # a step by at most
JUST_AFTER = 1e-12  # relative; a law is looked at just after a switching time, not at it


@kernel(exact=True, outer=True)
def advance(P, M, S, y, step_state, counters, record, event_times, events, conditions, clocks, most_steps):
    """Go on until the end of the run or for so many steps. The outcome is in `counters`."""
    counters[OUTCOME] = UNDERWAY
    adaptive = M.error.shape[0] > 0
    for _ in range(most_steps):
        if step_state[NOW] >= step_state[END]:
            counters[OUTCOME] = FINISHED
            return
        first, evaluations = step_state[STEP] <= 0.0, counters[EVALUATIONS]
        if first:
            copy(y, S.new)
        elif leaves_before_end(step_state, counters, event_times, adaptive):
            return
        begin(P, M, S, y, step_state, counters, events, adaptive)
        if happens(P, S, step_state, counters, conditions):
            return
        if step_state[NOW] >= step_state[NEXT_TICK]:
            if ticks(P, clocks, step_state, counters, record):
                continue
            counters[OUTCOME] = TICK
            return
        if first and leaves_before_first(S, y, step_state, counters, event_times, evaluations):
            return
        if adaptive:
            watch_stiffness(P, M, S, y, step_state, counters)
            watch_noise(P, M, S, y, step_state, counters)
            if counters[OUTCOME] != UNDERWAY:
                return
            h, t_new = controlled_step(P, M, S, y, step_state, counters, event_times)
        else:
            h, t_new = fixed_step(P, M, S, y, step_state, counters)
        if counters[OUTCOME] != UNDERWAY:
            return
        dense = 0
        if events.shape[0] > 0 and adaptive:
            dense = 1
            dense_stages(P, M, S, y, step_state[NOW], h, counters)
            share, which = locate(P, M, S, y, step_state, counters, events, h)
            if share < NONE:
                at_once = which >= 0 and takes_no_time(step_state[NOW], h, share)
                if must_repeat(P, S, step_state, counters, h, share) or at_once:
                    continue
                if share < 1.0 or which >= 0:
                    dense, h, t_new = 0, *land(P, M, S, y, step_state, counters, events, h, share, which)
        finish(P, M, S, y, step_state, counters, record, h, t_new, dense)
    if step_state[NOW] >= step_state[END]:
        counters[OUTCOME] = FINISHED


@kernel(exact=True)
def begin(P, M, S, y, step_state, counters, events, adaptive):
    """Slope at the start of a step. Here, and in adaptive runs only here, comparisons are decided."""
    t = step_state[NOW]
    P.state[FROZEN] = 0
    if adaptive and P.modes.shape[0] > 0:
        rhs(P, t + JUST_AFTER * max(abs(t), min(1.0, step_state[END])) + 1e-300, y, S.K[0])
        P.state[FROZEN] = 1
        counters[EVALUATIONS] += 1
        for k in range(events.shape[0]):
            if S.decided[k] != 0.0:
                P.modes[events[k, MODE]] = 1.0 if S.decided[k] < 0.0 else 0.0
        if P.count[N_EXPRESSION_ROWS] > 0 and counters[PROJECT] == 1 and is_missed(P.row, P.count[N_ROWS]):
            project(P, t, y, S.x)  # a prescribed motion goes on at another speed from here
    rhs(P, t, y, S.K[0])
    counters[EVALUATIONS] += 1
    if adaptive and not is_finite(S.K[0]) and unfreeze(P):  # a law that has no value just beyond its border
        rhs(P, t, y, S.K[0])
    for k in range(events.shape[0]):
        # a comparison holds where left − right is negative
        side = -1.0 if P.modes[events[k, MODE]] != 0.0 else 1.0
        if S.before[k] * side < 0.0:
            counters[N_COUNTERS + events[k, MODE]] += 1
        S.before[k] = side
    if adaptive:
        P.state[FROZEN] = 1
        if step_state[STEP] <= 0.0:
            step_state[STEP] = first_step(P, M, S, y, step_state, counters)
            rhs(P, t, y, S.K[0])  # conditions and controllers read the registers here, not where the guess has looked
            counters[EVALUATIONS] += 1


@kernel(exact=True)
def happens(P, S, step_state, counters, conditions):
    """Whether a condition has become true where a step begins: then the loop is left."""
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


@kernel(exact=True)
def fixed_step(P, M, S, y, step_state, counters):
    """One step of the fixed grid BASE + n STEP; the last one ends at END."""
    t, n = step_state[NOW], counters[GRID] + 1
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
def controlled_step(P, M, S, y, step_state, counters, event_times):
    """Try steps until one meets the tolerances; sets the length of the next."""
    t, rejected = step_state[NOW], False
    while True:
        wanted = min(step_state[STEP], step_state[STEP_MAX])
        h, t_new, cut = fit(t, wanted, step_state, counters, event_times)
        if not cut and vanishes(h, t):
            counters[OUTCOME] = STEP_VANISHED
            return h, t_new
        stages(P, M, S, y, t, h, t_new, 1, M.b.shape[0], counters)
        copy(S.stage, S.last)
        new_state(M, S, y, h)
        error = error_norm(P, M, S, y, h, step_state)
        if not np.isfinite(error) and unfreeze(P):
            continue
        if error < 1.0:
            factor = GROW if error == 0.0 else min(GROW, SAFETY * error ** (-1.0 / M.numbers[POWER]))
            if rejected:
                factor = min(1.0, factor)
            step_state[STEP] = max(h * factor, wanted if cut else 0.0)
            return h, t_new
        rejected = True
        counters[REJECTED] += 1
        step_state[STEP] = h * (
            max(SHRINK, SAFETY * error ** (-1.0 / M.numbers[POWER])) if np.isfinite(error) else SHRINK
        )


@kernel(exact=True)
def land(P, M, S, y, step_state, counters, events, h, share, which):
    """Take the step again, to end where a guard changes sides (which < 0: at this share). Returns its length and end."""
    t = step_state[NOW]
    t_new = t + share * h
    for i in range(LANDINGS):
        stages(P, M, S, y, t, t_new - t, t_new, 1, M.b.shape[0], counters)
        copy(S.stage, S.last)
        new_state(M, S, y, t_new - t)
        if which < 0:
            break
        dt = correction(P, S, t_new, h, which, events, counters, i)
        if dt == 0.0 or t_new + dt <= t:
            break
        t_new += dt
    return t_new - t, t_new
