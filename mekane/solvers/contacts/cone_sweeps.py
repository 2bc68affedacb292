"""Block Gauss–Seidel on cones, compiled: x with v = D x + g and −v in the normal cone of each set at x.  (N.2), (N.9)"""

from typing import NamedTuple

import numpy as np

from mekane.algebra.symmetric import diagonalize
from mekane.numba_backend.kernel import kernel

INNER = 4  # of the normal and the disc of one element
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
    tangential: np.ndarray  # (k,)  largest stiffness of its tangents
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
    """L.step and L.tangential, from the largest stiffness of all rows of an element, and of its tangents. block, basis (3, 3):
    scratch."""
    for b in range(L.place.shape[0]):
        n, m = count(L, b), L.place[b, TANGENTS]
        L.step[b] = 1.0 / max(largest_stiffness(L, b, 0, n, block, basis), 1e-300)
        L.tangential[b] = largest_stiffness(L, b, n - m, n, block, basis) if m > 0 else 1.0


@kernel(exact=True)
def largest_stiffness(L, b, first, end, block, basis):
    """The largest eigenvalue of D of these rows of an element."""
    largest = 0.0
    for i in range(first, end):
        for j in range(first, end):
            block[i - first, j - first] = L.D[row_of(L, b, i), row_of(L, b, j)]
    diagonalize(end - first, block, basis)
    for i in range(end - first):
        largest = max(largest, block[i, i])
    return largest


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
    """The force of one element with all others as they are: the normal first, then the disc, a few times."""
    if L.place[b, NORMAL] < 0:
        velocity(L, x, b)
        (n, p, q), (_, vp, vq), step = values(L, x, b), split(L, b), L.step[b]
        n, p, q = nearest(L, b, n, p - step * vp, q - step * vq)
        put(L, x, b, n, p, q)
        return
    for _ in range(INNER if L.place[b, TANGENTS] > 0 else 1):
        press(L, x, b)
        velocity(L, x, b)
        (n, p, q), (_, vp, vq), stiff = values(L, x, b), split(L, b), max(L.tangential[b], 1e-300)
        n, p, q = nearest(L, b, n, p - vp / stiff, q - vq / stiff)
        put(L, x, b, n, p, q)


@kernel(exact=True)
def press(L, x, b):
    """The normal force of an element alone, with friction that goes with it where its direction is given."""
    velocity(L, x, b)
    N, first = L.place[b, NORMAL], L.place[b, TANGENT]
    stiff = L.D[N, N]
    if L.known[b] == 1:
        for i in range(L.place[b, TANGENTS]):
            stiff -= L.friction[b] * L.D[N, first + i] * L.direction[b, i]
    x[N] = max(L.floor[b], x[N] - L.v[0] / (stiff if stiff > 0.0 else L.D[N, N])) if L.closed[b] == 1 else 0.0
