"""Small dense linear systems inside time loops: LU with partial pivoting, in place."""

from mekane.numba_backend.kernel import kernel


@kernel(exact=True)
def lu(A, swaps):
    """Factor A in place; False if it is singular."""
    n = A.shape[0]
    for k in range(n):
        p = k
        for i in range(k + 1, n):
            if abs(A[i, k]) > abs(A[p, k]):
                p = i
        swaps[k] = p
        if A[p, k] == 0.0:
            return False
        if p != k:
            for j in range(n):
                A[k, j], A[p, j] = A[p, j], A[k, j]
        for i in range(k + 1, n):
            if A[i, k] != 0.0:
                A[i, k] /= A[k, k]
                for j in range(k + 1, n):
                    A[i, j] -= A[i, k] * A[k, j]
    return True


@kernel(exact=True)
def lu_solve(A, swaps, x):
    """x ← A⁻¹ x with A from `lu`."""
    n = A.shape[0]
    for k in range(n):
        p = swaps[k]
        x[k], x[p] = x[p], x[k]
    for k in range(n):
        for j in range(k):
            x[k] -= A[k, j] * x[j]
    for k in range(n - 1, -1, -1):
        for j in range(k + 1, n):
            x[k] -= A[k, j] * x[j]
        x[k] /= A[k, k]
