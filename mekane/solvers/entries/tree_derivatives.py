"""Entry: accelerations of a tree and their exact derivatives by its state, all in one call."""

from mekane.algebra.cholesky import factor_spd, solve_spd
from mekane.numba_backend.kernel import entry, kernel
from mekane.tables.handle import EQUATION_DERIVATIVES, MASS, RHS, SIGNATURE, call, floats1, floats2, integers1, unpack
from mekane.tables.tables import N_Q, N_U


@kernel(inline=True)
def derivatives(header, t, n_q, n, order):
    """order: n_x, n_z, directions, where ud stands in x; addresses of the handle of derivatives, its order, y, yd, x,
    derivatives, M, result."""
    n_x, n_z, m, at_ud = order[0], order[1], order[2], order[3]
    y, yd, x = order[6], floats1(order[7], n_q + n), floats1(order[8], n_x)
    call(header, RHS, t, y, order[7])
    for r in range(n):
        x[at_ud + r] = yd[n_q + r]
    call(order[4], EQUATION_DERIVATIVES, t, order[5], order[5])
    M, result, by_state = floats2(order[10], n, n), floats2(order[11], n, m), floats2(order[9], m, n_z)
    for i in range(n):
        for j in range(n):
            M[i, j] = 0.0
    call(header, MASS, t, y, order[10])
    for r in range(n):
        for k in range(m):
            result[r, k] = -by_state[k, r]
    factor_spd(M)
    solve_spd(M, result)


@entry(SIGNATURE)
def derivatives_entry(header, t, a, b):
    """a: the order."""
    T, _ = unpack(header)
    derivatives(header, t, T.count[N_Q], T.count[N_U], integers1(a, 12))
    return 0.0
