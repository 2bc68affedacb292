"""Entry: the step of a correction."""

from mekane.kernels.projection import pull
from mekane.numba_backend.kernel import entry
from mekane.tables.handle import SIGNATURE, floats1, unpack
from mekane.tables.tables import N_U


@entry(SIGNATURE)
def pull_entry(header, t, a, b):
    """After `weigh` with HOLD: a, over speeds, becomes the correction of what stands in column t of the rows."""
    T, W = unpack(header)
    pull(T, W, int(t), floats1(a, T.count[N_U]))
    return 0.0
