"""Entry: the right-hand side, compiled once and called by address."""

from mekane.kernels.rhs import rhs
from mekane.numba_backend.kernel import entry
from mekane.tables.handle import SIGNATURE, floats1, unpack
from mekane.tables.tables import N_Q, N_U, N_WORK


@entry(SIGNATURE)
def rhs_entry(header, t, a, b):
    """b = f(t, a)"""
    T, W = unpack(header)
    n = T.count[N_Q] + T.count[N_U] + T.count[N_WORK]
    rhs(T, W, t, floats1(a, n), floats1(b, n))
    return 0.0
