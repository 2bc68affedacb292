"""The time loop over lanes: one step of all lanes after the other, until no run is left. One thread."""

from mekane.numba_backend.kernel import kernel
from mekane.numba_backend.lane_calls import call_each, call_lanes
from mekane.solvers.lanes.comparisons import decide_outcomes, find_changes
from mekane.solvers.lanes.control import (
    choose_steps,
    go_on,
    judge_fixed_steps,
    judge_steps,
    leave_before,
    pass_stops,
    watch_stiffness,
)
from mekane.solvers.lanes.happenings import happen
from mekane.solvers.lanes.lane_state import (
    ACCEPTED,
    ALIVE,
    AT_ONCE,
    BEGINS,
    CONDITIONS,
    FOLLOWING,
    GUARDS,
    HAPPENED,
    INTERRUPTED,
    LAST,
    LEAST,
    MEASURE,
    N_MODEL,
    NEW_TIME,
    NOW,
    OUTCOMES,
    POSITIONS,
    RHS,
    STAGE_TIME,
    STEP,
    TAKEN,
    TICKED,
    TICKS,
)
from mekane.solvers.lanes.measurements import follow
from mekane.solvers.lanes.projection import project
from mekane.solvers.lanes.refill import guess_steps, record_starts, start_runs, take_runs
from mekane.solvers.lanes.sampling import keep_samples, record_ends
from mekane.solvers.lanes.ticks import tick

SUM, TAKE = 0, 4  # places of `step` and `take` after the stages, see step_code


@kernel(exact=True, outer=True)
def run_lanes(code, M, settings, queue, runs, W):
    """Integrate runs from the queue until it is empty, or the call is interrupted."""
    adaptive, derivative_known = M.error.shape[0] > 0, False
    while queue[INTERRUPTED] == 0:
        begun = take_runs(runs, W, queue)
        if not is_any_alive(W):
            return
        if begun:
            start_runs(code, settings, W)
        pass_stops(runs, W, adaptive)
        begin_steps(code, settings, runs, W, queue)
        if begun:
            record_starts(code, runs, W)
        if begun or not derivative_known:
            call_lanes(code[RHS], W.number[NOW], W.y, W.parameters, W.derivatives[0, 0])
        if begun and adaptive:
            guess_steps(code, settings, runs, W)
        if adaptive:
            watch_stiffness(M, runs, W, settings, queue)
        choose_steps(runs, W, settings, adaptive)
        take_stages(code, M, W)
        if adaptive:
            judge_steps(code, M, runs, W, settings, queue)
        else:
            judge_fixed_steps(runs, W, queue)
        if code[GUARDS] != 0:
            find_changes(code, M, settings, runs, W, queue)
        sampled = keep_samples(code, M, settings, runs, W)
        finish_step(code, M, runs, W, settings, queue)
        derivative_known = sampled and is_smooth_tree(code)


@kernel(exact=True)
def begin_steps(code, settings, runs, W, queue):
    """Decide comparisons, let events happen and clocks tick, until nothing changes any more."""
    mask = ALIVE
    while True:
        if code[OUTCOMES] != 0:
            decide_outcomes(code, settings, runs, W, mask)
        if code[CONDITIONS] != 0 and happen(code, settings, runs, W, queue):
            mask = HAPPENED
        elif code[TICKS] != 0 and tick(code, settings, runs, W, queue):
            mask = TICKED
        else:
            return


@kernel(exact=True)
def is_smooth_tree(code):
    """Whether nothing happens to a state between two steps."""
    changes = code[OUTCOMES] != 0 or code[TICKS] != 0 or code[CONDITIONS] != 0
    return code[POSITIONS] == 0 and code[MEASURE] == 0 and not changes


@kernel(exact=True)
def is_any_alive(W):
    for l in range(W.integer.shape[1]):
        if W.integer[ALIVE, l] == 1:
            return True
    return False


@kernel(exact=True)
def take_stages(code, M, W):
    """Derivatives of all stages, and the new state."""
    n, last = W.y.shape[0], M.b.shape[0] - 1
    for l in range(W.integer.shape[1]):
        W.number[LEAST, l] = W.derivatives[n, 0, l]
    for i in range(1, last + 1):
        state = W.last if i == last else W.stage
        call_each(code[N_MODEL + i], W.y, W.new, W.number[STEP], W.derivatives, state, n)
        for l in range(W.integer.shape[1]):
            inside = W.number[NOW, l] + M.c[i] * W.number[STEP, l]
            W.number[STAGE_TIME, l] = W.number[NEW_TIME, l] if M.c[i] == 1.0 else inside
        call_lanes(code[RHS], W.number[STAGE_TIME], state, W.parameters, W.derivatives[0, i])
        for l in range(W.integer.shape[1]):
            W.number[LEAST, l] = min(W.number[LEAST, l], W.derivatives[n, i, l])
    call_each(code[N_MODEL + M.A.shape[0] + SUM], W.y, W.new, W.number[STEP], W.derivatives, W.new, n)


@kernel(exact=True)
def finish_step(code, M, runs, W, settings, queue):
    """New states onto the constraints, and into the lanes that accept them."""
    if code[POSITIONS] != 0:
        project(code, settings, W, NEW_TIME, W.new, ACCEPTED)
        leave_before(runs, W, settings, queue)
    for l in range(W.integer.shape[1]):
        accepted = W.integer[ACCEPTED, l] == 1
        W.number[TAKEN, l] = 1.0 if accepted else 0.0
    call_each(code[N_MODEL + M.A.shape[0] + TAKE], W.y, W.new, W.number[TAKEN], W.derivatives, W.new, W.y.shape[0])
    for l in range(W.integer.shape[1]):
        if W.integer[ACCEPTED, l] == 1:
            W.number[LAST, l], W.number[NOW, l] = W.number[STEP, l], W.number[NEW_TIME, l]
            W.integer[BEGINS, l], W.integer[AT_ONCE, l] = 1, 0
        W.number[STEP, l] = W.number[FOLLOWING, l]
    record_ends(code, runs, W)
    follow(code, W, NOW, W.y, ACCEPTED)
    go_on(runs, W, settings, queue)
