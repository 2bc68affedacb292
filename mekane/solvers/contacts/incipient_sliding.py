"""Which elements of contact laws slide so slowly in a step that their direction is that of the load.

An explicit step must be shorter than a few speeds over the turning rate (kernels.incipient_sliding): where sliding begins,
that is nothing. Where the direction is that of the load within the tolerance, and steps longer than that are wanted, it is
computed from the load, and the velocity turned there after the step.
"""

import numpy as np

from mekane.kernels.contact_modes import SLOW, STILL
from mekane.numba_backend.kernel import kernel
from mekane.solvers.constraints.projection import FACTOR
from mekane.solvers.entries.calls import rhs
from mekane.solvers.state import ATOL, EVALUATIONS, NOW, RTOL, STEP, STEP_MAX
from mekane.tables.columns import (
    C_DIRECTION,
    C_GUARD,
    C_MODE,
    C_TANGENT,
    C_TANGENTS,
    I_FIRST_X,
    I_FIRST_Y,
    I_GREW,
    I_KEPT,
    I_ON,
    I_SLOW,
    I_STILL,
    I_TURNS,
    I_X,
    I_Y,
    N_ELEMENT_GUARDS,
    SLIDING,
    STICKING,
    Y_RATE,
)
from mekane.tables.handle import INERTIAS, KINEMATICS, PROJECTION_STEP, call
from mekane.tables.tables import N_LOADS, N_Q, N_SLIDING, N_U

SHRINK, SAFETY = 0.2, 0.8
STABLE = 3.0  # speeds over the turning rate: an explicit step of that length is stable
WORTH = 25.0  # the same where the speed grows: several short steps cost less than one by loads
GROWTH = 1.3  # of the speed in a step: then the next may be as much longer
ROUNDS = 3
INSTANT = 2000.0  # spacings of floats: shorter than the steps in which a direction that turns once could be followed
SOON = 1e-8  # of the largest step: shorter ones are not taken for the sake of a stop
TOO_MUCH = 0.25  # of the tolerance: where a step begins with more, a shorter one does not help
INDEPENDENT = 1e-6  # least pivot of rows: else directions depend on one another
OF_FORCES = 2  # the first two guards of an element may be of forces
CONSTRAINED = 1e3  # times the friction that acceleration takes alone: others hold it, as soft as rows that repeat one another are solved


@kernel(exact=True)
def choose_incipient(P, S, y, step_state, counters):
    """At the start of a step, its slope in K[0]: mark the elements whose sliding is incipient; the slope follows."""
    n = P.contact_i.shape[0]
    if n == 0 or P.state[N_SLIDING] == 0 or S.instant[0] == step_state[NOW]:
        return
    t, h, most = step_state[NOW], step_state[STEP], allowed(P, y, step_state)
    follow_directions(P, t, most)
    if P.count[N_LOADS] > 0 or mark_slow(P, h) == 0:
        return
    for k in range(OF_FORCES * n + 1):
        S.slips[k] = force_guard(P, k)
    for i in range(ROUNDS + 1):
        if i == ROUNDS:
            stop_incipient(P)
        choose_rows(P, t, y)
        rhs(P, t, y, S.K[0])
        counters[EVALUATIONS] += 1
        if unmark_others(P, h, most) == 0:
            break
    if is_any_incipient(P) and ends_modes(P, S):
        go_on_without(P, S, y, step_state, counters)
    for e in range(n):
        P.incipient[e, I_FIRST_X], P.incipient[e, I_FIRST_Y] = P.incipient[e, I_X], P.incipient[e, I_Y]


@kernel(exact=True)
def ends_modes(P, S):
    """Whether directions of loads end modes at once by forces that those of velocities, by which modes are chosen, do not end: a
    normal force, friction of what sticks, sliding that jams. S.slips: guards as they were."""
    for k in range(OF_FORCES * P.contact_i.shape[0] + 1):
        if S.slips[k] >= 0.0 > force_guard(P, k):
            return True
    return False


@kernel(exact=True)
def force_guard(P, k):
    """Of the guards of forces the one of number k: of normals and of friction, element by element; last what tells that sliding
    jams. Infinite where it is of something else."""
    n, e, which = P.contact_i.shape[0], k // OF_FORCES, k % OF_FORCES
    if e == n:
        return P.r[P.contact_i[n - 1, C_GUARD] + N_ELEMENT_GUARDS]
    of_force = which == 0 or P.r[P.contact_i[e, C_MODE]] == STICKING
    return P.r[P.contact_i[e, C_GUARD] + which] if of_force else np.inf


