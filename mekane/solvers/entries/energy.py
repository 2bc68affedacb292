"""Entry: energies and momenta of a state, and the values of its laws."""

from mekane.kernels.rhs import energies
from mekane.numba_backend.kernel import entry
from mekane.tables.columns import OUT
from mekane.tables.handle import SIGNATURE, floats1, unpack
from mekane.tables.tables import N_Q, N_U, N_WORK


@entry(SIGNATURE)
def energy_entry(header, t, a, b):
    """a: state.  b: as for `derive_entry`, space for its rate, of which only powers are written, then OUT numbers."""
    T, W = unpack(header)
    first, n_work = T.count[N_Q] + T.count[N_U], T.count[N_WORK]
    n = first + n_work
    energies(T, W, t, floats1(a, n), floats1(b + 8 * first, n_work), floats1(b + 8 * n, OUT))
    return 0.0
