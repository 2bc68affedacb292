"""Guards of contact laws: what stays positive while the modes hold.  (N.6)

Forces count by the accelerations that they would cause alone, so that what counts as zero does not hang on the size of the masses.
"""

from mekane.algebra.scalar import less, select, zero_like
from mekane.kernels.contact_modes import SLOW, STILL, is_incipient, rubs
from mekane.kernels.incipient_sliding import pressed_by_normal
from mekane.kernels.joint_loads import load_direction, load_of
from mekane.numba_backend.kernel import kernel
from mekane.tables.columns import (
    BY_LOAD,
    BY_NORMAL,
    C_BY,
    C_DIRECTION,
    C_FRICTION,
    C_GUARD,
    C_LOADS,
    C_NORMAL,
    C_PRESSED,
    C_RATE,
    C_STATIC,
    C_SUMS,
    C_TANGENT,
    C_TANGENTS,
    I_SLOW,
    I_STILL,
    N_ELEMENT_GUARDS,
    OPEN,
    STICKING,
    Y_PHI,
    Y_RATE,
)

WEAKER = 1e-9  # share by which static friction may be less than that of sliding: round-off of two expressions


@kernel
def write_guards(T, W):
    """What stays positive while the modes hold, in the registers of guards.  (N.6)"""
    n = T.contact_i.shape[0]
    least = 1.0 + zero_like(W.r[0])
    for e in range(n):
        g = T.contact_i[e, C_GUARD]
        W.r[g] = normal_guard(T, W, e)
        W.r[g + 1] = friction_guard(T, W, e)
        for c in range(2):
            W.r[g + 2 + c] = side_guard(T, W, e, c)
        if rubs(T, W, e):
            least = select(less(W.sizes[e, e], least), W.sizes[e, e], least)
        elif is_incipient(W, e):
            pivot = pressed_by_normal(T, W, e)
            least = select(less(pivot, least), pivot, least)
    if n > 0:
        W.r[T.contact_i[n - 1, C_GUARD] + N_ELEMENT_GUARDS] = least


@kernel
def normal_guard(T, W, e):
    """Open: the gap, or its rate; closed: the force, as an acceleration."""
    N = T.contact_i[e, C_NORMAL]
    if N < 0:
        return 1.0 + zero_like(W.r[0])
    gap, force = W.row[N, Y_RATE if T.contact_i[e, C_RATE] == 1 else Y_PHI], W.multiplier[N] * mobility(T, W, e)
    return select(W.contact[e] == OPEN, gap, force)


@kernel
def mobility(T, W, e):
    """Acceleration along the normal of an element, or along its first tangent if it has none, that a unit force there causes."""
    row = T.contact_i[e, C_NORMAL] if T.contact_i[e, C_NORMAL] >= 0 else T.contact_i[e, C_TANGENT]
    return 1.0 / (W.scale[row] * W.scale[row])


@kernel
def friction_guard(T, W, e):
    """Sliding: the speed in the direction known; sticking: how much more could be carried, in squares of accelerations. What slides without
    friction has no direction: there it is the friction, whose beginning ends that."""
    one = 1.0 + zero_like(W.r[0])
    if T.contact_i[e, C_TANGENTS] == 0:
        return one
    closed = select(W.contact[e] == STICKING, more_friction(T, W, e), sliding_guard(T, W, e))
    return select(W.contact[e] == OPEN, one, closed)


@kernel
def sliding_guard(T, W, e):
    """The speed in the direction known, or what ends sliding without friction."""
    first, d = T.contact_i[e, C_TANGENT], T.contact_i[e, C_DIRECTION]
    slip = W.r[d] * W.row[first, Y_RATE]
    if T.contact_i[e, C_TANGENTS] == 2:
        slip = slip + W.r[d + 1] * W.row[first + 1, Y_RATE]
    smooth = less(W.r[d] * W.r[d] + W.r[d + 1] * W.r[d + 1], 0.25)
    return select(smooth, without_friction(T, W, e), slip)


@kernel
def more_friction(T, W, e):
    """How much more friction could be carried, in squares of accelerations."""
    first = T.contact_i[e, C_TANGENT]
    most = W.r[T.contact_i[e, C_STATIC]]
    if T.contact_i[e, C_BY] == BY_NORMAL:
        most = most * W.multiplier[T.contact_i[e, C_PRESSED]]
    elif T.contact_i[e, C_BY] == BY_LOAD:
        a, b = load_direction(T, W, e)
        x, y = load_of(T, W, e, 0), load_of(T, W, e, 1)
        most = most * (a * x + b * y)
    margin, d = most * most - W.multiplier[first] * W.multiplier[first], mobility(T, W, e)
    if T.contact_i[e, C_TANGENTS] == 2:
        margin = margin - W.multiplier[first + 1] * W.multiplier[first + 1]
    return margin * d * d


@kernel
def without_friction(T, W, e):
    """Positive as long as an element has no friction."""
    mu, static = W.r[T.contact_i[e, C_FRICTION]], W.r[T.contact_i[e, C_STATIC]]
    most = select(less(mu, static), static, mu)
    return select(less(0.0, most), -most, 1.0 + zero_like(most))


@kernel
def side_guard(T, W, e, c):
    """Where magnitudes of load components are summed: a component on the side where it was. Of what slides in space: by how
    much it is faster than what counts as rest, because its direction may turn on and on before that; in squares, which are
    smooth where it passes by rest, over the sum of both speeds where the step began. Then: the
    sign of friction, and of what it holds more at rest than it resists sliding."""
    found = 1.0 + zero_like(W.r[0])
    if T.contact_i[e, C_SUMS] == 1 and c < T.contact_i[e, C_LOADS]:
        found = W.r[T.contact_i[e, C_DIRECTION] + 2 + c] * load_of(T, W, e, c) * mobility(T, W, e)
    elif c == 1 and T.contact_i[e, C_TANGENTS] > 0:
        found = friction_sign(T, W, e)
    elif c == 0 and T.contact_i[e, C_TANGENTS] == 2:
        found = select(W.contact[e] == STICKING, found, speed_above_rest(T, W, e))
    return select(W.contact[e] == OPEN, 1.0 + zero_like(found), found)


@kernel
def friction_sign(T, W, e):
    """Friction must not push; nor may it hold less at rest than it resists sliding."""
    mu = W.r[T.contact_i[e, C_FRICTION]]
    most = select(less(mu, 0.0), mu, 1.0 + zero_like(mu))
    more = W.r[T.contact_i[e, C_STATIC]] - (1.0 - WEAKER) * mu
    return select(W.contact[e] == STICKING, select(less(more, 0.0), more, most), most)


@kernel
def speed_above_rest(T, W, e):
    """By how much what slides in space is faster than what counts as rest, in squares."""
    x, y = W.row[T.contact_i[e, C_TANGENT], Y_RATE], W.row[T.contact_i[e, C_TANGENT] + 1, Y_RATE]
    still = W.incipient[e, I_STILL]
    still = select(less(0.0, still), still, STILL + zero_like(x))
    return (x * x + y * y - still * still) / (W.incipient[e, I_SLOW] / SLOW + still)
