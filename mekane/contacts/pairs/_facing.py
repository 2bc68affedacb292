"""Which faces of two boxes face each other: those across the axis along which the boxes are farthest apart.

Boxes that touch are apart by zero along one axis and overlap along all others: an axis of one of them, or one across an
edge of each. Everything is expressed along the axes of the second box, b: p, from its centre to that of a, and
R[i][j] = b_i · a_j. Only conditions depend on the axis, gaps do not. Comparisons have a little play, so that none of
them is undecided where boxes lie flat on each other, or are equal.
"""

from typing import NamedTuple

import numpy as np

from mekane.algebra.scalar import less, select
from mekane.algebra.triples import dot

PLAY = 1e-5  # of a size or of a cosine: what is closer than this counts as a tie, and the first one wins
TINY = 1e-24  # under roots, which would have no derivative at zero
PARALLEL = 1e-6  # sin² of the angle between edges that count as parallel


class Chosen(NamedTuple):
    """A face of a box: on which of its axes, and on which side."""

    first: object  # 1: on the first of the axes
    second: object  # 1: on the second, if not on the first
    side: object  # 1 or −1

    def of(self, x, y, z):
        """One of three, by the axis."""
        return select(self.first, x, select(self.second, y, z))

    def ordered(self, v):
        """Components along the normal, outwards, and along the two axes in the face, which follow in cyclic order."""
        x, y, z = v
        return self.side * self.of(x, y, z), self.of(y, z, x), self.of(z, x, y)

    def halves(self, h):
        x, y, z = h
        return self.of(x, y, z), self.of(y, z, x), self.of(z, x, y)

    def axes(self, vectors):
        """The normal and the two axes as world vectors."""
        normal, one, other = (
            tuple(pick) for pick in zip(*(self.ordered(v) for v in zip(*vectors, strict=True)), strict=True)
        )
        return normal, one, other


def size(x):
    """|x|, without a comparison."""
    return np.sqrt(x * x + TINY)


def facing(p, R, a, b, faces_a=(0, 1, 2), faces_b=(0, 1, 2)):
    """Chosen of a and of b. a, b: half edges; faces_a, faces_b: axes whose faces can touch."""
    play = PLAY * min(*a, *b)
    best = None
    for number, (apart, axis) in enumerate(candidates(p, R, a, b, faces_a, faces_b)):
        score = apart - number * play
        if best is None:
            best = score, axis
        else:
            better = less(best[0], score)
            best = (
                select(better, score, best[0]),
                tuple(select(better, x, y) for x, y in zip(axis, best[1], strict=True)),
            )
    towards = select(less(0.0, dot(best[1], p)), 1.0, -1.0)
    n = tuple(towards * x for x in best[1])
    seen_from_a = tuple(-dot(n, column(R, j)) for j in range(3))
    return face_along(seen_from_a, faces_a), face_along(n, faces_b)


def column(R, j):
    return tuple(row[j] for row in R)


def candidates(p, R, a, b, faces_a, faces_b):
    """(distance along it, axis) of all axes along which boxes can be apart; axes along those of b."""
    seen_from_a = [dot(p, column(R, j)) for j in range(3)]
    sizes = [[size(x) for x in row] for row in R]
    unit = np.eye(3).tolist()
    for i in faces_b:
        yield size(p[i]) - b[i] - dot(a, sizes[i]), tuple(unit[i])
    for j in faces_a:
        yield size(seen_from_a[j]) - a[j] - dot(b, column(sizes, j)), column(R, j)
    if len(faces_a) == 3:
        for i in range(3):
            for j in range(3):
                yield across_edges(p, R, sizes, a, b, i, j)


def across_edges(p, R, sizes, a, b, i, j):
    """The same across edge i of b and edge j of a; far inside where they are parallel."""
    i1, i2, j1, j2 = (i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3
    square = 1.0 - R[i][j] * R[i][j]
    crosses = less(PARALLEL, square)
    reach = b[i1] * sizes[i2][j] + b[i2] * sizes[i1][j] + a[j1] * sizes[i][j2] + a[j2] * sizes[i][j1]
    apart = size(p[i2] * R[i1][j] - p[i1] * R[i2][j]) - reach
    axis = [0.0, 0.0, 0.0]  # e_i × a_j
    axis[i1], axis[i2] = -R[i2][j], R[i1][j]
    return select(crosses, apart / np.sqrt(select(crosses, square, 1.0)), -10.0 * (sum(a) + sum(b))), tuple(axis)


def face_along(n, numbers):
    """The face that looks along n most, among those of these axes."""
    squares = [n[i] * n[i] * (1.0 - 10.0 * k * PLAY) if i in numbers else -1.0 for k, i in enumerate(range(3))]
    first = less(squares[1], squares[0]) * less(squares[2], squares[0])
    second = less(squares[2], squares[1])
    along = select(first, n[0], select(second, n[1], n[2]))
    return Chosen(first, second, select(less(PLAY, along), 1.0, -1.0))
