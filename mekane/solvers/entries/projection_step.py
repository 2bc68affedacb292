"""Entry: the step of a projection."""

from mekane.kernels.projection import projection_step
from mekane.numba_backend.kernel import entry
from mekane.tables.handle import SIGNATURE, floats1, unpack
from mekane.tables.tables import N_U


@entry(SIGNATURE)
def projection_step_entry(header, t, a, b):
    """After `evaluate_inertias` with FACTOR: a, over speeds, becomes the projection of what stands in column b of the
    rows."""
    T, W = unpack(header)
    projection_step(T, W, b, floats1(a, T.count[N_U]))
    return 0.0
