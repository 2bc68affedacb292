"""Comparisons in laws, on lanes: a step ends where one changes sides, as `solvers.events` has it for one run.

In a step outcomes are frozen, so every guard, left − right of a comparison, is smooth. It is looked at in ten points of the
dense output. Where it changes sides, the step is taken again to end there; which side it is on from there is known, not
computed. A run whose guards are no smooth curves, only touch zero or change again and again leaves its lane.
"""

import numpy as np

from mekane.algebra.chebyshev import (
    BETWEEN,
    LOOKS,
    POINTS,
    SHARES,
    fit_values,
    fitted,
    has_dip,
    look_at_fit,
    lowest,
    root_of_fit,
)
from mekane.numba_backend.kernel import kernel
from mekane.numba_backend.lane_calls import call_each, call_lanes
from mekane.solvers.events import AGAIN as COUNTED
from mekane.solvers.events import BACK, CORRECTIONS, GOOD, LANDINGS, LITTLE, MANY, NONE, TOUCH, takes_no_time
from mekane.solvers.lanes.control import end_of_run, end_run, next_goal, next_stop
from mekane.solvers.lanes.lane_state import (
    ACCEPTED,
    BEGINS,
    FIRST_OUTCOME,
    FOLLOWING,
    FRESH,
    GUARD_SLOPE,
    GUARDS,
    HALVED,
    LANDING,
    LANDS,
    N_MODEL,
    NEW_TIME,
    NOW,
    OUTCOMES,
    REJECTED,
    RUN,
    SAMPLE_TIME,
    SEEN_IN,
    STAGE_TIME,
    STEP,
    STUCK,
    THETA,
    UNDECIDED,
    WATCHFUL_STEP,
    WHICH,
)
from mekane.solvers.lanes.sampling import AT_SHARE, dense_output, row_of
from mekane.solvers.step_start import just_after

HALVINGS = 5  # in a row
DOUBT = -1.0  # share of a step: whether a guard changes sides there is not known


@kernel(exact=True)
def decide_outcomes(code, settings, runs, W, mask):
    """Outcomes of comparisons in the lanes whose step begins, of those that this row of integers marks: as they are just
    later, or as it is known from where the last step ended."""
    first = int(settings[FIRST_OUTCOME])
    for l in range(W.integer.shape[1]):
        W.number[STAGE_TIME, l] = just_after(W.number[NOW, l], end_of_run(runs, W, l), next_stop(runs, W, l))
    call_lanes(code[OUTCOMES], W.number[STAGE_TIME], W.y, W.parameters, W.guards)
    for l in range(W.integer.shape[1]):
        if W.integer[mask, l] == 1 and (W.integer[FRESH, l] == 1 or W.integer[ACCEPTED, l] == 1):
            known = W.integer[WHICH, l] if W.integer[LANDS, l] > 0 else -1
            for k in range(W.guards.shape[0]):
                p = W.parameters[first + k, l]
                W.parameters[first + k, l] = 1.0 - p if k == known else W.guards[k, l]
            W.integer[LANDS, l] = 0


@kernel(exact=True)
def find_changes(code, M, settings, runs, W, queue):
    """Steps in which a comparison changes sides are not accepted, and the next one of that lane ends there."""
    sample_guards(code, M, settings, W)
    call_lanes(code[GUARDS], W.number[NEW_TIME], W.new, W.parameters, W.guards)
    for l in range(W.integer.shape[1]):
        if W.integer[ACCEPTED, l] == 0:
            W.integer[LANDS, l] = 0
        elif W.integer[LANDS, l] > 0:
            land(settings, runs, W, l, queue)
        else:
            look(settings, runs, W, l, queue)


@kernel(exact=True)
def side(settings, W, k, l):
    """Of guard k where the step begins: it holds where that is negative."""
    return -1.0 if W.parameters[int(settings[FIRST_OUTCOME]) + k, l] != 0.0 else 1.0


@kernel(exact=True)
def sample_guards(code, M, settings, W):
    """All guards at the points of the step, from its dense output."""
    dense_output(code, M, W)
    for j in range(POINTS):
        for l in range(W.integer.shape[1]):
            W.number[THETA, l] = SHARES[j]
            W.number[SAMPLE_TIME, l] = W.number[NOW, l] + SHARES[j] * W.number[STEP, l]
        place = N_MODEL + M.A.shape[0] + AT_SHARE
        call_each(code[place], W.y, W.new, W.number[THETA], W.dense, W.sample, W.y.shape[0])
        call_lanes(code[GUARDS], W.number[SAMPLE_TIME], W.sample, W.parameters, W.guards)
        for k in range(W.guards.shape[0]):
            for l in range(W.integer.shape[1]):
                W.in_step[k, l, j] = side(settings, W, k, l) * W.guards[k, l]


