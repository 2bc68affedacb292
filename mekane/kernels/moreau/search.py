"""Which of very many shapes may touch: a grid of cells, each as large as the largest of them, kept in buckets. It costs a
fixed amount for each shape. Planes and what is much larger than the rest are compared with all."""

import numpy as np

from mekane.algebra.vectors import add, column, dot, length, mat, put, rotate, sub, times, vec
from mekane.kernels.bodies import pose
from mekane.kernels.moreau.elements import AHEAD, TOUCHING
from mekane.kernels.moreau.memory import (
    AXES,
    BODY,
    BOUND,
    CELL,
    CENTRE,
    FULL,
    GRAVITY,
    KIND,
    LAW,
    PLANE,
    REACH,
)
from mekane.kernels.moreau.pairs import touch
from mekane.numba_backend.kernel import kernel
from mekane.tables.columns import B_V, B_W

IS_LARGE = -2


@kernel
def search(T, W, C, h):
    """Contacts of all pairs of shapes that may touch in this step."""
    if C.shape_i.shape[0] == 0:
        return
    place_shapes(W, C)
    C.numbers[REACH] = TOUCHING + h * fastest(W, C) + AHEAD * h * h * C.numbers[GRAVITY]
    fill_cells(C)
    for a in range(C.large.shape[0]):
        with_all(T, W, C, h, a)
    for i in range(C.shape_i.shape[0]):
        if C.next[i] != IS_LARGE:
            with_neighbours(T, W, C, h, i)
        if C.counts[FULL] == 1:
            return


@kernel
def place_shapes(W, C):
    """Centres and axes in N."""
    for i in range(C.shape_i.shape[0]):
        R, p = pose(W.body, C.shape_i[i, BODY])
        put(C.placed, i, 0, add(p, rotate(R, vec(C.shape_f, i, CENTRE))))
        A = times(R, mat(C.shape_f, i, AXES))
        for c in range(3):
            put(C.placed, i, 3 + 3 * c, column(A, c))


@kernel
def fastest(W, C):
    """Largest speed of a point of a shape, at the start of the step or after it."""
    most = 0.0
    for i in range(C.shape_i.shape[0]):
        if C.shape_i[i, KIND] != PLANE:
            b = C.shape_i[i, BODY]
            _, p = pose(W.body, b)
            arm = C.shape_f[i, BOUND] + length(sub(vec(C.placed, i, 0), p))
            most = max(most, length(vec(C.twist, b, 3)) + arm * length(vec(C.twist, b, 0)))
            most = max(most, length(vec(W.body, b, B_V)) + arm * length(vec(W.body, b, B_W)))
    return most


@kernel
def fill_cells(C):
    """Buckets of shapes by the cells of their centres."""
    size = C.numbers[CELL] + C.numbers[REACH]
    for b in range(C.head.shape[0]):
        C.head[b] = -1
    for i in range(C.shape_i.shape[0]):
        if C.next[i] == IS_LARGE:
            continue
        for c in range(3):
            C.cell[i, c] = int(np.floor(C.placed[i, c] / size))
        b = bucket(C, C.cell[i, 0], C.cell[i, 1], C.cell[i, 2])
        C.next[i] = C.head[b]
        C.head[b] = i


@kernel
def bucket(C, x, y, z):
    return ((x * 73856093) ^ (y * 19349663) ^ (z * 83492791)) & (C.head.shape[0] - 1)


@kernel
def with_all(T, W, C, h, a):
    """A large shape, and all others; of two large ones the earlier meets the later."""
    i = C.large[a]
    for j in range(C.shape_i.shape[0]):
        if C.next[j] != IS_LARGE or j > i:
            meet(T, W, C, h, i, j)


@kernel
def with_neighbours(T, W, C, h, i):
    """A shape, and those before it in its cell and the cells around."""
    for dx in range(-1, 2):
        for dy in range(-1, 2):
            for dz in range(-1, 2):
                x, y, z = C.cell[i, 0] + dx, C.cell[i, 1] + dy, C.cell[i, 2] + dz
                j = C.head[bucket(C, x, y, z)]
                while j >= 0:
                    if j < i and C.cell[j, 0] == x and C.cell[j, 1] == y and C.cell[j, 2] == z:
                        meet(T, W, C, h, i, j)
                    j = C.next[j]


@kernel
def meet(T, W, C, h, i, j):
    """Two shapes of one law on different bodies, if spheres about them are near."""
    if C.shape_i[i, LAW] != C.shape_i[j, LAW] or C.shape_i[i, BODY] == C.shape_i[j, BODY] or C.counts[FULL] == 1:
        return
    if C.shape_i[i, KIND] != PLANE and C.shape_i[j, KIND] != PLANE:
        reach = C.shape_f[i, BOUND] + C.shape_f[j, BOUND] + C.numbers[REACH]
        d = sub(vec(C.placed, i, 0), vec(C.placed, j, 0))
        if dot(d, d) > reach * reach:
            return
    touch(T, W, C, h, i, j)
