"""Entry: the right-hand side, compiled once and called by address."""

from mekane.algebra.kernel import entry
from mekane.compile.tables import N_Q, N_U, N_WORK
from mekane.kernels.handle import SIGNATURE, floats1, unpack
from mekane.kernels.rhs import rhs


@entry(SIGNATURE)
def rhs_entry(header, t, a, b):
    """b = f(t, a)"""
    T, W = unpack(header)
    n = T.count[N_Q] + T.count[N_U] + T.count[N_WORK]
    rhs(T, W, t, floats1(a, n), floats1(b, n))
    return 0.0
