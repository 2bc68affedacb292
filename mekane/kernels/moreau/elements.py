"""Contacts of a step from the elements of contact laws, and what becomes of their modes."""

import numpy as np

from mekane.kernels.bodies import six
from mekane.kernels.moreau.gauss_seidel import most_friction, velocity_of
from mekane.kernels.moreau.memory import (
    CAPACITY,
    COMPLIANCE,
    CONTACTS,
    FULL,
    GRAVITY,
    IS_KNOWN,
    LATER,
    MU,
    REBOUNDS,
    STATIC_CAPACITY,
    STATIC_MU,
    TARGET,
)
from mekane.kernels.moreau.rows import add_wrench, begin_rows, end_rows
from mekane.numba_backend.kernel import kernel
from mekane.tables.columns import (
    BY_NORMAL,
    C_BY,
    C_DIRECTION,
    C_FRICTION,
    C_MODE,
    C_NORMAL,
    C_RATE,
    C_STATIC,
    C_STICKS,
    C_TANGENT,
    C_TANGENTS,
    OPEN,
    ROW_TERM,
    ROW_TERM_END,
    ROW_WORK,
    SLIDING,
    STICKING,
    TERM_BODY,
    Y_BIAS,
    Y_PHI,
    Y_RATE,
)

TOUCHING = 1e-9  # m or rad: a gap that counts as closed
ROUND_OFF = 1e-12  # m or rad: a gap that counts as zero
STILL = 1e-10  # speed below which a direction of sliding is that of friction
AHEAD = 4.0  # times gravity × h²: contacts this near take part, too
CLOSES = -2  # of in_step: what impacts of this step would close
AT_REST = 2.0  # times gravity × h: slower than this nothing rebounds


@kernel
def find_elements(T, W, C, h):
    """Elements that can act in this step, from the rows at its middle with the speeds that it would have without them."""
    reach = reach_of(T, W, C, h)
    for e in range(T.contact_i.shape[0]):
        closes = C.in_step[e] == CLOSES
        C.in_step[e] = -1
        if closes or can_act(T, W, C, e, reach):
            add_element(T, W, C, h, e)
            if C.counts[FULL] == 1:
                return
        else:
            C.last[e, 0] = C.last[e, 1] = C.last[e, 2] = 0.0
            C.mode[e] = OPEN


@kernel
def is_hit(C, h):
    """Whether there are impacts in this step, which change velocities by more than loads do."""
    for k in range(C.counts[CONTACTS]):
        if C.P[k, 0] > 0.0 and C.before[k, 0] < -AT_REST * h * C.numbers[GRAVITY]:
            return True
    return False


@kernel
def mark_closing(T, W, C, h):
    """Elements that are not in the step, and whose gaps would close in it at the rates at hand. Returns whether there are such."""
    found = False
    for e in range(T.contact_i.shape[0]):
        N = T.contact_i[e, C_NORMAL]
        if C.in_step[e] < 0 and N >= 0 and T.contact_i[e, C_RATE] == 0:
            if W.row[N, Y_PHI] + h * W.row[N, Y_RATE] < -TOUCHING:
                C.in_step[e], found = CLOSES, True
    return found


@kernel
def can_act(T, W, C, e, reach):
    """Whether a gap may close before the middle of the next step; what has none always acts, or with the contact that presses
    it, which stands before it."""
    N = T.contact_i[e, C_NORMAL]
    if C.contact_of[e] >= 0:
        return C.in_step[C.contact_of[e]] >= 0
    return N < 0 or T.contact_i[e, C_RATE] == 1 or W.row[N, Y_PHI] <= reach


@kernel
def reach_of(T, W, C, h):
    """How much gaps may close in a step: any of them may be pushed by what others have."""
    most = 0.0
    for e in range(T.contact_i.shape[0]):
        N = T.contact_i[e, C_NORMAL]
        if N >= 0 and T.contact_i[e, C_RATE] == 0:
            most = max(most, max(abs(C.rate[N]), abs(W.row[N, Y_RATE])))
    return TOUCHING + h * most + AHEAD * h * h * C.numbers[GRAVITY]


@kernel
def write_normal(C, k, h, e, gap, bias):
    """What the velocity along a normal is not to fall below: −e times that before, where the gap would close in this
    step at more than the speeds of rest (N.17); else the gap is kept from closing more than to zero at the middle of the next
    step. bias: how fast the velocity changes as the surfaces turn.

    What an impact without a rebound leaves to the next step is kept as LATER.

    Neither rebounds at rest nor gaps that are negative are driven apart: contacts that block each other could not."""
    before, free = C.before[k, 0], C.g[k, 0]
    hits = before < -AT_REST * h * C.numbers[GRAVITY] and gap + h * free <= TOUCHING
    C.set[k, LATER] = C.set[k, IS_KNOWN] = 0.0
    if e > 0.0 and hits:
        C.set[k, TARGET] = -e * before
        C.counts[REBOUNDS] += 1
    else:
        C.set[k, LATER] = gap / h if hits and gap > ROUND_OFF else 0.0
        C.set[k, TARGET] = -(gap if gap > ROUND_OFF else 0.0) / h - 0.5 * h * bias
    C.g[k, 0] -= C.set[k, TARGET]


