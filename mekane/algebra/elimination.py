"""LU of m rows of n columns, n ≥ m, in place, rows and columns being taken in the order of two lists: the first m columns
in `order` are B_D, which is factored; `by_row` says which row settles each. Column n is the right side."""

from mekane.numba_backend.kernel import kernel


@kernel
def take_pivot(k, m, n, order, by_row, B):
    """Eliminate column order[k] from the rows after by_row[k]; column n is the right side. Factors stay in the column."""
    p, c = by_row[k], order[k]
    for i in range(k + 1, m):
        x = B[by_row[i], c] / B[p, c]
        B[by_row[i], c] = x
        for j in range(k + 1, n):
            B[by_row[i], order[j]] -= x * B[p, order[j]]
        B[by_row[i], n] -= x * B[p, n]


@kernel
def substitute_dependent(m, n, order, by_row, B):
    """B_D⁻¹ applied to the columns after the first m and to the right side; L U = B_D stays in the first m."""
    for k in range(m):
        take_pivot(k, m, n, order, by_row, B)
    for k in range(m - 1, -1, -1):
        p, x = by_row[k], 1.0 / B[by_row[k], order[k]]
        for i in range(k + 1, m):
            factor = B[p, order[i]]
            for j in range(m, n):
                B[p, order[j]] -= factor * B[by_row[i], order[j]]
            B[p, n] -= factor * B[by_row[i], n]
        for j in range(m, n):
            B[p, order[j]] = x * B[p, order[j]]
        B[p, n] = x * B[p, n]


@kernel
def solve_transposed(m, order, by_row, B, force, lam):
    """lam with B_Dᵀ lam = force, after `substitute_dependent`."""
    for k in range(m):
        x = force[order[k]]
        for i in range(k):
            x = x - B[by_row[i], order[k]] * lam[by_row[i]]
        lam[by_row[k]] = x / B[by_row[k], order[k]]
    for k in range(m - 1, -1, -1):
        for i in range(k + 1, m):
            lam[by_row[k]] -= B[by_row[i], order[k]] * lam[by_row[i]]
