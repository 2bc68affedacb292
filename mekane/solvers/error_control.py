"""Step size control: the error of a step against the tolerances, the first step, and what keeps steps small: stiffness
and noise."""

import numpy as np

from mekane.numba_backend.kernel import kernel
from mekane.solvers.contacts.incipient_sliding import turning_limits_step
from mekane.solvers.entries.calls import rhs
from mekane.solvers.stages import new_state, stages
from mekane.solvers.state import (
    ATOL,
    BASE,
    END,
    ENDING,
    EVALUATIONS,
    FORCED,
    GRID,
    IS_NOISY,
    IS_STIFF,
    KEEP_END,
    LAST,
    NEXT_TICK,
    NOISY,
    NOW,
    OUTCOME,
    RTOL,
    SMOOTH,
    STEP,
    STEP_MAX,
    STEPS,
    STIFF,
    STOP,
    WATCH,
    copy,
)
from mekane.tables.tables import N_CONTROLLER, N_Q, N_U, N_WORK

ORDER, POWER, STABILITY = range(3)  # places in Tableau.numbers
SAFETY, SHRINK = 0.9, 0.2
SHORTEST = 1e-250  # step [s]
CLOSE = 1e-15  # relative; switching times so close to each other are one
WORK = 1e3  # times rtol of the energy: by so much work may be off in a step
SHORT = 1e-14  # of the time: a shorter step hardly moves it
FORCED_ERROR, MOST_FORCED = 1e-3, 50  # of the state, in a shortest step that is taken all the same; so many
FAR = 1e6  # steps ahead at the present pace: time to ask what sets it


@kernel(exact=True)
def vanishes(h, t):
    """True for a step that no longer moves the time, or is no number. Near t = 0 floats are dense: a step may be as
    short as it needs."""
    return not h > max(SHORTEST, SHORT * abs(t))


@kernel(exact=True)
def may_be_forced(P, t, h, counters):
    """Whether the shortest step may be taken though it misses the tolerances: where laws compare, one may be infinitely steep at
    its border, as a root is. What is lost in so short a time is little, and the estimate of the global error knows it."""
    return P.modes.shape[0] > 0 and h > 0.0 and SHORT * abs(t) > SHORTEST and counters[FORCED] < MOST_FORCED


@kernel(exact=True)
def shortest_step(t, step_state, counters, event_times):
    """The shortest step and its end, which is not beyond the next switching time."""
    goal = min(step_state[END], step_state[NEXT_TICK])
    if counters[STOP] < event_times.shape[0]:
        goal = min(goal, event_times[counters[STOP]])
    t_new = min(t + SHORT * abs(t), goal)
    return t_new - t, t_new


@kernel(exact=True)
def is_accepted(error, forced, step_state, counters):
    """Whether a step is accepted with this error over its tolerance. forced: it is the shortest."""
    if error < 1.0:
        counters[FORCED] = max(counters[FORCED] - 1, 0)
        return True
    if forced and error * step_state[RTOL] < FORCED_ERROR:
        counters[FORCED] += 1
        return True
    return False


@kernel(exact=True)
def is_over(instant, t):
    """Whether a switching time is not ahead of t."""
    return instant <= t * (1.0 + CLOSE)


@kernel(exact=True)
def fit(t, h, step_state, counters, event_times):
    """Shorten a step so that it ends at the next known switching time or at the end of the run. Returns step, end,
    whether it was cut."""
    while counters[STOP] < event_times.shape[0] and is_over(event_times[counters[STOP]], t):
        counters[STOP] += 1
    goal = min(step_state[END], step_state[NEXT_TICK])
    if counters[STOP] < event_times.shape[0]:
        goal = min(goal, event_times[counters[STOP]])
    if t + h >= goal - 1e-3 * h:
        return goal - t, goal, goal - t < h
    if t + 2.0 * h > goal:
        return 0.5 * (goal - t), t + 0.5 * (goal - t), True
    return h, t + h, False


