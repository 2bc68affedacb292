"""Entry: the correction of a state onto the constraints."""

from mekane.algebra.kernel import entry
from mekane.compile.tables import N_Q, N_U
from mekane.kernels.handle import SIGNATURE, floats1, unpack
from mekane.solvers.correction import correct


@entry(SIGNATURE)
def correct_entry(header, t, a, b):
    """Bring the state a onto the constraints; b is scratch over speeds. Returns the largest move of a coordinate."""
    T, W = unpack(header)
    return correct(T, W, floats1(a, T.count[N_Q] + T.count[N_U]), floats1(b, T.count[N_U]))
