"""Steps of each lane: how long they are, whether they are accepted, how long the next is, and why a run ends.

Powers of the error are taken by square roots, which are exact: e^(1/8) is three of them. So no library decides how long a
step is.
"""

import numpy as np

from mekane.numba_backend.kernel import kernel
from mekane.numba_backend.lane_calls import call_each, next_number
from mekane.solvers.error_control import SHRINK, STABILITY, error_of_work, is_over, vanishes
from mekane.solvers.lanes.lane_state import (
    ABSOLUTE,
    ACCEPTED,
    ALIVE,
    ATOL,
    DONE,
    ENDED,
    ERROR,
    FIRST_SPEED,
    FOLLOWING,
    GRID,
    IS_STIFF,
    LANDING,
    LANDS,
    LARGEST_STEP,
    LAST,
    LEAST,
    MISSES,
    MOST_STEPS,
    N_ERROR,
    N_MODEL,
    NEW_TIME,
    NEXT_TICK,
    NOT_FINITE,
    NOW,
    PIVOT,
    REJECTED,
    RELATIVE,
    ROOT,
    ROWS_CHANGED,
    RTOL,
    RUN,
    SECOND_ERROR,
    SINGULAR,
    SMOOTH,
    STEP,
    STEPS,
    STIFF,
    STOP,
    TICKED,
    TOO_LONG,
    VANISHED,
    WANTED,
    WATCH,
    WATCHFUL_STEP,
    WEAK,
)
from mekane.solvers.lanes.sampling import row_of

SAFETY, GROW = 0.86, 8.0
SMALLEST_ERROR = 1e-12
ERROR_OF = 1  # place of `error` after the stages, see step_code


@kernel(exact=True)
def end_of_run(runs, W, l):
    return runs.times[row_of(runs.times, W.integer[RUN, l]), runs.times.shape[1] - 1]


@kernel(exact=True)
def next_stop(runs, W, l):
    """The next switching time of the run in a lane; infinite: there is none."""
    k = W.integer[STOP, l]
    return runs.stops[row_of(runs.stops, W.integer[RUN, l]), k] if k < runs.stops.shape[1] else np.inf


@kernel(exact=True)
def pass_stops(runs, W, adaptive):
    """Steps begin after discontinuities of the time, as `step_start.pass_event_times` has it."""
    for l in range(W.integer.shape[1]):
        if W.integer[ALIVE, l] == 1:
            end = min(end_of_run(runs, W, l), W.number[NEXT_TICK, l])
            while next_stop(runs, W, l) < end and is_over(next_stop(runs, W, l), W.number[NOW, l]):
                if adaptive:
                    W.number[NOW, l] = max(W.number[NOW, l], next_stop(runs, W, l))
                W.integer[STOP, l] += 1


@kernel(exact=True)
def next_goal(runs, W, l):
    """The instant at which a step of this lane shall end, at the latest."""
    return min(end_of_run(runs, W, l), next_stop(runs, W, l), W.number[NEXT_TICK, l])


@kernel(exact=True)
def choose_steps(runs, W, settings, adaptive):
    """STEP and NEW_TIME of every lane; those without a run stand still."""
    for l in range(W.integer.shape[1]):
        if W.integer[ALIVE, l] == 0:
            W.number[STEP, l], W.number[NEW_TIME, l] = 0.0, W.number[NOW, l]
        elif W.integer[LANDS, l] > 0:
            W.number[WANTED, l], W.number[NEW_TIME, l] = W.number[STEP, l], W.number[LANDING, l]
            W.number[STEP, l] = W.number[LANDING, l] - W.number[NOW, l]
        elif adaptive:
            adaptive_step(W, l, next_goal(runs, W, l), largest_step(runs, W, settings, l))
        else:
            fixed_step(W, l, next_goal(runs, W, l), settings[LARGEST_STEP])


@kernel(exact=True)
def largest_step(runs, W, settings, l):
    """Where comparisons are watched no change of sides shall be stepped over."""
    row = row_of(runs.watched, W.integer[RUN, l])
    for k in range(runs.watched.shape[1]):
        if runs.watched[row, k] == 1:
            return min(settings[LARGEST_STEP], settings[WATCHFUL_STEP])
    return settings[LARGEST_STEP]