@kernel(exact=True)
def look(settings, runs, W, l, queue):
    """What the guards of one lane do in its step."""
    t, h, watched = W.number[NOW, l], W.number[STEP, l], runs.watched[row_of(runs.watched, W.integer[RUN, l])]
    if h <= max(
        8.0 * np.spacing(abs(t)), 1e-9 * settings[WATCHFUL_STEP]
    ):  # what changes in it is decided where it ends
        return
    share, which = NONE, -1
    for k in range(watched.shape[0]):
        if watched[k] == 0:
            continue
        if not is_seen_well(W.in_step[k, l], W.fit):
            halve(runs, W, l, queue)
            return
        x = first_change(W.in_step[k, l], W.fit, W.looks)
        if x < share:
            share, which = x, k
    if share == DOUBT:
        leave(runs, W, l, queue)
    elif share < NONE:
        end_there(settings, runs, W, l, share, which, queue)
    else:
        W.integer[STUCK, l] = W.integer[HALVED, l] = 0


@kernel(exact=True)
def is_seen_well(values, fit):
    """Whether the polynomial through the values of a guard is a good fit, or does not matter: far from zero."""
    least = np.inf
    for j in range(POINTS):
        if not np.isfinite(values[j]):
            return False
        least = min(least, values[j]) if j > 0 else least
    largest, rest = fit_values(values, fit)
    return rest <= GOOD * largest or least >= 10.0 * rest


@kernel(exact=True)
def first_change(values, fit, looks):
    """Share of the step at which a guard becomes negative; NONE, or DOUBT where it may only touch zero."""
    largest, rest = fit_values(values, fit)
    look_at_fit(values, looks)
    near = 4.0 * rest + TOUCH * largest
    first = BETWEEN if values[0] <= near else 0  # it leaves zero
    for i in range(1, LOOKS.shape[0]):
        j = i // BETWEEN
        if i % BETWEEN == 0 and values[j] < 0.0:  # before the dip around it: the change is earlier
            return root_of_fit(fit, SHARES[j - 1], SHARES[j]) if values[j - 1] > 0.0 else SHARES[j - 1]
        if i > first and i < LOOKS.shape[0] - 1 and has_dip(looks, i, near):
            x, value = lowest(fit, LOOKS[i - 1], LOOKS[i + 1])
            if value < -near:
                return root_of_fit(fit, SHARES[j if SHARES[j] < x else j - 1], x)
            if value <= near:
                return DOUBT
    return NONE


@kernel(exact=True)
def halve(runs, W, l, queue):
    """Take half of the step, in which guards are smoother."""
    W.integer[ACCEPTED, l], W.integer[REJECTED, l], W.number[FOLLOWING, l] = 0, 1, 0.5 * W.number[STEP, l]
    W.integer[HALVED, l] += 1
    if W.integer[HALVED, l] > HALVINGS:
        leave(runs, W, l, queue)


@kernel(exact=True)
def leave(runs, W, l, queue):
    """Give the run up here; the engine for one run computes it."""
    W.integer[ACCEPTED, l], W.integer[LANDS, l] = 0, 0
    end_run(runs, W, l, UNDECIDED, queue)


@kernel(exact=True)
def end_there(settings, runs, W, l, share, which, queue):
    """Take the step again, to end at a share of it where a guard changes sides; at once where that takes no time."""
    t, h = W.number[NOW, l], W.number[STEP, l]
    at_once = takes_no_time(t, h, share)
    W.integer[STUCK, l] = W.integer[STUCK, l] + 1 if at_once or share < 1e-6 else min(W.integer[STUCK, l], COUNTED)
    W.integer[ACCEPTED, l], W.integer[WHICH, l], W.integer[HALVED, l] = 0, which, 0
    if W.integer[STUCK, l] > MANY:
        leave(runs, W, l, queue)
    elif at_once:
        p = int(settings[FIRST_OUTCOME]) + which
        W.parameters[p, l], W.number[FOLLOWING, l], W.integer[BEGINS, l] = 1.0 - W.parameters[p, l], h, 1
    else:
        fit_values(W.in_step[which, l], W.fit)
        slope = (fitted(W.fit, share + BACK) - fitted(W.fit, share - BACK)) / (2.0 * BACK * h)
        W.number[LANDING, l], W.number[GUARD_SLOPE, l], W.number[SEEN_IN, l] = t + share * h, slope, h
        W.integer[LANDS, l] = 1


@kernel(exact=True)
def land(settings, runs, W, l, queue):
    """A step was taken to end where a guard changes sides. It is accepted just beyond; else its end is corrected."""
    t_new, tries, which = W.number[LANDING, l], W.integer[LANDS, l] - 1, W.integer[WHICH, l]
    g, slope, h = side(settings, W, which, l) * W.guards[which, l], W.number[GUARD_SLOPE, l], W.number[SEEN_IN, l]
    if not slope < 0.0 or not abs(g) <= -LITTLE * h * slope:
        leave(runs, W, l, queue)
        return
    dt, finest = -g / slope, 2.0 * np.spacing(abs(t_new))
    if not (tries < CORRECTIONS and abs(dt) > 8.0 * finest):
        if g < 0.0:
            return
        dt = max(finest * 8.0 ** max(tries - CORRECTIONS, 0), 2.0 * abs(dt))
    t_new += dt
    if tries == LANDINGS or dt > LITTLE * h or not W.number[NOW, l] < t_new < next_goal(runs, W, l):
        leave(runs, W, l, queue)
        return
    W.integer[ACCEPTED, l], W.integer[LANDS, l], W.number[LANDING, l] = 0, tries + 2, t_new
