"""Lanes that are free take the next run from the queue: its start, its first slope and its first step."""

import numpy as np

from mekane.numba_backend.kernel import kernel
from mekane.numba_backend.lane_calls import call_lanes, next_number
from mekane.solvers.lanes.happenings import forget_conditions
from mekane.solvers.lanes.lane_state import (
    ABSOLUTE,
    ACCEPTED,
    ALIVE,
    AT_ONCE,
    BEGINS,
    DUE,
    FRESH,
    GRID,
    HALVED,
    LANDS,
    LARGEST_STEP,
    MISSES,
    N_ERROR,
    NEXT,
    NOW,
    PIVOT,
    REJECTED,
    RELATIVE,
    RHS,
    ROOT,
    RUN,
    SAMPLE,
    SAMPLE_TIME,
    SMOOTH,
    STAGE_TIME,
    STEP,
    STEPS,
    STIFF,
    STOP,
    STUCK,
)
from mekane.solvers.lanes.measurements import follow
from mekane.solvers.lanes.projection import project
from mekane.solvers.lanes.sampling import record, row_of
from mekane.solvers.lanes.ticks import set_next_tick


@kernel(exact=True)
def take_runs(runs, W, queue):
    """Begin a run in every free lane, while there are any. Returns whether one has begun."""
    begun = False
    for l in range(W.integer.shape[1]):
        W.integer[FRESH, l] = 0
        if W.integer[ALIVE, l] == 0 and queue[NEXT] < runs.order.shape[0]:
            k = next_number(queue, NEXT)
            if k < runs.order.shape[0]:
                load_run(runs, W, l, runs.order[k])
                begun = True
    return begun


@kernel(exact=True)
def load_run(runs, W, l, run):
    W.integer[RUN, l], W.integer[ALIVE, l], W.integer[FRESH, l] = run, 1, 1
    for k in (SAMPLE, STEPS, STOP, GRID, ACCEPTED, REJECTED, STIFF, SMOOTH, MISSES, LANDS, HALVED, STUCK):
        W.integer[k, l] = 0
    W.number[NOW, l], W.number[ROOT, l], W.number[PIVOT, l] = runs.now[run], 1.0, 1.0
    W.ticks[:, :, l] = 0
    set_next_tick(runs, W, l)
    W.integer[BEGINS, l], W.integer[AT_ONCE, l] = 1, 0
    forget_conditions(W, l)
    times = runs.times[row_of(runs.times, run)]
    while W.number[NOW, l] > 0.0 and times[W.integer[SAMPLE, l]] <= W.number[NOW, l]:  # they are known
        W.integer[SAMPLE, l] += 1
    for m in range(runs.start.shape[1]):
        W.y[m, l] = runs.start[row_of(runs.start, run), m]
    for m in range(runs.parameters.shape[1]):
        W.parameters[m, l] = runs.parameters[row_of(runs.parameters, run), m]


@kernel(exact=True)
def start_runs(code, settings, W):
    """Starts onto the constraints."""
    project(code, settings, W, NOW, W.y, FRESH)
    follow(code, W, NOW, W.y, FRESH)


@kernel(exact=True)
def record_starts(code, runs, W):
    """First samples; where a clock ticks or an event happens at once, they show what it has set."""
    for l in range(W.integer.shape[1]):
        W.number[SAMPLE_TIME, l] = W.number[NOW, l]
        due = runs.times[row_of(runs.times, W.integer[RUN, l]), W.integer[SAMPLE, l]]
        fresh = W.integer[FRESH, l] == 1 and W.integer[ALIVE, l] == 1
        W.integer[DUE, l] = 1 if fresh and due <= W.number[NOW, l] else 0
    record(code, runs, W, W.y)


@kernel(exact=True)
def guess_steps(code, settings, runs, W):
    """First steps of the lanes that have just begun, from slope and curvature (Hairer, Nørsett, Wanner, section II.4)."""
    n = int(settings[N_ERROR])
    for l in range(W.integer.shape[1]):
        W.number[STAGE_TIME, l] = W.number[NOW, l]
        for m in range(W.y.shape[0]):
            W.stage[m, l] = W.y[m, l]
        if W.integer[FRESH, l] == 1:
            explicit_step(settings, runs, W, l, n)
    call_lanes(code[RHS], W.number[STAGE_TIME], W.stage, W.parameters, W.derivatives[0, 1])
    for l in range(W.integer.shape[1]):
        if W.integer[FRESH, l] == 1:
            W.number[STEP, l] = step_by_curvature(settings, W, l, n)


@kernel(exact=True)
def explicit_step(settings, runs, W, l, n):
    """A step in which the state would change by a hundredth of itself, by its slope."""
    rest = runs.times[row_of(runs.times, W.integer[RUN, l]), runs.times.shape[1] - 1]
    d0, d1 = 0.0, 0.0
    for m in range(n):
        scale = settings[ABSOLUTE] + settings[RELATIVE] * abs(W.y[m, l])
        d0 += (W.y[m, l] / scale) ** 2
        d1 += (W.derivatives[m, 0, l] / scale) ** 2
    h = 1e-6 * min(1.0, rest)
    if d1 >= 1e-10 * n:
        h = min(max(h, 0.01 * np.sqrt(d0 / d1)), rest)
    W.number[STEP, l], W.number[STAGE_TIME, l] = h, W.number[NOW, l] + h
    for m in range(W.y.shape[0]):
        W.stage[m, l] = W.y[m, l] + h * W.derivatives[m, 0, l]


@kernel(exact=True)
def step_by_curvature(settings, W, l, n):
    h, d1, d2 = W.number[STEP, l], 0.0, 0.0
    for m in range(n):
        scale = settings[ABSOLUTE] + settings[RELATIVE] * abs(W.y[m, l])
        d1 += (W.derivatives[m, 0, l] / scale) ** 2
        d2 += ((W.derivatives[m, 1, l] - W.derivatives[m, 0, l]) / scale) ** 2
    steepest = max(np.sqrt(d1 / max(n, 1)), np.sqrt(d2 / max(n, 1)) / h)
    if not np.isfinite(steepest) or n == 0:
        return h
    wanted = max(1e-6, 1e-3 * h) if steepest <= 1e-15 else np.sqrt(np.sqrt(np.sqrt(0.01 / steepest)))
    return min(min(100.0 * h, wanted), settings[LARGEST_STEP])
