"""Vectors as triples, matrices as nine numbers row by row, symmetric ones as six (xx, yy, zz, xy, xz, yz); and how they
sit in arrays.

Everything is arithmetic on scalars, so it runs on floats, complex numbers and symbols alike.
"""

import numpy as np

from mekane.algebra import triples
from mekane.numba_backend.kernel import kernel

add, sub, scale, dot, cross = map(kernel, (triples.add, triples.sub, triples.scale, triples.dot, triples.cross))


@kernel
def length(v):
    return np.sqrt(dot(v, v))


@kernel
def vec(table, row, column):
    return table[row, column], table[row, column + 1], table[row, column + 2]


@kernel
def put(table, row, column, v):
    table[row, column] = v[0]
    table[row, column + 1] = v[1]
    table[row, column + 2] = v[2]


@kernel
def add_to(table, row, column, v):
    table[row, column] += v[0]
    table[row, column + 1] += v[1]
    table[row, column + 2] += v[2]


@kernel
def mat(table, row, column):
    return (
        table[row, column], table[row, column + 1], table[row, column + 2],
        table[row, column + 3], table[row, column + 4], table[row, column + 5],
        table[row, column + 6], table[row, column + 7], table[row, column + 8],
    )  # fmt: skip


@kernel
def put_mat(table, row, column, A):
    put(table, row, column, (A[0], A[1], A[2]))
    put(table, row, column + 3, (A[3], A[4], A[5]))
    put(table, row, column + 6, (A[6], A[7], A[8]))


@kernel
def sym(table, row, column):
    return (
        table[row, column], table[row, column + 1], table[row, column + 2],
        table[row, column + 3], table[row, column + 4], table[row, column + 5],
    )  # fmt: skip


@kernel
def put_sym(table, row, column, A):
    put(table, row, column, (A[0], A[1], A[2]))
    put(table, row, column + 3, (A[3], A[4], A[5]))


@kernel
def rotate(R, v):
    """R v"""
    return (
        R[0] * v[0] + R[1] * v[1] + R[2] * v[2],
        R[3] * v[0] + R[4] * v[1] + R[5] * v[2],
        R[6] * v[0] + R[7] * v[1] + R[8] * v[2],
    )


@kernel
def rotate_back(R, v):
    """Rᵀ v"""
    return (
        R[0] * v[0] + R[3] * v[1] + R[6] * v[2],
        R[1] * v[0] + R[4] * v[1] + R[7] * v[2],
        R[2] * v[0] + R[5] * v[1] + R[8] * v[2],
    )


@kernel
def column(R, k):
    return R[k], R[3 + k], R[6 + k]


@kernel
def times(A, B):
    """A B"""
    return (
        A[0] * B[0] + A[1] * B[3] + A[2] * B[6], A[0] * B[1] + A[1] * B[4] + A[2] * B[7], A[0] * B[2] + A[1] * B[5] + A[2] * B[8],
        A[3] * B[0] + A[4] * B[3] + A[5] * B[6], A[3] * B[1] + A[4] * B[4] + A[5] * B[7], A[3] * B[2] + A[4] * B[5] + A[5] * B[8],
        A[6] * B[0] + A[7] * B[3] + A[8] * B[6], A[6] * B[1] + A[7] * B[4] + A[8] * B[7], A[6] * B[2] + A[7] * B[5] + A[8] * B[8],
    )  # fmt: skip


@kernel
def sym_times(S, v):
    """S v for a symmetric S of six numbers."""
    return (
        S[0] * v[0] + S[3] * v[1] + S[4] * v[2],
        S[3] * v[0] + S[1] * v[1] + S[5] * v[2],
        S[4] * v[0] + S[5] * v[1] + S[2] * v[2],
    )


@kernel
def sym_turned(R, S):
    """R S Rᵀ for a symmetric S of six numbers."""
    x = sym_times(S, (R[0], R[1], R[2]))
    y = sym_times(S, (R[3], R[4], R[5]))
    z = sym_times(S, (R[6], R[7], R[8]))
    return (
        R[0] * x[0] + R[1] * x[1] + R[2] * x[2],
        R[3] * y[0] + R[4] * y[1] + R[5] * y[2],
        R[6] * z[0] + R[7] * z[1] + R[8] * z[2],
        R[3] * x[0] + R[4] * x[1] + R[5] * x[2],
        R[6] * x[0] + R[7] * x[1] + R[8] * x[2],
        R[6] * y[0] + R[7] * y[1] + R[8] * y[2],
    )


@kernel
def turn_about(axis, angle):
    """Rot(axis, angle), for (K.1)."""
    s, c = np.sin(angle), np.cos(angle)
    t = 1.0 - c
    x, y, z = axis[0], axis[1], axis[2]
    return (
        t * x * x + c, t * x * y - s * z, t * x * z + s * y,
        t * x * y + s * z, t * y * y + c, t * y * z - s * x,
        t * x * z - s * y, t * y * z + s * x, t * z * z + c,
    )  # fmt: skip


@kernel
def turn_of(e1, e2, e3, e4):
    """R(e) of Euler parameters, scalar last (K.7); divided by |e|², so that it is a rotation for every e."""
    n = 1.0 / (e1 * e1 + e2 * e2 + e3 * e3 + e4 * e4)
    a, b, c = 2.0 * e1 * n, 2.0 * e2 * n, 2.0 * e3 * n
    return (
        1.0 - b * e2 - c * e3, a * e2 - c * e4, a * e3 + b * e4,
        a * e2 + c * e4, 1.0 - a * e1 - c * e3, b * e3 - a * e4,
        a * e3 - b * e4, b * e3 + a * e4, 1.0 - a * e1 - b * e2,
    )  # fmt: skip
