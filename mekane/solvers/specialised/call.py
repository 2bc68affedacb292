"""One evaluation of specialised code called from Python: with so little around it that the call costs no more than the
evaluation."""

from numba import boolean, float64, int64, void

from mekane.numba_backend.kernel import kernel
from mekane.tables.handle import RHS, call, floats1


@kernel(exact=True, outer=True)
def evaluate(header, t, y, yd):
    """yd = f(t, y), by the code a header names first."""
    call(header, RHS, t, y, yd)


@kernel(exact=True, outer=True)
def accelerate(header, t, q, u, tau, buffer, n_y, n_q, ud):
    """ud at (q, u), with forces tau on the speeds besides the laws; False if these are not as many as they should be.

    header, buffer: addresses, which are quicker handed over than arrays; buffer is for a whole state, whose last n_y −
        n_q
        − n_u numbers are kept, and tau."""
    n_u = ud.shape[0]
    x = floats1(buffer, n_y + n_u)
    if q.shape[0] != n_q or u.shape[0] != n_u or tau.shape[0] != n_u:
        return False
    for k in range(n_q):
        x[k] = q[k]
    for k in range(n_u):
        x[n_q + k] = u[k]
        x[n_y + k] = tau[k]
    call(header, RHS, t, x, ud)
    return True


FLOATS = float64[::1]
evaluate.compile(void(int64[::1], float64, FLOATS, FLOATS))
accelerate.compile(boolean(int64, float64, FLOATS, FLOATS, FLOATS, int64, int64, int64, FLOATS))
accelerate.disable_compile()  # other arguments raise TypeError instead
