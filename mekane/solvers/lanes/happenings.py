"""Events on lanes that set variables and inputs or end the motion: where a condition has become true, as
`step_start.happens` and `hybrid.phases` have it for one run. Comparisons in conditions are located like those of laws."""

import numpy as np

from mekane.numba_backend.kernel import kernel
from mekane.numba_backend.lane_calls import call_lanes
from mekane.solvers.lanes.control import end_run
from mekane.solvers.lanes.lane_state import (
    ALIVE,
    AT_ONCE,
    AT_START,
    BEGINS,
    CONDITIONS,
    DUE,
    EVENT_ENDS,
    FIRST_DISCRETE,
    HAPPENED,
    NOW,
    ONCE,
    RUN,
    SAMPLE,
    SAMPLE_TIME,
    SETS,
    STOPPED,
    UNDECIDED,
)
from mekane.solvers.lanes.sampling import record, row_of
from mekane.solvers.state import DONE

UNKNOWN = -1.0  # a condition before it was looked at
MOST = 50  # events at one instant, as phases.MOST


@kernel(exact=True)
def forget_conditions(W, l):
    """Of the run before in this lane."""
    W.condition[:, l] = UNKNOWN


@kernel(exact=True)
def happen(code, settings, runs, W, queue):
    """What happens in the lanes whose step begins, marked by HAPPENED. Returns whether anything does."""
    if not fire(code, runs, W):
        return False
    for k in range(W.condition.shape[0]):
        if is_fired(W, k):
            call_lanes(code[SETS], W.number[NOW], W.y, W.parameters, W.new_values)
            for l in range(W.integer.shape[1]):
                if W.fired[k, l] == 1 and W.integer[ALIVE, l] == 1:
                    set_values(settings, runs, W, k, l, queue)
    end_stopped(code, runs, W, queue)
    return True


@kernel(exact=True)
def fire(code, runs, W):
    """Which conditions have become true. Returns whether any has."""
    found = False
    call_lanes(code[CONDITIONS], W.number[NOW], W.y, W.parameters, W.holds)
    for l in range(W.integer.shape[1]):
        W.integer[HAPPENED, l] = 0
        for k in range(W.condition.shape[0]):
            W.fired[k, l] = 0
            if W.integer[ALIVE, l] == 0 or W.integer[BEGINS, l] == 0 or W.condition[k, l] == DONE:
                continue
            before, holds = W.condition[k, l], W.holds[k, l] != 0.0
            if holds and (before == 0.0 or (before == UNKNOWN and runs.events[k, AT_START] == 1)):
                W.fired[k, l] = W.integer[HAPPENED, l] = 1
                found = True
            W.condition[k, l] = 1.0 if holds else 0.0
        W.integer[BEGINS, l] = W.integer[HAPPENED, l]  # what happens may make other conditions true
    return found


@kernel(exact=True)
def is_fired(W, k):
    for l in range(W.integer.shape[1]):
        if W.fired[k, l] == 1:
            return True
    return False


@kernel(exact=True)
def set_values(settings, runs, W, k, l, queue):
    """Event k in one lane. Where a value is no number, or events follow each other without end, the run leaves."""
    finite, first = True, int(settings[FIRST_DISCRETE])
    for j in range(runs.event_first[k], runs.event_first[k + 1]):
        W.parameters[first + runs.event_target[j], l] = W.new_values[j, l]
        finite &= np.isfinite(W.new_values[j, l])
    if runs.events[k, ONCE] == 1:
        W.condition[k, l] = DONE
    W.integer[AT_ONCE, l] += 1
    if not finite or W.integer[AT_ONCE, l] > MOST:
        end_run(runs, W, l, UNDECIDED, queue)


@kernel(exact=True)
def end_stopped(code, runs, W, queue):
    """End the runs that an event has ended; that instant is their last sample."""
    found = False
    for l in range(W.integer.shape[1]):
        stops = False
        for k in range(W.condition.shape[0]):
            stops |= W.fired[k, l] == 1 and runs.events[k, EVENT_ENDS] == 1
        stops &= W.integer[ALIVE, l] == 1
        times, i = runs.times[row_of(runs.times, W.integer[RUN, l])], W.integer[SAMPLE, l]
        W.integer[DUE, l] = 1 if stops and not (i > 0 and times[i - 1] >= W.number[NOW, l]) else 0
        W.number[SAMPLE_TIME, l] = W.number[NOW, l]
        W.fired[0, l] = 1 if stops else 0
        found |= stops
    if not found:
        return
    record(code, runs, W, W.y)
    for l in range(W.integer.shape[1]):
        if W.fired[0, l] == 1:
            end_run(runs, W, l, STOPPED, queue)