@kernel(exact=True)
def end_sets_step(step_state, counters, event_times, adaptive):
    """Whether the next step would be another one if the run went on: up to here one that ends later goes the same way."""
    t, h, end = step_state[NOW], min(step_state[STEP], step_state[STEP_MAX]), step_state[END]
    if step_state[NEXT_TICK] < end:
        return False
    if not adaptive:
        return step_state[BASE] + (counters[GRID] + 1) * step_state[STEP] > end - 1e-9 * step_state[STEP]
    k = counters[STOP]
    while k < event_times.shape[0] and is_over(event_times[k], t):
        k += 1
    return t + 2.0 * h > end and not (k < event_times.shape[0] and event_times[k] < end)


@kernel(exact=True)
def leaves_before_end(step_state, counters, event_times, adaptive):
    """Leave the loop once, before the first step that the end of the run sets."""
    kept = counters[KEEP_END]
    if kept == 0 or not (kept == 2 or end_sets_step(step_state, counters, event_times, adaptive)):
        return False
    counters[KEEP_END], counters[OUTCOME] = 0, ENDING
    return True


@kernel(exact=True)
def leaves_before_first(S, y, step_state, counters, event_times, evaluations):
    """The same for a step whose length was not known before it began: all is as if it had not. Its beginning is in S.new."""
    if not leaves_before_end(step_state, counters, event_times, True):
        return False
    copy(S.new, y)
    counters[EVALUATIONS], step_state[STEP] = evaluations, 0.0
    return True


@kernel(exact=True)
def error_norm(P, M, S, y, h, step_state):
    """Root-mean-square error of q, u and integrals over its tolerance. Two error rows combine to order 8 as in
    DOP853."""
    n = P.count[N_Q] + P.count[N_U] + P.count[N_CONTROLLER]
    total, second = 0.0, 0.0
    for m in range(n):
        scale = step_state[ATOL] + step_state[RTOL] * max(abs(y[m]), abs(S.new[m]))
        e, e2 = 0.0, 0.0
        for i in range(M.error.shape[1]):
            e += M.error[0, i] * S.K[i, m]
            if M.error.shape[0] == 2:
                e2 += M.error[1, i] * S.K[i, m]
        total += (e / scale) ** 2
        second += (e2 / scale) ** 2
    return max(combined_error(M, h, total, second, n), work_error(P, M, S, y, h, step_state))


@kernel(exact=True)
def combined_error(M, h, total, second, n):
    """The norm from the sums of squares of one error row or two."""
    if total == 0.0:
        return 0.0
    if M.error.shape[0] == 2:
        return h * total / np.sqrt((total + 0.01 * second) * n)
    return h * np.sqrt(total / n)


@kernel(exact=True)
def work_error(P, M, S, y, h, step_state):
    """`error_of_work` in a step of one run."""
    first, end = P.count[N_Q] + P.count[N_U] + P.count[N_CONTROLLER], P.count[N_Q] + P.count[N_U] + P.count[N_WORK]
    tolerances = step_state[ATOL], step_state[RTOL]
    return error_of_work(M, S.K, y, S.new, h, S.inertia, P.count[N_Q], first, end, tolerances)


@kernel(exact=True)
def error_of_work(M, K, y, new, h, inertia, first_speed, first, end, tolerances):
    """Error of all work in a step over WORK times the relative tolerance of the energy in play. A motion that is prescribed
    has no error that would keep steps short, its work has. K: derivatives, (stage, state); first, end: where work stands.

    The energy is known roughly: that of speeds with the inertias where the motion began, and the work so far. A speed
    that is nothing beside the absolute tolerance counts as the least one that is something, so that the power of
    round-off is nothing, too."""
    n_u = inertia.shape[0]
    if n_u == 0 or first == end:
        return 0.0
    error, energy = 0.0, 0.0
    atol, rtol = tolerances
    for m in range(first, end):
        e, e2, largest = 0.0, 0.0, 0.0
        for i in range(M.error.shape[1]):
            e += M.error[0, i] * K[i, m]
            largest = max(largest, abs(K[i, m]))
            if M.error.shape[0] == 2:
                e2 += M.error[1, i] * K[i, m]
        error += combined_error(M, h, e * e, e2 * e2, 1)
        energy += h * largest + max(abs(y[m]), abs(new[m]))
    least = atol / rtol
    for m in range(n_u):
        energy += 0.5 * inertia[m] * (least + abs(new[first_speed + m])) ** 2
    share = error / (WORK * rtol * energy)
    return share if np.isfinite(share) else 0.0  # work may overflow where the motion goes on


