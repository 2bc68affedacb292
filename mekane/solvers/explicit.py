"""The time loop of explicit Runge–Kutta methods: fixed step, or error control with dense output. Compiled, nothing
allocated.

Comparisons inside laws ("a if t < 0.5 else b") are frozen during an adaptive step, so that every stage sees one smooth
law; the step ends where the law changes: at the known switching times exactly, and where a comparison of the state
changes sides by root finding on the dense output. A frozen law may be asked beyond the border where its branch ends,
and have no value there (x**1.5 for x < 0): what is not finite is computed again with the comparisons decided anew, for
the rest of that step.
"""

import numpy as np

from mekane.kernels.projection import make_unit
from mekane.numba_backend.kernel import kernel
from mekane.solvers.entries.calls import evaluate_kinematics, follow, project, rhs
from mekane.solvers.state import (
    ATOL,
    BASE,
    END,
    EVALUATIONS,
    EVENTS,
    FINISHED,
    GRID,
    IS_NOISY,
    IS_STIFF,
    LAST,
    NOISY,
    NOT_FINITE,
    NOW,
    OUTCOME,
    PROJECT,
    REJECTED,
    RTOL,
    SAMPLE,
    SMOOTH,
    STEP,
    STEP_MAX,
    STEP_VANISHED,
    STEPS,
    STIFF,
    STOP,
    STUCK,
    UNDERWAY,
    WATCH,
    accept_state,
    copy,
    keep_sample,
)
from mekane.tables.columns import Y_PHI, Y_RATE
from mekane.tables.tables import FROZEN, N_CONTROLLER, N_EXPRESSION_ROWS, N_Q, N_ROWS, N_U

SAFETY, SHRINK, GROW = 0.9, 0.2, 8.0
ORDER, POWER, STABILITY = range(3)  # places in Tableau.numbers
MOST_PIECES = 2000  # of a step in which measurements turn fast
STRIDE = 0.02  # of the largest step
PROBES = 8  # places in a step where comparisons of the state are looked at
BARELY_ANY, NEARLY_ALL = 1e-3, 0.9  # parts of a step
SHORTEST = 1e-250  # step [s]
JUST_AFTER = 1e-12  # relative; a law is looked at just after a switching time, not at it
FAR = 1e6  # steps ahead at the present pace: time to ask what sets it
MISSED = 1e-10  # residual or rate of a row beyond what a projection leaves and JUST_AFTER adds


@kernel(exact=True, outer=True)
def advance(P, M, S, y, step_state, counters, record, event_times, events, most_steps):
    """Go on until the end of the run or for so many steps. The outcome is in `counters`."""
    counters[OUTCOME] = UNDERWAY
    adaptive = M.error.shape[0] > 0
    for _ in range(most_steps):
        if step_state[NOW] >= step_state[END]:
            counters[OUTCOME] = FINISHED
            return
        begin(P, M, S, y, step_state, counters, events, adaptive)
        if adaptive:
            watch_stiffness(P, M, S, y, step_state, counters)
            watch_noise(P, M, S, y, step_state, counters)
            if counters[OUTCOME] != UNDERWAY:
                return
            h, t_new = controlled_step(P, M, S, y, step_state, counters, event_times)
        else:
            h, t_new = fixed_step(P, M, S, y, step_state, counters)
        if counters[OUTCOME] != UNDERWAY:
            return
        dense = 0
        if events.shape[0] > 0 and adaptive:
            dense = 1
            dense_stages(P, M, S, y, step_state[NOW], h, counters)
            t_new = stop_at_event(P, M, S, y, step_state, counters, events, h, t_new)
            if must_repeat(P, step_state, counters, h, t_new):
                continue
        finish(P, M, S, y, step_state, counters, record, h, t_new, dense)
    if step_state[NOW] >= step_state[END]:
        counters[OUTCOME] = FINISHED


