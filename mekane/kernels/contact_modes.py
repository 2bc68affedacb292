"""Modes of the elements of contact laws, and the direction in which each slides."""

import numpy as np

from mekane.algebra.scalar import less, maximum, select, zero_like
from mekane.numba_backend.kernel import kernel
from mekane.tables.columns import (
    C_DIRECTION,
    C_MODE,
    C_TANGENT,
    C_TANGENTS,
    I_ON,
    I_SLOW,
    I_STILL,
    I_X,
    I_Y,
    INCIPIENT,
    OPEN,
    ROW_PATH,
    SLIDING,
    STICKING,
    Y_RATE,
)
from mekane.tables.tables import N_SLIDING

SLOW = 1e-6  # of the speed where a step begins: I_SLOW, below which a direction of sliding is the last known one, too
STILL = 1e-10  # speed below which a direction of sliding is the last known one [m/s]


@kernel(exact=True)
def mark_modes(T, W):
    """Modes of all elements from the discrete state, and how many slide with friction; forces of the others are zero."""
    count = 0
    for e in range(T.contact_i.shape[0]):
        r = W.r[T.contact_i[e, C_MODE]]
        mode = OPEN
        if r > 0.5:
            mode = SLIDING if r < 1.5 else STICKING
        W.contact[e] = mode
        if mode == SLIDING and T.contact_i[e, C_TANGENTS] > 0:
            count += 1
            if W.incipient[e, I_ON] == 1.0:
                W.contact[e] = INCIPIENT
    if T.contact_i.shape[0] > 0:
        for y in range(W.multiplier.shape[0]):
            W.multiplier[y] = 0.0
    W.state[N_SLIDING] = count


@kernel
def rubs(T, W, e):
    """Whether an element slides with friction."""
    return T.contact_i[e, C_TANGENTS] > 0 and W.contact[e] == SLIDING


@kernel
def where_rubs(W, e, yes, no):
    """One of two numbers, of an element that may slide with friction: in a trace its mode is known only when the code runs."""
    return select(W.contact[e] == SLIDING, yes, no)


@kernel
def is_incipient(W, e):
    return W.contact[e] == INCIPIENT


@kernel
def is_unknown(T, W, k):
    """Whether number k of the sizes is to be found."""
    n = T.contact_i.shape[0]
    if k >= n:
        return is_incipient(W, k - n)
    return rubs(T, W, k) or is_incipient(W, k)


@kernel
def resting_speed(W, e):
    """Below it a direction of sliding is the last known one: STILL, or what counts as rest, if that is less. There sliding
    ends, so that it passes by rest with a direction of its own, or not at all."""
    still, most = W.incipient[e, I_STILL], STILL + zero_like(W.incipient[e, I_STILL])
    return select(less(0.0, still), select(less(still, most), still, most), most)


@kernel
def direction(T, W, e):
    """Unit vector of sliding along the tangents, continued through rest: its side is that of the direction known, which
    changes only between steps."""
    first, d = T.contact_i[e, C_TANGENT], T.contact_i[e, C_DIRECTION]
    a, b = W.r[d], W.r[d + 1]
    if T.contact_i[e, C_TANGENTS] == 1:
        return a, b
    x, y = W.row[first, Y_RATE], W.row[first + 1, Y_RATE]
    squared = x * x + y * y
    slow = maximum(resting_speed(W, e), W.incipient[e, I_SLOW])
    still = less(squared, slow * slow)
    size = np.sqrt(select(still, 1.0 + zero_like(squared), squared))
    side = select(less(x * a + y * b, 0.0), -1.0, 1.0)
    return select(still, a, side * x / size), select(still, b, side * y / size)


@kernel
def push_friction(T, W, e, size):
    """Friction of this size: as multipliers, and on speeds in W.force[0]. Needs E and the direction as `rub` left them."""
    first, d = T.contact_i[e, C_TANGENT], (W.incipient[e, I_X], W.incipient[e, I_Y])
    for i in range(T.contact_i[e, C_TANGENTS]):
        y = first + i
        f, j = -(d[0] if i == 0 else d[1]) * size, T.row_i[y, ROW_PATH]
        W.multiplier[y] = where_rubs(W, e, f, W.multiplier[y])
        for s in range(T.speed_start[j], T.speed_start[j + 1]):
            r = T.path_speed[s]
            pushed = W.force[0, r] + f * W.E[T.e_start[y] + s - T.speed_start[j]]
            W.force[0, r] = where_rubs(W, e, pushed, W.force[0, r])
