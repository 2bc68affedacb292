"""Entry: the equations of motion and their exact derivatives, where the tables too are dual numbers: they change with
parameters."""

from mekane.numba_backend.kernel import entry
from mekane.solvers.entries.derivatives import ORDER, along
from mekane.tables.handle import SIGNATURE, integers1, unpack_all_duals


@entry(SIGNATURE)
def parameter_derivatives_entry(header, t, a, b):
    """a: the order."""
    T, W = unpack_all_duals(header)
    along(T, W, integers1(a, ORDER))
    return 0.0
