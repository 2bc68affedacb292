"""Entry: the right-hand side for a state and its derivatives along parameters, side by side: (y, dy/dp1, dy/dp2 …).

The header is followed by three more numbers: the addresses of space for y and yd as duals and for the time, and how many
derivatives there are. The time has derivatives, too: where an instant moves with the parameters.
"""

from mekane.kernels.rhs import rhs
from mekane.numba_backend.dual import WIDTH
from mekane.numba_backend.kernel import entry, kernel
from mekane.tables.handle import SIGNATURE, WORKSPACE, duals1, floats1, floats2, integers1, unpack_all_duals
from mekane.tables.tables import N_CONTROLLER, N_Q, N_U, N_WORK

AFTER = 8 * WORKSPACE.end  # bytes


@kernel(inline=True)
def flow(T, W, now, lanes, duals, a, b, n, n_y, n_p):
    """n: length of a state with its works; n_y: without."""
    for j in range(n_y):
        lanes[j, 0] = a[j]
        for k in range(n_p):
            lanes[j, 1 + k] = a[(1 + k) * n_y + j]
    rhs(T, W, now, duals[:n], duals[n:])
    for j in range(n_y):
        b[j] = lanes[n + j, 0]
        for k in range(n_p):
            b[(1 + k) * n_y + j] = lanes[n + j, 1 + k]


@entry(SIGNATURE)
def sensitivity_entry(header, t, a, b):
    """b = d/dt of a"""
    T, W = unpack_all_duals(header)
    after = integers1(header + AFTER, 3)
    n = T.count[N_Q] + T.count[N_U] + T.count[N_WORK]
    n_y = T.count[N_Q] + T.count[N_U] + T.count[N_CONTROLLER]
    n_p = after[1]
    lanes, duals = floats2(after[0], 2 * n, WIDTH), duals1(after[0], 2 * n)
    floats1(after[2], WIDTH)[0] = t
    flow(
        T,
        W,
        duals1(after[2], 1)[0],
        lanes,
        duals,
        floats1(a, (1 + n_p) * n_y),
        floats1(b, (1 + n_p) * n_y),
        n,
        n_y,
        n_p,
    )
    return 0.0