@kernel(exact=True)
def begin(P, M, S, y, step_state, counters, events, adaptive):
    """Slope at the start of a step. Here, and in adaptive runs only here, comparisons are decided."""
    t = step_state[NOW]
    P.state[FROZEN] = 0
    if adaptive and P.modes.shape[0] > 0:
        rhs(P, t + JUST_AFTER * max(abs(t), min(1.0, step_state[END])) + 1e-300, y, S.K[0])
        P.state[FROZEN] = 1
        counters[EVALUATIONS] += 1
        if P.count[N_EXPRESSION_ROWS] > 0 and counters[PROJECT] == 1 and is_missed(P.row, P.count[N_ROWS]):
            project(P, t, y, S.x)  # a prescribed motion goes on at another speed from here
    rhs(P, t, y, S.K[0])
    counters[EVALUATIONS] += 1
    for k in range(events.shape[0]):
        # a comparison holds where left − right is negative
        S.before[k] = -1.0 if P.modes[events[k, 1]] != 0.0 else 1.0
    if adaptive:
        P.state[FROZEN] = 1
        if step_state[STEP] <= 0.0:
            step_state[STEP] = first_step(P, M, S, y, step_state, counters)


@kernel(exact=True)
def is_missed(row, n):
    """True if the state is off any of the first n rows by more than the last projection can have left."""
    worst = 0.0
    for j in range(n):
        worst = max(worst, abs(row[j, Y_PHI]), abs(row[j, Y_RATE]))
    return worst > MISSED


@kernel(exact=True)
def combine(y, h, weights, count, K, out):
    """out = y + h Σ weights[j] K[j]: one slope after the other, so that the processor takes several elements at a
    time."""
    for m in range(y.shape[0]):
        out[m] = 0.0
    for j in range(count):
        if weights[j] != 0.0:
            for m in range(y.shape[0]):
                out[m] += weights[j] * K[j, m]
    for m in range(y.shape[0]):
        out[m] = y[m] + h * out[m]


@kernel(exact=True)
def stages(P, M, S, y, t, h, t_new, first, end, counters):
    """Slopes K[first:end]; the state of the last one stays in S.stage."""
    for i in range(first, end):
        combine(y, h, M.A[i], i, S.K, S.stage)
        rhs(P, t_new if M.c[i] == 1.0 else t + M.c[i] * h, S.stage, S.K[i])
        counters[EVALUATIONS] += 1


@kernel(exact=True)
def new_state(M, S, y, h):
    combine(y, h, M.b, M.b.shape[0], S.K, S.new)


@kernel(exact=True)
def is_finite(y):
    for m in range(y.shape[0]):
        if not np.isfinite(y[m]):
            return False
    return True


@kernel(exact=True)
def unfreeze(P):
    """Let comparisons be decided anew for the rest of this step; False if they were not frozen."""
    frozen = P.modes.shape[0] > 0 and P.state[FROZEN] == 1
    P.state[FROZEN] = 0
    return frozen


@kernel(exact=True)
def vanishes(h, t):
    """True for a step that no longer moves the time, or is no number. Near t = 0 floats are dense: a step may be as
    short as it needs."""
    return not h > max(SHORTEST, 1e-14 * abs(t))


@kernel(exact=True)
def fixed_step(P, M, S, y, step_state, counters):
    """One step of the fixed grid BASE + n STEP; the last one ends at END."""
    t, n = step_state[NOW], counters[GRID] + 1
    t_new = step_state[BASE] + n * step_state[STEP]
    if t_new > step_state[END] - 1e-9 * step_state[STEP]:
        t_new = step_state[END]
    h = t_new - t
    stages(P, M, S, y, t, h, t_new, 1, M.b.shape[0], counters)
    new_state(M, S, y, h)
    if not is_finite(S.new):
        counters[OUTCOME] = NOT_FINITE
    counters[GRID] = n
    return h, t_new


@kernel(exact=True)
def controlled_step(P, M, S, y, step_state, counters, event_times):
    """Try steps until one meets the tolerances; sets the length of the next."""
    t, rejected = step_state[NOW], False
    while True:
        wanted = min(step_state[STEP], step_state[STEP_MAX])
        h, t_new, cut = fit(t, wanted, step_state, counters, event_times)
        if not cut and vanishes(h, t):
            counters[OUTCOME] = STEP_VANISHED
            return h, t_new
        stages(P, M, S, y, t, h, t_new, 1, M.b.shape[0], counters)
        copy(S.stage, S.last)
        new_state(M, S, y, h)
        error = error_norm(P, M, S, y, h, step_state)
        if not np.isfinite(error) and unfreeze(P):
            continue
        if error < 1.0:
            factor = GROW if error == 0.0 else min(GROW, SAFETY * error ** (-1.0 / M.numbers[POWER]))
            if rejected:
                factor = min(1.0, factor)
            step_state[STEP] = max(h * factor, wanted if cut else 0.0)
            return h, t_new
        rejected = True
        counters[REJECTED] += 1
        step_state[STEP] = h * (
            max(SHRINK, SAFETY * error ** (-1.0 / M.numbers[POWER])) if np.isfinite(error) else SHRINK
        )


