"""Entry: the step of a correction."""

from mekane.algebra.kernel import entry
from mekane.compile.tables import N_U
from mekane.kernels.handle import SIGNATURE, floats1, unpack
from mekane.kernels.projection import pull


@entry(SIGNATURE)
def pull_entry(header, t, a, b):
    """After `weigh` with HOLD: a, over speeds, becomes the correction of what stands in column t of the rows."""
    T, W = unpack(header)
    pull(T, W, int(t), floats1(a, T.count[N_U]))
    return 0.0