@kernel
def add_element(T, W, C, h, e):
    """The next contact: rows, set, and the impulses of the last step as a first guess."""
    k = C.counts[CONTACTS]
    if k >= C.element.shape[0]:
        C.counts[FULL] = 1
        return
    line, N, first, n = T.contact_i[e], T.contact_i[e, C_NORMAL], T.contact_i[e, C_TANGENT], T.contact_i[e, C_TANGENTS]
    C.element[k], C.in_step[e] = e, k
    C.pressed[k] = k if C.contact_of[e] < 0 else C.in_step[C.contact_of[e]]
    begin_rows(C, k)
    for c in range(3):
        C.g[k, c] = C.before[k, c] = 0.0
    C.set[k, TARGET] = C.set[k, COMPLIANCE] = C.set[k, LATER] = C.set[k, IS_KNOWN] = 0.0
    if N >= 0:
        add_row(T, W, C, k, 0, N)
    for c in range(n):
        add_row(T, W, C, k, 1 + c, first + c)
    end_rows(T, W, C, k)
    if N >= 0 and line[C_RATE] == 0:
        write_normal(C, k, h, C.restitution[e], W.row[N, Y_PHI], W.row[N, Y_BIAS])
    write_friction(T, W, C, h, e, k)
    for c in range(3):
        C.P[k, c] = C.last[e, c]
    C.counts[CONTACTS] = k + 1


@kernel
def write_friction(T, W, C, h, e, k):
    """The set of contact k: what does not slide may stick with static friction."""
    kinetic, static = 0.0, 0.0
    if T.contact_i[e, C_TANGENTS] > 0:
        kinetic = max(W.r[T.contact_i[e, C_FRICTION]], 0.0)
        static = max(W.r[T.contact_i[e, C_STATIC]], kinetic)
    if C.mode[e] == STICKING or np.hypot(C.before[k, 1], C.before[k, 2]) <= STILL:
        kinetic = static
    by_normal = 1.0 if T.contact_i[e, C_BY] == BY_NORMAL else 0.0
    C.set[k, MU], C.set[k, STATIC_MU] = by_normal * kinetic, by_normal * static
    C.set[k, CAPACITY], C.set[k, STATIC_CAPACITY] = (1.0 - by_normal) * h * kinetic, (1.0 - by_normal) * h * static


@kernel
def let_stick(C):
    """After impulses were found: contacts whose sliding turned round have stopped on the way, and may stick with static
    friction. Returns whether there are such."""
    found = False
    for k in range(C.counts[CONTACTS]):
        if C.set[k, STATIC_MU] > C.set[k, MU] or C.set[k, STATIC_CAPACITY] > C.set[k, CAPACITY]:
            _, a, b = velocity_of(C, k)
            if a * C.before[k, 1] + b * C.before[k, 2] <= 0.0:
                C.set[k, MU], C.set[k, CAPACITY] = C.set[k, STATIC_MU], C.set[k, STATIC_CAPACITY]
                found = True
    return found


@kernel
def add_row(T, W, C, k, c, y):
    """Constraint row y as row c of contact k."""
    C.g[k, c], C.before[k, c] = W.row[y, Y_RATE], C.rate[y]
    for term in range(T.row_i[y, ROW_TERM], T.row_i[y, ROW_TERM_END]):
        n, f = six(W.term, term)
        add_wrench(T, W, C, k, c, T.term_i[term, TERM_BODY], n, f)


# ---------------------------------------------------------------- after the step


@kernel
def show_modes(T, W, C):
    """Modes of the last step in the discrete state, for a sample of it."""
    for e in range(T.contact_i.shape[0]):
        write_mode(T, W, e, C.mode[e], C.direction[e, 0], C.direction[e, 1])


@kernel
def hide_modes(T, W):
    """All are open, as far as projections know: what touches is found anew in each step."""
    for e in range(T.contact_i.shape[0]):
        write_mode(T, W, e, OPEN, 0.0, 0.0)


@kernel
def write_mode(T, W, e, mode, a, b):
    W.r[T.contact_i[e, C_MODE]] = mode
    W.r[T.contact_i[e, C_STICKS]] = 1.0 if mode == STICKING else 0.0
    W.r[T.contact_i[e, C_DIRECTION]], W.r[T.contact_i[e, C_DIRECTION] + 1] = a, b


@kernel
def keep_element(T, C, k, velocity, work):
    """Impulses, mode and work of contact k, which moves at this velocity after the step. Returns the work."""
    e = C.element[k]
    rough, normal = T.contact_i[e, C_TANGENTS] > 0, T.contact_i[e, C_NORMAL] >= 0
    for c in range(3):
        C.last[e, c] = C.P[k, c]
    y = T.row_i[T.contact_i[e, C_NORMAL] if normal else T.contact_i[e, C_TANGENT], ROW_WORK]
    done = work_of(C, k, velocity)
    if y >= 0:
        work[y] += done
    speed, size = np.hypot(velocity[1], velocity[2]), np.hypot(C.P[k, 1], C.P[k, 2])
    C.direction[e, 0] = C.direction[e, 1] = 0.0
    if (normal or C.contact_of[e] >= 0) and not C.P[C.pressed[k], 0] > 0.0:
        C.mode[e] = OPEN
    elif rough and speed <= STILL and most_friction(C, k, C.P[k, 0]) > 0.0:
        C.mode[e] = STICKING
    else:
        C.mode[e] = SLIDING
        if speed > STILL:
            C.direction[e, 0], C.direction[e, 1] = velocity[1] / speed, velocity[2] / speed
        elif size > 0.0:
            C.direction[e, 0], C.direction[e, 1] = -C.P[k, 1] / size, -C.P[k, 2] / size
    return done


@kernel
def work_of(C, k, velocity):
    """½ (γ⁻ + γ⁺)·P of contact k.  (N.16)"""
    total = 0.0
    for c in range(3):
        total += 0.5 * C.P[k, c] * (C.before[k, c] + velocity[c])
    return total
