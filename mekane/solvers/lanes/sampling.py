"""Samples of each lane at its own times, from the dense output of its step."""

from mekane.numba_backend.kernel import kernel
from mekane.numba_backend.lane_calls import call_each, call_lanes
from mekane.solvers.lanes.lane_state import (
    ACCEPTED,
    ALIVE,
    CHANNELS,
    DUE,
    N_MODEL,
    NEW_TIME,
    NOW,
    RHS,
    RUN,
    SAMPLE,
    STAGE_TIME,
    STEP,
    THETA,
)
from mekane.solvers.lanes.projection import project

DENSE, AT_SHARE = 2, 3  # places of `dense` and `sample` after the stages, see step_code


@kernel(exact=True)
def row_of(array, run):
    """The row of a run, where all of them may share one."""
    return run if array.shape[0] > 1 else 0


@kernel(exact=True)
def find_due(runs, W):
    """Mark lanes with a sample inside the step they have just taken, the last sample left out. Returns whether there are any."""
    found, last = False, runs.times.shape[1] - 1
    for l in range(W.word.shape[1]):
        run, k = W.word[RUN, l], W.word[SAMPLE, l]
        due = W.word[ACCEPTED, l] == 1 and k < last and runs.times[row_of(runs.times, run), k] < W.number[NEW_TIME, l]
        W.word[DUE, l] = 1 if due else 0
        found |= due
    return found


@kernel(exact=True)
def keep_samples(code, M, runs, W):
    """All samples inside the step. Returns whether there were any; then the slope at the end of the step is known."""
    if not find_due(runs, W):
        return False
    dense_output(code, M, W)
    more = True
    while more:
        for l in range(W.word.shape[1]):
            share_of_sample(runs, W, l)
        n = W.y.shape[0]
        call_each(code[N_MODEL + M.A.shape[0] + AT_SHARE], W.y, W.new, W.number[THETA], W.dense, W.sample, n)
        project(code, W, STAGE_TIME, W.sample, DUE)
        record(code, runs, W, W.sample)
        more = find_due(runs, W)
    return True


@kernel(exact=True)
def share_of_sample(runs, W, l):
    """Time of the next sample of a lane, and the share of its step before it."""
    W.number[STAGE_TIME, l], W.number[THETA, l] = W.number[NEW_TIME, l], 0.0
    if W.word[DUE, l] == 1:
        run = W.word[RUN, l]
        W.number[STAGE_TIME, l] = runs.times[row_of(runs.times, run), W.word[SAMPLE, l]]
        W.number[THETA, l] = (W.number[STAGE_TIME, l] - W.number[NOW, l]) / W.number[STEP, l]


@kernel(exact=True)
def dense_output(code, M, W):
    """The slopes that only the dense output needs, the first of which is that at the end of the step, and its
    coefficients."""
    n, first = W.y.shape[0], M.b.shape[0]
    for i in range(first, M.A.shape[0]):
        call_each(code[N_MODEL + i], W.y, W.new, W.number[STEP], W.slopes, W.stage, n)
        for l in range(W.word.shape[1]):
            inside = W.number[NOW, l] + M.c[i] * W.number[STEP, l]
            W.number[STAGE_TIME, l] = W.number[NEW_TIME, l] if M.c[i] == 1.0 else inside
        call_lanes(code[RHS], W.number[STAGE_TIME], W.stage, W.parameters, W.slopes[0, i])
    call_each(code[N_MODEL + M.A.shape[0] + DENSE], W.y, W.new, W.number[STEP], W.slopes, W.dense, n)


@kernel(exact=True)
def record(code, runs, W, y):
    """Write the state y, at STAGE_TIME, as the next sample of the lanes that are due."""
    if code[CHANNELS] != 0:
        call_lanes(code[CHANNELS], W.number[STAGE_TIME], y, W.parameters, W.channels)
    for l in range(W.word.shape[1]):
        if W.word[DUE, l] == 1:
            run, k = W.word[RUN, l], W.word[SAMPLE, l]
            for m in range(runs.values.shape[2]):
                runs.values[run, k, m] = W.channels[m, l]
            for m in range(runs.states.shape[2]):
                runs.states[run, k, m] = y[m, l]
            W.word[SAMPLE, l] = k + 1


@kernel(exact=True)
def record_ends(code, runs, W):
    """The last sample of the lanes that have reached their end."""
    found, last = False, runs.times.shape[1] - 1
    for l in range(W.word.shape[1]):
        W.number[STAGE_TIME, l] = W.number[NOW, l]
        end = runs.times[row_of(runs.times, W.word[RUN, l]), last]
        due = W.word[ALIVE, l] == 1 and W.number[NOW, l] >= end
        W.word[DUE, l] = 1 if due else 0
        found |= due
    if found:
        record(code, runs, W, W.y)