@kernel(exact=True)
def adaptive_step(W, l, goal, largest):
    t, h = W.number[NOW, l], min(W.number[STEP, l], largest)
    W.number[WANTED, l] = h
    if t + h >= goal - 1e-3 * h:
        W.number[STEP, l], W.number[NEW_TIME, l] = goal - t, goal
    elif t + 2.0 * h > goal:
        W.number[STEP, l], W.number[NEW_TIME, l] = 0.5 * (goal - t), t + 0.5 * (goal - t)
    else:
        W.number[STEP, l], W.number[NEW_TIME, l] = h, t + h


@kernel(exact=True)
def fixed_step(W, l, goal, h):
    """One step of the grid n h; the last one ends at the end of the run."""
    t, n = W.number[NOW, l], W.integer[GRID, l] + 1
    if n * h <= t + 1e-9 * h:
        n += 1
    t_new = n * h
    if t_new > goal - 1e-9 * h:
        t_new, n = goal, n - 1 if t_new > goal + 1e-9 * h else n
    W.integer[GRID, l], W.number[NEW_TIME, l], W.number[STEP, l] = n, t_new, t_new - t


@kernel(exact=True)
def judge_steps(code, M, runs, W, settings, queue):
    """Which steps are accepted, and how long the next ones are."""
    sum_errors(code, M, W, settings)
    n = settings[N_ERROR]
    for l in range(W.integer.shape[1]):
        error = max(error_of(M, W, l, n), work_error(M, runs, W, settings, l))
        W.integer[ACCEPTED, l] = 1 if W.integer[ALIVE, l] == 1 and error < 1.0 else 0
        root = np.sqrt(np.sqrt(np.sqrt(max(error, SMALLEST_ERROR))))
        if W.integer[ACCEPTED, l] == 1:
            follow_accepted(W, l, np.sqrt(np.sqrt(root)))
        elif W.integer[ALIVE, l] == 1:
            follow_rejected(W, l, error, root)
            if vanishes(W.number[FOLLOWING, l], W.number[NOW, l]):
                end_run(runs, W, l, VANISHED if np.isfinite(error) else NOT_FINITE, queue)


@kernel(exact=True)
def sum_errors(code, M, W, settings):
    for l in range(W.integer.shape[1]):
        W.number[ERROR, l] = W.number[SECOND_ERROR, l] = 0.0
        W.number[ATOL, l], W.number[RTOL, l] = settings[ABSOLUTE], settings[RELATIVE]
    n = int(settings[N_ERROR])
    if n > 0:
        place = N_MODEL + M.A.shape[0] + ERROR_OF
        call_each(code[place], W.y, W.new, W.number[ATOL:], W.derivatives, W.number[ERROR:], n)


@kernel(exact=True)
def error_of(M, W, l, n):
    """Root-mean-square error over its tolerance, as `error_control.error_norm` has it."""
    total, second = W.number[ERROR, l], W.number[SECOND_ERROR, l]
    if total == 0.0:
        return 0.0
    if M.error.shape[0] == 2:
        return W.number[STEP, l] * total / np.sqrt((total + 0.01 * second) * n)
    return W.number[STEP, l] * np.sqrt(total / n)


@kernel(exact=True)
def work_error(M, runs, W, settings, l):
    """Of work in a step, as `error_control.work_error` has it; inertias are those of the model whose numbers vary."""
    K, y, new = W.derivatives[:, :, l].T, W.y[:, l], W.new[:, l]
    first, tolerances = int(settings[N_ERROR]), (settings[ABSOLUTE], settings[RELATIVE])
    return error_of_work(
        M, K, y, new, W.number[STEP, l], runs.inertia, int(settings[FIRST_SPEED]), first, y.shape[0], tolerances
    )


@kernel(exact=True)
def follow_accepted(W, l, root):
    """Proportional and integral control: h e^(−3/32) e_before^(1/32). root: e^(1/32)."""
    h = W.number[STEP, l]
    factor = min(1.0 if W.integer[REJECTED, l] == 1 else GROW, SAFETY * W.number[ROOT, l] / (root * root * root))
    cut = h < W.number[WANTED, l]
    W.number[FOLLOWING, l] = max(h * factor, W.number[WANTED, l]) if cut else h * factor
    W.number[ROOT, l], W.integer[REJECTED, l] = root, 0


@kernel(exact=True)
def follow_rejected(W, l, error, root):
    factor = max(SHRINK, SAFETY / root) if np.isfinite(error) else SHRINK
    W.number[FOLLOWING, l], W.integer[REJECTED, l] = W.number[STEP, l] * factor, 1