@kernel(exact=True)
def fit(t, h, step_state, counters, event_times):
    """Shorten a step so that it ends at the next known switching time or at the end of the run. Returns step, end,
    whether it was cut."""
    while counters[STOP] < event_times.shape[0] and event_times[counters[STOP]] <= t * (1.0 + 1e-15):
        counters[STOP] += 1
    goal = step_state[END]
    if counters[STOP] < event_times.shape[0]:
        goal = min(goal, event_times[counters[STOP]])
    if t + h >= goal - 1e-3 * h:
        return goal - t, goal, goal - t < h
    if t + 2.0 * h > goal:
        return 0.5 * (goal - t), t + 0.5 * (goal - t), True
    return h, t + h, False


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
    if total == 0.0:
        return 0.0
    if M.error.shape[0] == 2:
        return h * total / np.sqrt((total + 0.01 * second) * n)
    return h * np.sqrt(total / n)


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
        h = min(max(h, 0.01 * d0 / d1), rest)
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
def watch_stiffness(P, M, S, y, step_state, counters):
    """Stop as stiff when stability, not accuracy, has set the step for a while and many steps lie ahead (after
    DOP853)."""
    if counters[WATCH] == 0 or counters[STEPS] == 0 or (step_state[END] - step_state[NOW]) < 2000.0 * step_state[STEP]:
        return
    slopes, states = 0.0, 0.0
    last = M.b.shape[0] - 1
    for m in range(P.count[N_Q] + P.count[N_U] + P.count[N_CONTROLLER]):
        slopes += (S.K[0, m] - S.K[last, m]) ** 2
        states += (y[m] - S.last[m]) ** 2
    if states > 0.0 and step_state[LAST] * np.sqrt(slopes / states) > M.numbers[STABILITY]:
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


@kernel(exact=True)
def error_of(P, M, S, y, h, step_state, counters):
    """Error of a step that is not taken."""
    stages(P, M, S, y, step_state[NOW], h, step_state[NOW] + h, 1, M.b.shape[0], counters)
    new_state(M, S, y, h)
    return error_norm(P, M, S, y, h, step_state)


@kernel(exact=True)
def dense_stages(P, M, S, y, t, h, counters):
    """The derivatives that only the dense output needs; the first of them is the slope at the end of the step."""
    first, end = M.b.shape[0], M.A.shape[0]
    stages(P, M, S, y, t, h, t + h, first, end, counters)
    for i in range(first, end):
        if not is_finite(S.K[i]) and unfreeze(P):
            stages(P, M, S, y, t, h, t + h, first, end, counters)


@kernel(exact=True)
def interpolate(M, S, y, h, theta, out):
    for m in range(y.shape[0]):
        out[m] = y[m]
    for i in range(M.P.shape[0]):
        weight = 0.0
        for p in range(M.P.shape[1] - 1, -1, -1):
            weight = (weight + M.P[i, p]) * theta
        if weight != 0.0:
            for m in range(y.shape[0]):
                out[m] += h * weight * S.K[i, m]


@kernel(exact=True)
def changes_side(P, S, events):
    """True where a comparison of the state lies on another side than at the start of the step."""
    for k in range(events.shape[0]):
        if S.before[k] * P.r[events[k, 0]] < 0.0:
            return True
    return False


@kernel(exact=True)
def side_changed(P, M, S, y, t, h, share, events, counters):
    """Whether, at this share of the step, some comparison has changed sides since its start. Dense output."""
    interpolate(M, S, y, h, share, S.stage)
    rhs(P, t + share * h, S.stage, S.sample)
    counters[EVALUATIONS] += 1
    return changes_side(P, S, events)


