"""Contacts that share a load in a way that is not unique.

Scaled multipliers are the smallest ones (kernels.multipliers). With equal scales those are the forces of least sum of
squares; tangential rows whose scales are as the root of what presses their contact together share friction in proportion to
that, so that contacts of one friction reach their limits together. Those of tangential rows are smaller besides: where
friction of one contact could take the place of what presses another, as in a groove, the contacts press, and the cones are kept.
solvers.contacts.mode_exchange shares loads by the same rule where modes are chosen, from the same scales (kernels.row_scales).
"""

import numpy as np

from mekane.algebra.scalar import less, maximum, select, zero_like
from mekane.numba_backend.kernel import kernel
from mekane.tables.columns import BY_NORMAL, C_BY, C_NORMAL, C_TANGENT, C_TANGENTS, OPEN, STICKING
from mekane.tables.tables import V_LAM

SHARINGS = 3
SMALLEST_SHARE = 1e-3  # of the largest load
ALIKE = 10.0  # scales that are made equal differ by less
TANGENTIAL = 0.1  # scale of a tangential row over that of its normal; forces go with the square


@kernel
def presses(T, W, e):
    """Whether an element is a closed contact."""
    return T.contact_i[e, C_BY] == BY_NORMAL and T.contact_i[e, C_NORMAL] >= 0 and W.contact[e] != OPEN


@kernel
def make_scales_equal(T, W):
    """Scales of closed contacts that are alike; where they are not, those of its normal for each."""
    smallest, largest = np.inf + zero_like(W.scale[0]), zero_like(W.scale[0])
    for e in range(T.contact_i.shape[0]):
        if presses(T, W, e):
            s = W.scale[T.contact_i[e, C_NORMAL]]
            smallest, largest = select(less(s, smallest), s, smallest), maximum(largest, s)
    alike = less(largest, ALIKE * smallest)
    for e in range(T.contact_i.shape[0]):
        if presses(T, W, e):
            N = T.contact_i[e, C_NORMAL]
            W.scale[N] = select(alike, smallest, W.scale[N])
            if W.contact[e] == STICKING:
                scale_tangents(T, W, e, W.scale[N])


@kernel
def scale_tangents(T, W, e, scale):
    first = T.contact_i[e, C_TANGENT]
    for y in range(first, first + T.contact_i[e, C_TANGENTS]):
        W.scale[y] = TANGENTIAL * scale


@kernel
def share_by_load(T, W):
    """After multipliers were found: scales of the tangential rows of what sticks by what presses it together."""
    lam, largest = W.vectors[V_LAM], zero_like(W.scale[0])
    for e in range(T.contact_i.shape[0]):
        if presses(T, W, e) and W.contact[e] == STICKING:
            N = T.contact_i[e, C_NORMAL]
            largest = maximum(largest, W.scale[N] * lam[N])
    for e in range(T.contact_i.shape[0]):
        if presses(T, W, e) and W.contact[e] == STICKING:
            N = T.contact_i[e, C_NORMAL]
            none = less(largest, 1e-200)
            share = select(
                none, 1.0 + zero_like(largest), W.scale[N] * lam[N] / select(none, 1.0 + zero_like(largest), largest)
            )
            scale_tangents(T, W, e, W.scale[N] * np.sqrt(maximum(share, SMALLEST_SHARE + zero_like(share))))
