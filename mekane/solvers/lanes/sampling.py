"""Samples of each lane at its own times, from the dense output of its step."""

from mekane.numba_backend.kernel import kernel
from mekane.numba_backend.lane_calls import call_each, call_lanes
from mekane.solvers.lanes.lane_state import (
    ACCEPTED,
    ALIVE,
    CHANNELS,
    DUE,
    GUARDS,
    KNOWN,
    MOVES,
    N_MODEL,
    NEW_TIME,
    NEXT_TICK,
    NOW,
    RHS,
    RUN,
    SAMPLE,
    SAMPLE_TIME,
    STAGE_TIME,
    STEP,
    STRIDE,
    THETA,
)
from mekane.solvers.lanes.measurements import follow, set_strides
from mekane.solvers.lanes.projection import project

DENSE, AT_SHARE = 2, 3  # places of `dense` and `sample` after the stages, see step_code


@kernel(exact=True)
def row_of(array, run):
    """The row of a run, where all of them may share one."""
    return run if array.shape[0] > 1 else 0


@kernel(exact=True)
def keep_samples(code, M, settings, runs, W):
    """All samples inside the step; measurements are followed to each, and through a long step. Returns whether the dense
    output was needed; then the slope at the end of the step is known."""
    set_strides(code, W)
    if not next_instants(runs, W):
        return False
    if code[GUARDS] == 0:  # else it is there
        dense_output(code, M, W)
    more = True
    while more:
        n = W.y.shape[0]
        call_each(code[N_MODEL + M.A.shape[0] + AT_SHARE], W.y, W.new, W.number[THETA], W.dense, W.sample, n)
        project(code, settings, W, SAMPLE_TIME, W.sample, DUE)
        record(code, runs, W, W.sample)
        follow(code, W, SAMPLE_TIME, W.sample, MOVES)
        more = next_instants(runs, W)
    return True


@kernel(exact=True)
def next_instants(runs, W):
    """Where in its step the state of each lane is wanted next. Returns whether any is."""
    found = False
    for l in range(W.integer.shape[1]):
        W.integer[MOVES, l] = W.integer[DUE, l] = 0
        W.number[SAMPLE_TIME, l], W.number[THETA, l] = W.number[NEW_TIME, l], 0.0
        if W.integer[ACCEPTED, l] == 1:
            next_instant(runs, W, l)
            found |= W.integer[MOVES, l] == 1
    return found


@kernel(exact=True)
def next_instant(runs, W, l):
    """The next sample, the last one left out, or as far as measurements can be followed at once."""
    k, end = W.integer[SAMPLE, l], W.number[NEW_TIME, l]
    instant = runs.times[row_of(runs.times, W.integer[RUN, l]), k]
    due = k < runs.times.shape[1] - 1 and instant < end
    if due and W.number[NEXT_TICK, l] <= end:  # at a tick it shows what is written there
        due = instant < end - 1e-15 * abs(end)
    instant = instant if due else end
    if instant - W.number[KNOWN, l] > 1.001 * W.number[STRIDE, l]:
        instant, due = W.number[KNOWN, l] + W.number[STRIDE, l], False
    W.integer[DUE, l] = 1 if due else 0
    W.integer[MOVES, l] = 1 if instant < end else 0
    W.number[SAMPLE_TIME, l] = W.number[KNOWN, l] = instant
    W.number[THETA, l] = (instant - W.number[NOW, l]) / W.number[STEP, l]


@kernel(exact=True)
def dense_output(code, M, W):
    """The derivatives that only the dense output needs, the first of which is that at the end of the step, and its
    coefficients."""
    n, first = W.y.shape[0], M.b.shape[0]
    for i in range(first, M.A.shape[0]):
        call_each(code[N_MODEL + i], W.y, W.new, W.number[STEP], W.derivatives, W.stage, n)
        for l in range(W.integer.shape[1]):
            inside = W.number[NOW, l] + M.c[i] * W.number[STEP, l]
            W.number[STAGE_TIME, l] = W.number[NEW_TIME, l] if M.c[i] == 1.0 else inside
        call_lanes(code[RHS], W.number[STAGE_TIME], W.stage, W.parameters, W.derivatives[0, i])
    call_each(code[N_MODEL + M.A.shape[0] + DENSE], W.y, W.new, W.number[STEP], W.derivatives, W.dense, n)


@kernel(exact=True)
def record(code, runs, W, y):
    """Write the state y, at SAMPLE_TIME, as the next sample of the lanes that are due."""
    if code[CHANNELS] != 0:
        call_lanes(code[CHANNELS], W.number[SAMPLE_TIME], y, W.parameters, W.channels)
    for l in range(W.integer.shape[1]):
        if W.integer[DUE, l] == 1:
            run, k = W.integer[RUN, l], W.integer[SAMPLE, l]
            for m in range(runs.values.shape[2]):
                runs.values[run, k, m] = W.channels[m, l]
            for m in range(runs.states.shape[2]):
                runs.states[run, k, m] = y[m, l]
            W.integer[SAMPLE, l] = k + 1


@kernel(exact=True)
def record_ends(code, runs, W):
    """The last sample of the lanes that have reached their end."""
    found, last = False, runs.times.shape[1] - 1
    for l in range(W.integer.shape[1]):
        W.number[SAMPLE_TIME, l] = W.number[NOW, l]
        end = runs.times[row_of(runs.times, W.integer[RUN, l]), last]
        due = W.integer[ALIVE, l] == 1 and W.number[NOW, l] >= end
        W.integer[DUE, l] = 1 if due else 0
        found |= due
    if found:
        record(code, runs, W, W.y)
