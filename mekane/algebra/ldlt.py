"""Small dense symmetric equations by L D Lᵀ, in place: no square roots, so it runs on every scalar."""

from mekane.numba_backend.kernel import kernel


@kernel
def solve_ldlt(p, last, A):
    """A x = b by L D Lᵀ; the lower half of A is given, b and then x stand in column `last`."""
    for j in range(p):
        for k in range(j):
            x = A[j, k]
            for s in range(k):
                x = x - A[j, s] * A[k, s] * A[s, s]
            A[j, k] = x / A[k, k]
        for k in range(j):
            A[j, j] -= A[j, k] * A[j, k] * A[k, k]
            A[j, last] -= A[j, k] * A[k, last]
    for j in range(p - 1, -1, -1):
        A[j, last] = A[j, last] / A[j, j]
        for k in range(j + 1, p):
            A[j, last] -= A[k, j] * A[k, last]
