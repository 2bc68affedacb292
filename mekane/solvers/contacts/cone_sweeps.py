"""Block Gauss–Seidel on cones, compiled: x with v = D x + g and −v in the normal cone of each set at x.  (N.2), (N.9)"""

from typing import NamedTuple

import numpy as np

from mekane.algebra.symmetric import diagonalize
from mekane.numba_backend.kernel import kernel
from mekane.solvers.contacts.one_contact import force_of_one, friction_within

AT_EDGE = 1e-9  # of a cone, relative
NORMAL, TANGENT, TANGENTS = range(3)  # of place


class ConeProblem(NamedTuple):
    """m rows of k elements."""

    D: np.ndarray  # (m, m)
    g: np.ndarray  # (m,)
    place: np.ndarray  # (k, 3) int  row of the normal (-1: none), of the first tangent, number of tangents
    friction: np.ndarray  # (k,)  coefficient, or most
    floor: np.ndarray  # (k,)  least normal force
    known: np.ndarray  # (k,) int  1: the direction of sliding is given
    direction: np.ndarray  # (k, 2)
    closed: np.ndarray  # (k,) int
    step: np.ndarray  # (k,)  of the element as a whole
    own: np.ndarray  # (3, 3)  scratch: D of one element
    v: np.ndarray  # (3,)  scratch


@kernel(exact=True)
def row_of(L, b, i):
    """Row i of an element: the normal first, if it has one."""
    if L.place[b, NORMAL] >= 0:
        return L.place[b, NORMAL] if i == 0 else L.place[b, TANGENT] + i - 1
    return L.place[b, TANGENT] + i


@kernel(exact=True)
def count(L, b):
    return L.place[b, TANGENTS] + (1 if L.place[b, NORMAL] >= 0 else 0)


@kernel(exact=True, outer=True)
def write_steps(L, block, basis):
    """L.step, from the largest stiffness of the rows of an element. block, basis (3, 3): scratch."""
    for b in range(L.place.shape[0]):
        n, largest = count(L, b), 0.0
        for i in range(n):
            for j in range(n):
                block[i, j] = L.D[row_of(L, b, i), row_of(L, b, j)]
        diagonalize(n, block, basis)
        for i in range(n):
            largest = max(largest, block[i, i])
        L.step[b] = 1.0 / max(largest, 1e-300)


@kernel(exact=True)
def velocity(L, x, b):
    """L.v: of an element."""
    for i in range(count(L, b)):
        row = row_of(L, b, i)
        L.v[i] = L.g[row]
        for j in range(x.shape[0]):
            L.v[i] += L.D[row, j] * x[j]


@kernel(exact=True)
def nearest(L, b, n, p, q):
    """The nearest point of the set to normal force n and friction (p, q)."""
    if L.closed[b] == 0:
        return 0.0, 0.0, 0.0
    most = L.friction[b]
    if L.place[b, NORMAL] >= 0:
        n = max(L.floor[b], n)
        most *= n if L.known[b] == 1 else max(n, 0.0)
    if L.known[b] == 1:
        return n, -most * L.direction[b, 0], -most * L.direction[b, 1]
    size = np.hypot(p, q)
    if size > most:
        p, q = p * (most / size), q * (most / size)
    return n, p, q


@kernel(exact=True)
def values(L, x, b):
    """Normal force and friction of an element."""
    n = x[L.place[b, NORMAL]] if L.place[b, NORMAL] >= 0 else 0.0
    p = x[L.place[b, TANGENT]] if L.place[b, TANGENTS] > 0 else 0.0
    q = x[L.place[b, TANGENT] + 1] if L.place[b, TANGENTS] > 1 else 0.0
    return n, p, q


@kernel(exact=True)
def put(L, x, b, n, p, q):
    if L.place[b, NORMAL] >= 0:
        x[L.place[b, NORMAL]] = n
    if L.place[b, TANGENTS] > 0:
        x[L.place[b, TANGENT]] = p
    if L.place[b, TANGENTS] > 1:
        x[L.place[b, TANGENT] + 1] = q


@kernel(exact=True)
def split(L, b):
    """L.v as normal and tangential velocity."""
    first = 1 if L.place[b, NORMAL] >= 0 else 0
    p = L.v[first] if L.place[b, TANGENTS] > 0 else 0.0
    q = L.v[first + 1] if L.place[b, TANGENTS] > 1 else 0.0
    return L.v[0] if first == 1 else 0.0, p, q


@kernel(exact=True, outer=True)
def residual(L, x):
    """The largest natural residual."""
    worst = 0.0
    for b in range(L.place.shape[0]):
        velocity(L, x, b)
        (n, p, q), (vn, vp, vq), step = values(L, x, b), split(L, b), L.step[b]
        a, c, d = nearest(L, b, n - step * vn, p - step * vp, q - step * vq)
        worst = max(worst, abs(n - a) / step, abs(p - c) / step, abs(q - d) / step)
    return worst


@kernel(exact=True, outer=True)
def sweeps(L, x, times):
    for _ in range(times):
        for b in range(L.place.shape[0]):
            improve(L, x, b)


@kernel(exact=True)
def improve(L, x, b):
    """The force of one element with all others as they are."""
    if L.closed[b] == 0:
        put(L, x, b, 0.0, 0.0, 0.0)
        return
    N, m, most, W, q = L.place[b, NORMAL], L.place[b, TANGENTS], L.friction[b], L.own, L.v
    leave_out(L, x, b)
    if L.known[b] == 1:
        n = press(L, b) if N >= 0 else 1.0
        put(L, x, b, n, -most * n * L.direction[b, 0], -most * n * L.direction[b, 1])
    elif N < 0:
        p, r = friction_within(W[1, 1], W[1, 2], W[2, 2], q[1], q[2], most)
        put(L, x, b, 0.0, p, r)
    elif m == 0:
        put(L, x, b, max(L.floor[b], -q[0] / max(W[0, 0], 1e-300)), 0.0, 0.0)
    else:
        n, p, r = force_of_one(W, q, most, L.floor[b])
        put(L, x, b, n, p, r)


@kernel(exact=True)
def leave_out(L, x, b):
    """L.own: D of an element, the normal first; L.v: its velocities without its own force. Zero for rows that it has not."""
    first = 0 if L.place[b, NORMAL] >= 0 else 1
    velocity(L, x, b)
    for i in range(2, -1, -1):
        has = first <= i < first + count(L, b)
        L.v[i] = L.v[i - first] if has else 0.0
    for i in range(3):
        for j in range(3):
            L.own[i, j] = 0.0
            if min(i, j) >= first and max(i, j) < first + count(L, b):
                L.own[i, j] = L.D[row_of(L, b, i - first), row_of(L, b, j - first)]
                L.v[i] -= L.own[i, j] * x[row_of(L, b, j - first)]


@kernel(exact=True)
def press(L, b):
    """The normal force of an element whose direction of sliding is given, with the friction that goes with it."""
    stiff = L.own[0, 0]
    for i in range(L.place[b, TANGENTS]):
        stiff -= L.friction[b] * L.own[0, 1 + i] * L.direction[b, i]
    return max(L.floor[b], -L.v[0] / (stiff if stiff > 0.0 else max(L.own[0, 0], 1e-300)))
