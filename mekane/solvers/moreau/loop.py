"""The time loop of Moreau's method. Compiled, nothing allocated."""

from mekane.kernels.moreau.step import HIDE, NO_SPACE, SHOW
from mekane.kernels.projection import make_unit, switch_sequence
from mekane.numba_backend.kernel import kernel
from mekane.solvers.entries.calls import evaluate_kinematics, follow, project
from mekane.solvers.sampling import keep_sample
from mekane.solvers.stages import is_finite
from mekane.solvers.state import (
    BASE,
    END,
    EVALUATIONS,
    FINISHED,
    GRID,
    LARGEST_PROJECTION,
    LAST,
    NEXT_TICK,
    NOT_FINITE,
    NOW,
    OUTCOME,
    PROJECT,
    SAMPLE,
    STEP,
    STEPS,
    UNDERWAY,
    copy,
)
from mekane.solvers.step_start import AGAIN, LEAVE, start_step
from mekane.tables.handle import MOREAU, call
from mekane.tables.tables import N_ACTIVE, N_Q

FULL = 100  # outcome: there are more contacts than there is space for; the step is to be taken again
SAME = 1e-9  # of a step: at the same instant


@kernel(exact=True, outer=True)
def advance(
    P, M, S, y, step_state, counters, record, event_times, events, conditions, clocks, most_steps, memory, buffer
):
    """Go on until the end of the run or for so many steps. memory: addresses of a Memory; buffer: for two states and a
    number. The outcome is in `counters`."""
    counters[OUTCOME] = UNDERWAY
    for _ in range(most_steps):
        what = start_step(P, M, S, y, step_state, counters, record, event_times, events, conditions, clocks, False)
        if what == LEAVE:
            return
        if what == AGAIN:
            continue
        t, (t_new, grid) = step_state[NOW], end_on_grid(step_state, counters[GRID])
        n = y.shape[0]
        copy(y, buffer[:n])
        copy(S.K[0], buffer[n : 2 * n])
        buffer[2 * n] = t_new - t
        if call(P.header, MOREAU, t, buffer, memory) == NO_SPACE:
            counters[OUTCOME] = FULL
            return
        counters[EVALUATIONS] += 1
        copy(buffer[:n], S.new)
        if not is_finite(S.new):
            counters[OUTCOME] = NOT_FINITE
            return
        counters[GRID] = grid
        finish(P, S, y, step_state, counters, record, t_new, memory, buffer)
    if step_state[NOW] >= step_state[END]:
        counters[OUTCOME] = FINISHED


@kernel(exact=True)
def end_on_grid(step_state, n):
    """Where the next step on the grid BASE + n STEP ends, and its number; the last one ends at END, one before a tick
    there."""
    n, slack = n + 1, SAME * step_state[STEP]
    if step_state[BASE] + n * step_state[STEP] <= step_state[NOW] + slack:
        n += 1  # a tick was at the end of a step
    t_new = step_state[BASE] + n * step_state[STEP]
    goal = min(step_state[END], step_state[NEXT_TICK])
    if t_new > goal - slack:
        return goal, n - 1 if t_new > goal + slack else n
    return t_new, n


@kernel(exact=True)
def finish(P, S, y, step_state, counters, record, t_new, memory, buffer):
    """Take the step, with samples on the way."""
    t = step_state[NOW]
    whole = t_new - t
    near = 1e-12 * max(whole, abs(t_new) * 1e-3)
    while counters[SAMPLE] < record.t.shape[0] and record.t[counters[SAMPLE]] < t_new - near:
        now = record.t[counters[SAMPLE]]
        on_the_way(P, S, y, (now - t) / whole, buffer[y.shape[0] : 2 * y.shape[0]])
        onto_constraints(P, S, counters, S.sample, now)
        sample(P, record, counters, S.sample, memory, buffer)
    copy(S.new, y)
    step_state[LAST] = whole
    accept(P, S, step_state, counters, y, t_new)
    step_state[NOW] = t_new
    counters[STEPS] += 1
    while counters[SAMPLE] < record.t.shape[0] and record.t[counters[SAMPLE]] <= t_new + near:
        sample(P, record, counters, y, memory, buffer)


@kernel(exact=True)
def on_the_way(P, S, y, share, middle):
    """S.sample: the state at this share of a step, whose impulses act in its middle. middle: as `moreau_step` gives it."""
    n_q, after = P.count[N_Q], share > 0.5
    for m in range(n_q):
        if after:
            S.sample[m] = S.new[m] + 2.0 * (1.0 - share) * (middle[m] - S.new[m])
        else:
            S.sample[m] = y[m] + 2.0 * share * (middle[m] - y[m])
    for m in range(n_q, y.shape[0]):
        smooth = middle[m] - y[m]
        S.sample[m] = S.new[m] - (1.0 - share) * smooth if after else y[m] + share * smooth


@kernel(exact=True)
def onto_constraints(P, S, counters, y, t):
    """Returns the largest move of a coordinate. Gaps are not constraints: what has no others is not projected."""
    if counters[PROJECT] == 1 and P.state[N_ACTIVE] > 0:
        return project(P, t, y, S.x)
    make_unit(P.primitive_i, y)
    return 0.0


@kernel(exact=True)
def accept(P, S, step_state, counters, y, t):
    """As of every accepted state: sequence of angles, projection, whole turns."""
    n_q = P.count[N_Q]
    switch_sequence(P.primitive_i, y[:n_q], y[n_q:])
    moved = onto_constraints(P, S, counters, y, t)
    step_state[LARGEST_PROJECTION] = max(step_state[LARGEST_PROJECTION], moved)
    if S.measurement.shape[0] > 0:
        evaluate_kinematics(P, t, y, S.measurement)
        follow(P, t, S.measurement)


@kernel(exact=True)
def sample(P, record, counters, y, memory, buffer):
    """Write the state as the next sample, with the modes of its step."""
    buffer[2 * y.shape[0]] = SHOW
    call(P.header, MOREAU, 0.0, buffer, memory)
    keep_sample(P, record, counters, y)
    buffer[2 * y.shape[0]] = HIDE
    call(P.header, MOREAU, 0.0, buffer, memory)
