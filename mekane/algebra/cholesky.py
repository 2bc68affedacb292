"""Symmetric positive definite equations, for many right sides at once. Rows of X are long, so that inner loops are
vector instructions."""

from mekane.numba_backend.kernel import kernel


@kernel
def factor_spd(M):
    """M = L Lᵀ, with L in the lower half of M and 1 / L_jj on the diagonal."""
    n = M.shape[0]
    for j in range(n):
        for i in range(j, n):
            s = M[i, j]
            for k in range(j):
                s -= M[i, k] * M[j, k]
            M[i, j] = s
        M[j, j] = 1.0 / M[j, j] ** 0.5
        for i in range(j + 1, n):
            M[i, j] *= M[j, j]


@kernel
def solve_spd(M, X):
    """X = M⁻¹ X in place, after `factor_spd`."""
    n, m = X.shape
    for i in range(n):
        for k in range(i):
            for c in range(m):
                X[i, c] -= M[i, k] * X[k, c]
        for c in range(m):
            X[i, c] *= M[i, i]
    for i in range(n - 1, -1, -1):
        for k in range(i + 1, n):
            for c in range(m):
                X[i, c] -= M[k, i] * X[k, c]
        for c in range(m):
            X[i, c] *= M[i, i]