@kernel(exact=True)
def follow_directions(P, t, most):
    """The directions known of what slides in space are those where the step begins. Rest is a speed within the tolerances,
    or one that friction turns faster than floats can tell times at t apart."""
    for e in range(P.contact_i.shape[0]):
        P.incipient[e, I_STILL] = max(most, INSTANT * np.spacing(abs(t)) * P.incipient[e, I_TURNS])
        before = P.incipient[e, I_SLOW]
        P.incipient[e, I_SLOW] = P.incipient[e, I_GREW] = 0.0
        if slides_in_space(P, e) and speed(P, e) > min(STILL, P.incipient[e, I_STILL]):
            first, d = P.contact_i[e, C_TANGENT], P.contact_i[e, C_DIRECTION]
            P.r[d], P.r[d + 1] = P.row[first, Y_RATE] / speed(P, e), P.row[first + 1, Y_RATE] / speed(P, e)
            P.incipient[e, I_SLOW] = SLOW * speed(P, e)
            P.incipient[e, I_GREW] = 1.0 if P.incipient[e, I_SLOW] > GROWTH * before > 0.0 else 0.0


@kernel(exact=True)
def allowed(P, y, step_state):
    """Error of a speed that the tolerances allow."""
    largest = 0.0
    for r in range(P.count[N_U]):
        largest = max(largest, abs(y[P.count[N_Q] + r]))
    return step_state[ATOL] + step_state[RTOL] * largest


@kernel(exact=True)
def slides_in_space(P, e):
    return P.contact_i[e, C_TANGENTS] == 2 and P.r[P.contact_i[e, C_MODE]] == SLIDING


@kernel(exact=True)
def speed(P, e):
    first = P.contact_i[e, C_TANGENT]
    return np.hypot(P.row[first, Y_RATE], P.row[first + 1, Y_RATE])


@kernel(exact=True)
def mark_slow(P, h):
    """Elements whose direction a step of length h could not follow. Returns their number."""
    count = 0
    for e in range(P.contact_i.shape[0]):
        if slides_in_space(P, e) and is_slow(P, e, h):
            P.incipient[e, I_ON] = 1.0
            P.incipient[e, I_FIRST_X], P.incipient[e, I_FIRST_Y] = 0.0, 0.0
            count += 1
    return count


@kernel(exact=True)
def is_slow(P, e, h):
    """Whether steps as short as the direction of an element needs are not worth while beside one of length h by loads."""
    return P.incipient[e, I_TURNS] * h > (WORTH if P.incipient[e, I_GREW] == 1.0 else STABLE) * speed(P, e)


@kernel(exact=True)
def time_to_stop(P, S, dt, step_state, events):
    """Time after which sliding in space stops, if it slows down as where the step begins; infinite if none does. The
    workspace is at the stage after dt, which goes straight on from there."""
    soonest, n = np.inf, P.contact_i.shape[0]
    if n == 0 or P.state[N_SLIDING] == 0:
        return soonest
    first = events.shape[0] - N_ELEMENT_GUARDS * n - 1  # those of contact laws stand last
    for e in range(n):
        if slides_in_space(P, e) and P.incipient[e, I_ON] == 0.0:
            before, after = (
                S.at_stages[first + N_ELEMENT_GUARDS * e + 1, 0],
                S.at_stages[first + N_ELEMENT_GUARDS * e + 1, 1],
            )
            if before > max(after, 0.0):
                soon = before * dt / (before - after)
                if soon > SOON * step_state[STEP_MAX]:
                    soonest = min(soonest, soon)
    return soonest


@kernel(exact=True)
def turning_limits_step(P, h):
    """Whether friction turns directions of sliding so fast that steps of length h are as long as they can be."""
    if P.contact_i.shape[0] == 0 or P.state[N_SLIDING] == 0:
        return False
    for e in range(P.contact_i.shape[0]):
        if slides_in_space(P, e) and P.incipient[e, I_TURNS] * h > speed(P, e):
            return True
    return False


@kernel(exact=True)
def unmark_others(P, h, most):
    """Elements that do not slide along the load, or fast. Returns their number."""
    count = 0
    for e in range(P.contact_i.shape[0]):
        if P.incipient[e, I_ON] == 1.0:
            first = P.contact_i[e, C_TANGENT]
            across = P.incipient[e, I_X] * P.row[first + 1, Y_RATE] - P.incipient[e, I_Y] * P.row[first, Y_RATE]
            along = P.incipient[e, I_X] * P.row[first, Y_RATE] + P.incipient[e, I_Y] * P.row[first + 1, Y_RATE]
            if not (abs(across) <= most and along >= -most and is_slow(P, e, h) and is_free(P, e)):
                P.incipient[e, I_ON] = 0.0
                count += 1
    return count


