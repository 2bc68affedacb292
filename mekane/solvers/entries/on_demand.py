"""Entries: what is computed on demand, outside the time loop: forces and energies of a state, inverse dynamics."""

from mekane.kernels.rhs import derive, inverse
from mekane.numba_backend.kernel import entry
from mekane.tables.columns import OUT
from mekane.tables.handle import SIGNATURE, floats1, unpack
from mekane.tables.tables import N_Q, N_U, N_WORK


@entry(SIGNATURE)
def derive_entry(header, t, a, b):
    """a: state.  b: its rate, then OUT numbers."""
    T, W = unpack(header)
    n = T.count[N_Q] + T.count[N_U] + T.count[N_WORK]
    derive(T, W, t, floats1(a, n), floats1(b, n), floats1(b + 8 * n, OUT))
    return 0.0


@entry(SIGNATURE)
def inverse_entry(header, t, a, b):
    """a: state.  b: ud, then space for tau and for the power of every non-conservative element."""
    T, W = unpack(header)
    n = T.count[N_U]
    power = floats1(b + 16 * n, T.count[N_WORK])
    inverse(T, W, t, floats1(a, T.count[N_Q] + n), floats1(b, n), floats1(b + 8 * n, n), power)
    return 0.0
