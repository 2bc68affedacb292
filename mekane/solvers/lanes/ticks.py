"""Sampled controllers on lanes: what `solvers.clocks` does in one run. Every lane has counts and waiting values of its own;
steps end at ticks and where a value is written."""

import numpy as np

from mekane.numba_backend.kernel import kernel
from mekane.numba_backend.lane_calls import call_lanes
from mekane.solvers.clocks import DELAY, EVERY, NEXT, OFFSET, WRITTEN, is_due
from mekane.solvers.lanes.control import end_of_run, end_run
from mekane.solvers.lanes.lane_state import ALIVE, BEGINS, FIRST_DISCRETE, NEXT_TICK, NOW, TICKED, TICKS, UNDECIDED


@kernel(exact=True)
def tick_time(runs, W, k, l):
    return runs.tick_times[k, OFFSET] + W.ticks[k, NEXT, l] * runs.tick_times[k, EVERY]


@kernel(exact=True)
def write_time(runs, W, k, l):
    """Of the value that has waited longest; infinite if none waits."""
    if W.ticks[k, WRITTEN, l] == W.ticks[k, NEXT, l]:
        return np.inf
    times = runs.tick_times[k]
    return times[OFFSET] + W.ticks[k, WRITTEN, l] * times[EVERY] + times[DELAY]


@kernel(exact=True)
def set_next_tick(runs, W, l):
    """The instant of the next tick or write of a lane."""
    W.number[NEXT_TICK, l] = np.inf
    for k in range(runs.tick_times.shape[0]):
        first = min(tick_time(runs, W, k, l), write_time(runs, W, k, l))
        W.number[NEXT_TICK, l] = min(W.number[NEXT_TICK, l], first)


@kernel(exact=True)
def tick(code, settings, runs, W, queue):
    """What clocks do in the lanes whose step begins now, marked by TICKED. Returns whether any does. A run in which a formula
    gives no number leaves its lane."""
    found = False
    for l in range(W.integer.shape[1]):
        due = W.integer[ALIVE, l] == 1 and W.number[NEXT_TICK, l] <= W.number[NOW, l] < end_of_run(runs, W, l)
        W.integer[TICKED, l] = 1 if due else 0
        found |= due
    if not found:
        return False
    call_lanes(code[TICKS], W.number[NOW], W.y, W.parameters, W.formulas)
    for l in range(W.integer.shape[1]):
        if W.integer[TICKED, l] == 1:
            write_due(settings, runs, W, l)
            if not take_formulas(runs, W, l):
                end_run(runs, W, l, UNDECIDED, queue)
            write_due(settings, runs, W, l)
            set_next_tick(runs, W, l)
            W.integer[BEGINS, l] = 1  # conditions may read what was written
    return True


@kernel(exact=True)
def write_due(settings, runs, W, l):
    """Inputs get the values that are due."""
    first = int(settings[FIRST_DISCRETE])
    for k in range(runs.tick_times.shape[0]):
        while is_due(write_time(runs, W, k, l), W.number[NOW, l]):
            slot = W.ticks[k, WRITTEN, l] % W.waiting.shape[1]
            for w in range(runs.write_first[k], runs.write_first[k + 1]):
                W.parameters[first + w, l] = W.waiting[w, slot, l]
            W.ticks[k, WRITTEN, l] += 1


@kernel(exact=True)
def take_formulas(runs, W, l):
    """Values of the controllers that tick now wait from here on. Returns whether all are numbers."""
    finite = True
    for k in range(runs.tick_times.shape[0]):
        if is_due(tick_time(runs, W, k, l), W.number[NOW, l]):
            slot = W.ticks[k, NEXT, l] % W.waiting.shape[1]
            for w in range(runs.write_first[k], runs.write_first[k + 1]):
                W.waiting[w, slot, l] = W.formulas[w, l]
                finite &= np.isfinite(W.formulas[w, l])
            W.ticks[k, NEXT, l] += 1
    return finite
