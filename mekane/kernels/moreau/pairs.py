"""Where two shapes touch: segments with a radius (spheres, capsules), boxes and planes."""

import numpy as np

from mekane.algebra.vectors import add, cross, dot, length, put, scale, sub, vec
from mekane.kernels.moreau.elements import work_of, write_normal
from mekane.kernels.moreau.gauss_seidel import finite
from mekane.kernels.moreau.memory import (
    BODY,
    BOX,
    CAPACITY,
    COMPLIANCE,
    CONTACTS,
    COUNT,
    DEEPEST,
    DEEPEST_FIRST,
    DEEPEST_SECOND,
    FIRST_TANGENT,
    FRICTION,
    FULL,
    HALF,
    KIND,
    KNOWN,
    LAW,
    MU,
    NORMAL,
    PLANE,
    RADIUS,
    REACH,
    RESTITUTION,
    SECOND_TANGENT,
    SEGMENT,
    STATIC_CAPACITY,
    STATIC_MU,
    TARGET,
    WORK,
    YIELDING,
)
from mekane.kernels.moreau.rows import add_wrench, begin_rows, end_rows
from mekane.numba_backend.kernel import kernel
from mekane.tables.columns import B_P, B_W

POINTS = 8  # of a pair, at most
PARALLEL = 1e-12  # sine, squared


@kernel
def touch(T, W, C, h, i, j):
    """All points where shapes i and j may touch in this step."""
    a, b = C.shape_i[i, KIND], C.shape_i[j, KIND]
    if a > b:
        i, j, a, b = j, i, b, a
    if b == PLANE:
        if a == SEGMENT:
            segment_on_plane(T, W, C, h, i, j)
        elif a == BOX:
            box_on_plane(T, W, C, h, i, j)
    elif b == SEGMENT:
        two_segments(T, W, C, h, i, j)
    elif a == SEGMENT:
        segment_beside_box(T, W, C, h, i, j)


@kernel
def centre(C, i):
    return vec(C.placed, i, 0)


@kernel
def axis(C, i, c):
    return vec(C.placed, i, 3 + 3 * c)


@kernel
def segment_on_plane(T, W, C, h, i, j):
    """With its ends; the axis of a plane is its normal."""
    n, r = axis(C, j, 2), C.shape_f[i, RADIUS]
    half = C.shape_f[i, HALF + 2]
    for end in range(1 if half == 0.0 else 2):
        p = add(centre(C, i), scale(half if end == 0 else -half, axis(C, i, 2)))
        height = dot(n, sub(p, centre(C, j)))
        add_contact(T, W, C, h, i, j, end, height - r, n, sub(p, scale(height, n)))


@kernel
def box_on_plane(T, W, C, h, i, j):
    """With its corners."""
    n = axis(C, j, 2)
    for corner in range(8):
        p = centre(C, i)
        for c in range(3):
            half = C.shape_f[i, HALF + c]
            p = add(p, scale(half if (corner >> c) & 1 else -half, axis(C, i, c)))
        height = dot(n, sub(p, centre(C, j)))
        add_contact(T, W, C, h, i, j, corner, height, n, sub(p, scale(height, n)))


@kernel
def two_segments(T, W, C, h, i, j):
    """Where they are nearest."""
    a, b = C.shape_f[i, HALF + 2], C.shape_f[j, HALF + 2]
    p, q = centre(C, i), centre(C, j)
    if a > 0.0 or b > 0.0:
        s, t = nearest(sub(p, q), axis(C, i, 2), axis(C, j, 2), a, b)
        p, q = add(p, scale(s, axis(C, i, 2))), add(q, scale(t, axis(C, j, 2)))
    d = sub(p, q)
    apart = length(d)
    n = scale(1.0 / apart, d) if apart > 0.0 else axis(C, i, 0)
    r = C.shape_f[j, RADIUS]
    add_contact(T, W, C, h, i, j, 0, apart - r - C.shape_f[i, RADIUS], n, add(q, scale(r, n)))


@kernel
def nearest(d, e, f, a, b):
    """Along two segments of half lengths a and b, in the directions e and f: where they are nearest. d: between their
    centres."""
    c, de, df = dot(e, f), dot(d, e), dot(d, f)
    across = 1.0 - c * c
    s = within((c * df - de) / across, a) if across > PARALLEL else 0.0
    t = within(c * s + df, b)
    s = within(c * t - de, a)
    return s, within(c * s + df, b)


@kernel
def within(x, most):
    return min(max(x, -most), most)


@kernel
def segment_beside_box(T, W, C, h, i, j):
    """Its ends, each as a sphere, beside a box: the nearest point of the box, or of the nearest face from inside."""
    half = C.shape_f[i, HALF + 2]
    for end in range(1 if half == 0.0 else 2):
        p = add(centre(C, i), scale(half if end == 0 else -half, axis(C, i, 2)))
        d, q, most, face = sub(p, centre(C, j)), centre(C, j), -np.inf, 0
        for c in range(3):
            x, size = dot(d, axis(C, j, c)), C.shape_f[j, HALF + c]
            q = add(q, scale(within(x, size), axis(C, j, c)))
            if abs(x) - size > most:
                most, face = abs(x) - size, c
        away = sub(p, q)
        apart = length(away)
        n = scale(1.0 / max(apart, 1e-300), away)
        if most <= 0.0:
            n = scale(1.0 if dot(d, axis(C, j, face)) >= 0.0 else -1.0, axis(C, j, face))
            apart, q = most, sub(p, scale(most, n))
        add_contact(T, W, C, h, i, j, end, apart - C.shape_f[i, RADIUS], n, q)


