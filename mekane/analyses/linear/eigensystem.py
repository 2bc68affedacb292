"""Eigenvalues of state matrices. Some are zero by structure, in Jordan blocks: those are found by rank, the rest
without them.

Zero means: a singular value of the balanced matrix below RANK of its largest, or below what its entries are uncertain by.
Round-off differs between processors, so the bound stands two decades above what is left of entries that should vanish
(see state_matrix), and such entries do not choose the units.
"""

import numpy as np

RANK = 1e-12  # singular values below this share of the largest are zero
FAINT = 1e-10  # of the largest entry: smaller ones may be round-off, and do not choose units


def eigensystem(A, uncertain=0.0):
    """Eigenvalues and vectors (columns) of A, and how many eigenvalues are zero: these come first, with any basis of
    their space. uncertain: by how much each entry of A may be wrong.

    Rigid-body motions make blocks (position, speed) whose double zero would come out as plus and minus the root of
    round-off. So an orthonormal basis of what A maps to zero, sooner or later, is split off first.
    """
    scale = balancing(A)
    balanced = in_units(A, scale)
    null = generalized_null_space(balanced, least_size(balanced, uncertain, scale))
    k = null.shape[1]
    basis = np.linalg.qr(np.hstack([null, np.eye(len(A))]))[0][:, : len(A)]
    split = basis.T @ balanced @ basis
    values, vectors = np.linalg.eig(split[k:, k:])
    above = lambda value, v: np.linalg.solve(split[:k, :k] - value * np.eye(k), -split[:k, k:] @ v)
    head = [above(value, v) for value, v in zip(values, vectors.T, strict=True)]
    full = np.vstack([np.array(head).reshape(len(values), k).T, vectors])
    return np.concatenate([np.zeros(k), values]), scale[:, None] * (basis @ np.hstack([np.eye(len(A))[:, :k], full])), k


def balancing(A, sweeps=8, most=1e4):
    """Units of the states in which rows and columns of A are alike in size, within limits: fast and slow modes are then
    judged alike."""
    scale, size = np.ones(len(A)), np.abs(A)
    size[size < FAINT * size.max(initial=0.0)] = 0.0
    np.fill_diagonal(size, 0.0)
    for _ in range(sweeps):
        for i in range(len(A)):
            row, column = size[i] @ scale / scale[i], size[:, i] @ (1.0 / scale) * scale[i]
            if row > 0 and column > 0:
                scale[i] = np.clip(scale[i] * np.sqrt(row / column), 1.0 / most, most)
    return scale


def in_units(A, scale):
    return A / scale[:, None] * scale


def nullity(A, uncertain=0.0):
    """Independent x with A x = 0, judged as eigensystem judges."""
    scale = balancing(A)
    balanced = in_units(A, scale)
    return null_space(balanced, least_size(balanced, uncertain, scale)).shape[1]


def least_size(balanced, uncertain, scale):
    """Singular values of a balanced matrix that are not larger are zero."""
    norm = lambda matrix: np.linalg.norm(matrix, 2) if matrix.size else 0.0
    return max(RANK * norm(balanced), norm(in_units(np.broadcast_to(uncertain, balanced.shape), scale)))


def null_space(A, least):
    """Orthonormal columns spanning all x with A x = 0; singular values up to `least` are zero."""
    _, s, Vt = np.linalg.svd(A)
    return Vt[s <= least].T


def generalized_null_space(A, least):
    """Orthonormal columns spanning all x with A^m x = 0 for some m."""
    n, found = len(A), np.zeros((len(A), 0))
    while found.shape[1] < n:
        Q = np.linalg.qr(np.hstack([found, np.eye(n)]))[0]
        rest = Q[:, found.shape[1] :]
        new = rest @ null_space(rest.T @ A @ rest, least)
        if not new.shape[1]:
            break
        found = np.hstack([found, new])
    return found


def sorted_eigenvalues(A, uncertain=0.0):
    """By imaginary part's size, then real part."""
    values = eigensystem(A, uncertain)[0]
    return values[np.lexsort((values.imag, values.real, np.round(np.abs(values), 9)))]
