"""Eigenvalues of state matrices. Some are zero by structure, in Jordan blocks: those are found by rank, the rest without them."""

import numpy as np

RANK = 1e-13  # singular values below this share of the largest are zero; A is free of noise (see state_matrix)


def eigensystem(A):
    """Eigenvalues and vectors (columns) of A, and how many eigenvalues are zero: these come first, with any basis of their space.

    Rigid-body motions make blocks (position, speed) whose double zero would come out as plus and minus the root of round-off. So an
    orthonormal basis of what A maps to zero, sooner or later, is split off first.
    """
    scale = balancing(A)
    balanced = A / scale[:, None] * scale
    null = generalized_null_space(balanced)
    k = null.shape[1]
    basis = np.linalg.qr(np.hstack([null, np.eye(len(A))]))[0][:, : len(A)]
    split = basis.T @ balanced @ basis
    values, vectors = np.linalg.eig(split[k:, k:])
    above = lambda value, v: np.linalg.solve(split[:k, :k] - value * np.eye(k), -split[:k, k:] @ v)
    head = [above(value, v) for value, v in zip(values, vectors.T, strict=True)]
    full = np.vstack([np.array(head).reshape(len(values), k).T, vectors])
    return np.concatenate([np.zeros(k), values]), scale[:, None] * (basis @ np.hstack([np.eye(len(A))[:, :k], full])), k


def balancing(A, sweeps=8, most=1e4):
    """Units of the states in which rows and columns of A are alike in size, within limits: fast and slow modes are then judged alike."""
    scale, size = np.ones(len(A)), np.abs(A)
    np.fill_diagonal(size, 0.0)
    for _ in range(sweeps):
        for i in range(len(A)):
            row, column = size[i] @ scale / scale[i], size[:, i] @ (1.0 / scale) * scale[i]
            if row > 0 and column > 0:
                scale[i] = np.clip(scale[i] * np.sqrt(row / column), 1.0 / most, most)
    return scale


def generalized_null_space(A):
    """Orthonormal columns spanning all x with A^m x = 0 for some m."""
    n, found = len(A), np.zeros((len(A), 0))
    size = np.linalg.norm(A, 2) if A.size else 0.0
    while found.shape[1] < n:
        Q = np.linalg.qr(np.hstack([found, np.eye(n)]))[0]
        rest = Q[:, found.shape[1] :]
        _, s, Vt = np.linalg.svd(rest.T @ A @ rest)
        new = rest @ Vt[s <= RANK * size].T
        if not new.shape[1]:
            break
        found = np.hstack([found, new])
    return found


def sorted_eigenvalues(A):
    """By imaginary part's size, then real part."""
    values = eigensystem(A)[0]
    return values[np.lexsort((values.imag, values.real, np.round(np.abs(values), 9)))]