# ---------------------------------------------------------------- a contact


@kernel
def velocity_at(table, body, first, point, p):
    """Of a point (N) of a body whose origin is at p, from its motion in a table."""
    return add(vec(table, body, first + 3), cross(vec(table, body, first), sub(point, p)))


@kernel
def add_contact(T, W, C, h, i, j, label, gap, n, point):
    """The next contact, of shape i on shape j: n points from j to i."""
    if gap > C.numbers[REACH]:
        return
    a, b, law = C.shape_i[i, BODY], C.shape_i[j, BODY], C.shape_i[i, LAW]
    p_a, p_b = vec(W.body, a, B_P), vec(W.body, b, B_P)
    free = sub(velocity_at(W.body, a, B_W, point, p_a), velocity_at(W.body, b, B_W, point, p_b))
    before = sub(velocity_at(C.twist, a, 0, point, p_a), velocity_at(C.twist, b, 0, point, p_b))
    k = C.counts[CONTACTS]
    if k >= C.element.shape[0]:
        C.counts[FULL] = 1
        return
    if gap < C.numbers[DEEPEST]:
        C.numbers[DEEPEST] = gap
        C.counts[DEEPEST_FIRST], C.counts[DEEPEST_SECOND] = i, j
    C.pressed[k] = k
    C.element[k] = -1 - ((i * C.shape_i.shape[0] + j) * POINTS + label)
    C.law[k] = law
    begin_rows(C, k)
    rows = 1 if C.law_f[law, FRICTION] == 0.0 else 3
    put_frame(C, k, n)
    for c in range(3):
        C.g[k, c] = C.before[k, c] = 0.0
        if c < rows:
            e = vec(C.frame, k, NORMAL + 3 * c)
            add_wrench(T, W, C, k, c, a, cross(sub(point, p_a), e), e)
            add_wrench(T, W, C, k, c, b, cross(sub(p_b, point), e), scale(-1.0, e))
            C.g[k, c], C.before[k, c] = dot(e, free), dot(e, before)
    end_rows(T, W, C, k)
    write_normal(C, k, h, C.law_f[law, RESTITUTION], gap, 0.0)
    yield_a_little(C, k, h, gap)
    C.set[k, MU] = C.set[k, STATIC_MU] = C.law_f[law, FRICTION]
    C.set[k, CAPACITY] = C.set[k, STATIC_CAPACITY] = 0.0
    first_guess(C, k)
    C.counts[CONTACTS] = k + 1


@kernel
def yield_a_little(C, k, h, gap):
    """Surfaces yield a little, in proportion to the impulse: contacts that block each other share a load in one way, which
    is found more quickly. A gap is then −h times COMPLIANCE times the impulse."""
    C.set[k, COMPLIANCE] = C.numbers[YIELDING] * finite(C.D[k, 0])
    C.D[k, 0] += C.set[k, COMPLIANCE]
    if gap < 0.0:
        C.set[k, TARGET] -= gap / h
        C.g[k, 0] += gap / h


@kernel
def put_frame(C, k, n):
    """A normal and two unit vectors across it."""
    e = (1.0, 0.0, 0.0)
    if abs(n[0]) > 0.6:
        e = (0.0, 1.0, 0.0)
    a = cross(n, e)
    a = scale(1.0 / length(a), a)
    put(C.frame, k, NORMAL, n)
    put(C.frame, k, FIRST_TANGENT, a)
    put(C.frame, k, SECOND_TANGENT, cross(n, a))


# ---------------------------------------------------------------- impulses from step to step


@kernel
def slot_of(C, key):
    """Where a key stands, or would."""
    most = C.slot.shape[0] - 1
    s = ((key * 2654435761) >> 7) & most
    while C.slot[s] >= 0 and C.key[C.slot[s]] != key:
        s = (s + 1) & most
    return s


@kernel
def first_guess(C, k):
    """Impulses of the same pair in the last step, friction across the normal as it is now."""
    m = C.slot[slot_of(C, -1 - C.element[k])]
    C.P[k, 0] = C.P[k, 1] = C.P[k, 2] = 0.0
    if m >= 0:
        across = vec(C.known, m, 1)
        C.P[k, 0] = C.known[m, 0]
        C.P[k, 1], C.P[k, 2] = dot(across, vec(C.frame, k, FIRST_TANGENT)), dot(across, vec(C.frame, k, SECOND_TANGENT))


@kernel
def forget_pairs(W, C):
    for s in range(C.slot.shape[0]):
        C.slot[s] = -1
    C.counts[KNOWN] = 0
    for law in range(C.law_i.shape[0]):
        W.r[C.law_i[law, COUNT]] = 0.0


@kernel
def keep_pair(W, C, k, velocity, work):
    """Impulses and work of contact k, which moves at this velocity after the step. Returns the work."""
    law, m, done = C.law[k], C.counts[KNOWN], work_of(C, k, velocity)
    work[C.law_i[law, WORK]] += done
    if not C.P[k, 0] > 0.0:
        return done
    C.key[m] = -1 - C.element[k]
    C.known[m, 0] = C.P[k, 0]
    put(
        C.known,
        m,
        1,
        add(scale(C.P[k, 1], vec(C.frame, k, FIRST_TANGENT)), scale(C.P[k, 2], vec(C.frame, k, SECOND_TANGENT))),
    )
    C.slot[slot_of(C, C.key[m])] = m
    C.counts[KNOWN] = m + 1
    W.r[C.law_i[law, COUNT]] += 1.0
    return done