@kernel(exact=True)
def judge_fixed_steps(runs, W, queue):
    """Steps of a fixed length are accepted while they are finite."""
    for l in range(W.integer.shape[1]):
        W.integer[ACCEPTED, l], W.number[FOLLOWING, l] = W.integer[ALIVE, l], W.number[STEP, l]
        for m in range(W.new.shape[0]):
            if W.integer[ACCEPTED, l] == 1 and not np.isfinite(W.new[m, l]):
                W.integer[ACCEPTED, l] = 0
                end_run(runs, W, l, NOT_FINITE, queue)


@kernel(exact=True)
def end_run(runs, W, l, outcome, queue):
    """The lane is free from here on."""
    run = W.integer[RUN, l]
    runs.outcome[run], runs.steps[run], W.integer[ALIVE, l] = outcome, W.integer[STEPS, l], 0
    if outcome != DONE:  # also where an event ends it
        keep_state(runs, W, l, run)
    next_number(queue, ENDED)


@kernel(exact=True)
def keep_state(runs, W, l, run):
    """The last accepted state of a lane, for another engine to go on from."""
    runs.now[run] = W.number[NOW, l]
    for m in range(runs.start.shape[1]):
        runs.start[run, m] = W.y[m, l]
    for m in range(W.measured.shape[0]):
        runs.parameters[run, m] = W.parameters[m, l]


@kernel(exact=True)
def leave_before(runs, W, settings, queue):
    """End runs whose step met a singular position, or rows that no longer repeat others, at the state before it."""
    for l in range(W.integer.shape[1]):
        if W.integer[ACCEPTED, l] == 1:
            W.number[PIVOT, l] = min(W.number[PIVOT, l], W.number[LEAST, l])
            outcome = ROWS_CHANGED if W.integer[MISSES, l] == 1 else SINGULAR
            if outcome == ROWS_CHANGED or W.number[PIVOT, l] < settings[WEAK]:
                W.integer[ACCEPTED, l] = 0
                for k in range(W.measured.shape[0]):
                    W.parameters[k, l] = W.before[k, l]
                end_run(runs, W, l, outcome, queue)


@kernel(exact=True)
def go_on(runs, W, settings, queue):
    """After a step: the times of lanes that took it, and whether their runs end here."""
    for l in range(W.integer.shape[1]):
        if W.integer[ACCEPTED, l] == 1:
            W.integer[STEPS, l] += 1
            outcome = outcome_of(runs, W, l, settings)
            if outcome != 0:
                end_run(runs, W, l, outcome, queue)


@kernel(exact=True)
def outcome_of(runs, W, l, settings):
    """Why the run in a lane ends here; 0: it does not."""
    if W.number[NOW, l] >= end_of_run(runs, W, l):
        return DONE
    return TOO_LONG if W.integer[STEPS, l] >= settings[MOST_STEPS] else 0


@kernel(exact=True)
def watch_stiffness(M, runs, W, settings, queue):
    """End runs in which stability, not accuracy, has set the step for a while and many steps lie ahead, as
    `error_control.watch_stiffness` does. The slope at the end of their last step is known, unless a clock has changed it."""
    if settings[WATCH] == 0.0:
        return
    for l in range(W.integer.shape[1]):
        if W.integer[ALIVE, l] == 1 and W.integer[ACCEPTED, l] == 1 and W.integer[TICKED, l] == 0:
            if end_of_run(runs, W, l) - W.number[NOW, l] >= 2000.0 * W.number[STEP, l]:
                count_stiffness(M, W, l, int(settings[N_ERROR]))
                if W.integer[STIFF, l] >= 15:
                    end_run(runs, W, l, IS_STIFF, queue)


@kernel(exact=True)
def count_stiffness(M, W, l, n):
    """How often in a row the step times the size of the Jacobian was at the border of stability."""
    rates, states, last = 0.0, 0.0, M.b.shape[0] - 1
    for m in range(n):
        rates += (W.derivatives[m, 0, l] - W.derivatives[m, last, l]) ** 2
        states += (W.y[m, l] - W.last[m, l]) ** 2
    if states > 0.0 and W.number[LAST, l] * np.sqrt(rates / states) > M.numbers[STABILITY]:
        W.integer[STIFF, l], W.integer[SMOOTH, l] = W.integer[STIFF, l] + 1, 0
        return
    W.integer[SMOOTH, l] += 1
    if W.integer[SMOOTH, l] == 6:
        W.integer[STIFF, l] = 0