@kernel(exact=True)
def is_free(P, e):
    """Whether an element can slide while all other rows hold: pivots tell what rows before it leave, I_KEPT what all do."""
    first = P.contact_i[e, C_TANGENT]
    left = min(P.pivots[first], P.pivots[first + 1])
    return left > INDEPENDENT and P.incipient[e, I_KEPT] < CONSTRAINED


@kernel(exact=True)
def is_any_incipient(P):
    for e in range(P.contact_i.shape[0]):
        if P.incipient[e, I_ON] == 1.0:
            return True
    return False


@kernel(exact=True)
def stop_incipient(P):
    for e in range(P.contact_i.shape[0]):
        P.incipient[e, I_ON] = 0.0


@kernel(exact=True)
def choose_rows(P, t, y):
    """Rows and factors of D for the elements now marked."""
    call(P.header, KINEMATICS, t, y, 0)
    call(P.header, INERTIAS, FACTOR, 0, 0)


@kernel(exact=True)
def go_on_without(P, S, y, step_state, counters):
    """No element is marked any more; the slope at the start of the step follows."""
    stop_incipient(P)
    choose_rows(P, step_state[NOW], y)
    rhs(P, step_state[NOW], y, S.K[0])
    counters[EVALUATIONS] += 1


@kernel(exact=True)
def drop_incipient(P, S, t, y):
    """Where a step with incipient sliding ends as it begins: it begins anew without, as directions of loads may not be unique."""
    if not is_any_incipient(P):
        return
    stop_incipient(P)
    choose_rows(P, t, y)
    for k in range(S.decided.shape[0]):
        S.decided[k] = 0.0


@kernel(exact=True)
def is_neglected_too_much(P, S, y, h, t_new, step_state, counters):
    """Whether a step must be taken again, because incipient sliding neglects too much at its end: a shorter one, or one
    without it."""
    end, start = neglected(P, S, y, h, t_new, step_state, counters)
    if end <= 1.0:
        return False
    if start > TOO_MUCH:
        go_on_without(P, S, y, step_state, counters)
    else:
        step_state[STEP] = h * max(
            SHRINK, SAFETY * end**-0.25
        )  # the speed grows as h², what is neglected as its square
    return True


@kernel(exact=True)
def neglected(P, S, y, h, t_new, step_state, counters):
    """Error of the speed at the end of a step by what incipient sliding neglects, over its tolerance; and the part of it
    that a shorter step cannot take away."""
    largest, start = 0.0, 0.0
    if not is_any_incipient(P):
        return largest, start
    most = allowed(P, y, step_state)
    call(P.header, KINEMATICS, step_state[NOW], y, 0)
    for e in range(P.contact_i.shape[0]):
        S.slips[e] = speed(P, e) if P.incipient[e, I_ON] == 1.0 else 0.0
    rhs(P, t_new, S.new, S.sample)
    counters[EVALUATIONS] += 1
    for e in range(P.contact_i.shape[0]):
        if P.incipient[e, I_ON] == 1.0:
            line = P.incipient[e]
            turned = abs(line[I_FIRST_X] * line[I_Y] - line[I_FIRST_Y] * line[I_X])
            per_square = turned / (h * max(line[I_TURNS], 1e-300) * most)
            largest, start = max(largest, speed(P, e) ** 2 * per_square), max(start, S.slips[e] ** 2 * per_square)
    return largest, start


@kernel(exact=True)
def turn_velocities(P, S, y, t):
    """After a step: velocities of what slides slowly are turned into the direction of the load, by friction's impulse."""
    if not is_any_incipient(P):
        return
    rhs(P, t, y, S.sample)
    for e in range(P.contact_i.shape[0]):
        P.incipient[e, I_FIRST_X], P.incipient[e, I_FIRST_Y] = P.incipient[e, I_X], P.incipient[e, I_Y]
    choose_rows(P, t, y)
    for e in range(P.contact_i.shape[0]):
        if P.incipient[e, I_ON] == 1.0:
            first = P.contact_i[e, C_TANGENT]
            along = (
                P.incipient[e, I_FIRST_X] * P.row[first, Y_RATE] + P.incipient[e, I_FIRST_Y] * P.row[first + 1, Y_RATE]
            )
            P.row[first, Y_RATE] -= along * P.incipient[e, I_FIRST_X]
            P.row[first + 1, Y_RATE] -= along * P.incipient[e, I_FIRST_Y]
            P.active[first] = P.active[first + 1] = 1
    call(P.header, PROJECTION_STEP, t, S.x, Y_RATE)
    for r in range(S.x.shape[0]):
        y[P.count[N_Q] + r] += S.x[r]
    stop_incipient(P)
    choose_rows(P, t, y)