@kernel(exact=True)
def stop_at_event(P, M, S, y, step_state, counters, events, h, t_new):
    """Shorten an accepted step to just after the first comparison of the state that changes sides, by bisection on the
    dense output.

    The step is looked at in several places, because a comparison may change back before its end.
    """
    t, low, high = step_state[NOW], 0.0, 0.0
    if h < 1e-9 * step_state[STEP_MAX]:
        return t_new
    for k in range(1, PROBES + 1):
        high = k / PROBES
        if side_changed(P, M, S, y, t, h, high, events, counters):
            break
        low = high
    if low == 1.0:
        counters[STUCK] = 0
        return t_new
    while high - low > 1e-12:
        middle = 0.5 * (low + high)
        if side_changed(P, M, S, y, t, h, middle, events, counters):
            high = middle
        else:
            low = middle
    high = min(1.0, high + 1e-10)
    if counters[STUCK] > 20:  # it changes sides again and again at the same instant: take a stride
        high = max(high, min(1.0, STRIDE * step_state[STEP_MAX] / h))
    counters[STUCK] = counters[STUCK] + 1 if high < 1e-6 else 0
    counters[EVENTS] += 1
    interpolate(M, S, y, h, high, S.new)
    if high < 1.0:
        return t + high * h
    return t_new


@kernel(exact=True)
def must_repeat(P, step_state, counters, h, t_new):
    """A step in which comparisons were not frozen and one changed sides: its dense output knows two laws. Then the next
    one ends there."""
    part = t_new - step_state[NOW]
    if P.modes.shape[0] == 0 or P.state[FROZEN] == 1 or part > NEARLY_ALL * h or part < BARELY_ANY * h:
        return False
    step_state[STEP] = part
    counters[EVENTS] -= 1
    return True


@kernel(exact=True)
def measurement_stride(P, S, t_new, whole):
    """The longest time in which no measurement goes on by more than about a radian, judged by the rates at both ends of
    the step."""
    fastest = 0.0
    if S.measurement.shape[0] > 0:
        evaluate_kinematics(P, t_new, S.new, S.measurement)
        for k in range(S.measurement.shape[0]):
            fastest = max(fastest, abs(P.measurement_rate[k]), abs(P.row[k, Y_RATE]))
    return max(whole / MOST_PIECES, 1.0 / fastest) if fastest * whole > 1.0 else 2.0 * whole


@kernel(exact=True)
def follow_measurements(P, M, S, y, t, h, begin, end, stride):
    """Follow the measurements through part of a step in strides, on the dense output, so that no whole turn is lost in
    a long step."""
    n = int(np.ceil((end - begin) / stride))
    for i in range(1, n + 1):
        now = begin + (end - begin) * i / n
        interpolate(M, S, y, h, (now - t) / h, S.stage)
        evaluate_kinematics(P, now, S.stage, S.measurement)
        follow(P, now, S.measurement)


@kernel(exact=True)
def finish(P, M, S, y, step_state, counters, record, h, t_new, dense):
    """Take the step: samples on the way from the dense output, then the new state, settled on the constraints."""
    t = step_state[NOW]
    whole = t_new - t
    stride, known = measurement_stride(P, S, t_new, whole), t
    while counters[SAMPLE] < record.t.shape[0] and record.t[counters[SAMPLE]] < t_new - 1e-12 * max(
        whole, abs(t_new) * 1e-3
    ):
        if dense == 0:
            dense = 1
            dense_stages(P, M, S, y, t, h, counters)
        now = record.t[counters[SAMPLE]]
        if stride < whole and now > known:
            follow_measurements(P, M, S, y, t, h, known, now, stride)
            known = now
        interpolate(M, S, y, h, (now - t) / h, S.sample)
        if counters[PROJECT] == 1:
            project(P, now, S.sample, S.x)
        else:
            make_unit(P.primitive_i, S.sample)
        keep_sample(P, record, counters, S.sample)
    if stride < whole:
        if dense == 0:
            dense_stages(P, M, S, y, t, h, counters)
        follow_measurements(P, M, S, y, t, h, known, t_new, stride)
    copy(S.new, y)
    step_state[LAST] = whole
    accept_state(P, S, step_state, counters, y, t_new)
    step_state[NOW] = t_new
    counters[STEPS] += 1
    while counters[SAMPLE] < record.t.shape[0] and record.t[counters[SAMPLE]] <= t_new + 1e-12 * max(
        whole, abs(t_new) * 1e-3
    ):
        keep_sample(P, record, counters, y)