@kernel(exact=True)
def first_step(P, M, S, y, step_state, counters):
    """A first guess of the step from slope and curvature (Hairer, Nørsett, Wanner, section II.4).

    How far the state may go is measured by its own size; where that is round-off, it says nothing: a guess is never
    below a millionth of a second, or of the run. What is too long is rejected."""
    n, rest = P.count[N_Q] + P.count[N_U] + P.count[N_CONTROLLER], step_state[END] - step_state[NOW]
    if n == 0:
        return rest  # nothing can move
    d0, d1 = 0.0, 0.0
    for m in range(n):
        scale = step_state[ATOL] + step_state[RTOL] * abs(y[m])
        d0 += (y[m] / scale) ** 2
        d1 += (S.K[0, m] / scale) ** 2
    d0, d1 = np.sqrt(d0 / n), np.sqrt(d1 / n)
    h = 1e-6 * min(1.0, rest)
    if d1 >= 1e-5:
        h = max(h, 0.01 * d0 / d1)
        if h > rest:
            counters[KEEP_END] *= 2  # a guess for a later end would be another one
            h = rest
    for m in range(y.shape[0]):
        S.stage[m] = y[m] + h * S.K[0, m]
    rhs(P, step_state[NOW] + h, S.stage, S.K[1])
    counters[EVALUATIONS] += 1
    d2 = 0.0
    for m in range(n):
        d2 += ((S.K[1, m] - S.K[0, m]) / (step_state[ATOL] + step_state[RTOL] * abs(y[m]))) ** 2
    d2 = np.sqrt(d2 / n) / h
    steepest = max(d1, d2)
    h1 = max(1e-6, 1e-3 * h) if steepest <= 1e-15 else (0.01 / steepest) ** (1.0 / (M.numbers[ORDER] + 1.0))
    return min(100.0 * h, h1) if np.isfinite(h1) else h


@kernel(exact=True)
def error_of(P, M, S, y, h, step_state, counters):
    """Error of a step that is not taken."""
    stages(P, M, S, y, step_state[NOW], h, step_state[NOW] + h, 1, M.b.shape[0], counters)
    new_state(M, S, y, h)
    return error_norm(P, M, S, y, h, step_state)


@kernel(exact=True)
def watch_stiffness(P, M, S, y, step_state, counters):
    """Stop as stiff when stability, not accuracy, has set the step for a while and many steps lie ahead (after
    DOP853)."""
    if counters[WATCH] == 0 or counters[STEPS] == 0 or (step_state[END] - step_state[NOW]) < 2000.0 * step_state[STEP]:
        return
    if turning_limits_step(P, step_state[LAST]):
        return  # where sliding begins, for a short time
    rates, states = 0.0, 0.0
    last = M.b.shape[0] - 1
    for m in range(P.count[N_Q] + P.count[N_U] + P.count[N_CONTROLLER]):
        rates += (S.K[0, m] - S.K[last, m]) ** 2
        states += (y[m] - S.last[m]) ** 2
    if states > 0.0 and step_state[LAST] * np.sqrt(rates / states) > M.numbers[STABILITY]:
        counters[STIFF] += 1
        counters[SMOOTH] = 0
        if counters[STIFF] >= 15:
            counters[OUTCOME] = IS_STIFF
    else:
        counters[SMOOTH] += 1
        if counters[SMOOTH] == 6:
            counters[STIFF] = 0


@kernel(exact=True)
def watch_noise(P, M, S, y, step_state, counters):
    """Stop where errors do not fall with the step, while millions of steps lie ahead: round-off or noise sets the step,
    not the motion.

    Looked at every hundredth step: an eighth of the last step has 8⁻² of its error or less by any method, but 1/8 of it
    if it is noise.
    """
    h = step_state[LAST]
    if counters[STEPS] % 100 != 99 or not h > 0.0 or (step_state[END] - step_state[NOW]) < FAR * h:
        return
    whole, part = error_of(P, M, S, y, h, step_state, counters), error_of(P, M, S, y, h / 8.0, step_state, counters)
    counters[NOISY] = counters[NOISY] + 1 if whole > 0.01 and part > whole / 32.0 else 0
    if counters[NOISY] >= 10:
        counters[OUTCOME] = IS_NOISY
