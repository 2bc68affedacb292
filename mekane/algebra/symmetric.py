"""Small dense symmetric matrices that may be singular: their pseudo-inverse, by Cholesky or by Jacobi's rotations."""

import numpy as np

from mekane.numba_backend.kernel import kernel

SWEEPS = 40
VANISHED = 1e-30  # squared, relative: elements off the diagonal


@kernel(exact=True)
def pseudo_inverse(n, A, rank, basis, sizes):
    """A[:n, :n] becomes its pseudo-inverse: eigenvalues below rank times the largest count as zero. basis, sizes: scratch."""
    if invert_definite(n, A, rank, basis):
        return
    diagonalize(n, A, basis)
    largest = 0.0
    for i in range(n):
        sizes[i] = A[i, i]
        largest = max(largest, sizes[i])
    for i in range(n):
        for j in range(n):
            A[i, j] = 0.0
            for k in range(n):
                if sizes[k] > rank * largest:
                    A[i, j] += basis[i, k] * basis[j, k] / sizes[k]


@kernel(exact=True)
def invert_definite(n, A, rank, L):
    """A ← A⁻¹ by Cholesky; False, and A unchanged, where a pivot is small beside its diagonal element."""
    for j in range(n):
        d = A[j, j]
        for k in range(j):
            d -= L[j, k] * L[j, k]
        if not d > 1e4 * rank * A[j, j]:  # pivots say less than eigenvalues: only what is clear
            return False
        L[j, j] = np.sqrt(d)
        for i in range(j + 1, n):
            x = A[i, j]
            for k in range(j):
                x -= L[i, k] * L[j, k]
            L[i, j] = x / L[j, j]
    for j in range(n):  # L ← L⁻¹
        L[j, j] = 1.0 / L[j, j]
        for i in range(j + 1, n):
            x = 0.0
            for k in range(j, i):
                x -= L[i, k] * L[k, j]
            L[i, j] = x / L[i, i]
    for i in range(n):
        for j in range(i + 1):
            A[i, j] = 0.0
            for k in range(i, n):
                A[i, j] += L[k, i] * L[k, j]
            A[j, i] = A[i, j]
    return True


@kernel(exact=True)
def diagonalize(n, A, basis):
    """A ← basisᵀ A basis, diagonal: cyclic Jacobi."""
    for i in range(n):
        for j in range(n):
            basis[i, j] = 1.0 if i == j else 0.0
    for _ in range(SWEEPS):
        off, on = 0.0, 0.0
        for i in range(n):
            on += A[i, i] * A[i, i]
            for j in range(i):
                off += A[i, j] * A[i, j]
        if off <= VANISHED * on:
            return
        for p in range(n):
            for q in range(p + 1, n):
                if A[p, q] != 0.0:
                    rotate(n, A, basis, p, q)


@kernel(exact=True)
def rotate(n, A, basis, p, q):
    """One rotation, after which A[p, q] is zero."""
    ratio = 0.5 * (A[q, q] - A[p, p]) / A[p, q]
    t = (1.0 if ratio >= 0.0 else -1.0) / (abs(ratio) + np.sqrt(ratio * ratio + 1.0))
    c = 1.0 / np.sqrt(t * t + 1.0)
    s = t * c
    for k in range(n):
        x, y = A[k, p], A[k, q]
        A[k, p], A[k, q] = c * x - s * y, s * x + c * y
    for k in range(n):
        x, y = A[p, k], A[q, k]
        A[p, k], A[q, k] = c * x - s * y, s * x + c * y
    for k in range(n):
        x, y = basis[k, p], basis[k, q]
        basis[k, p], basis[k, q] = c * x - s * y, s * x + c * y
