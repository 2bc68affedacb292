"""Entry: the equations of motion and their exact derivatives, where the tables too are dual numbers: they change with parameters."""

from mekane.algebra.kernel import entry
from mekane.kernels.handle import SIGNATURE, integers1, unpack_all_slopes
from mekane.solvers.entry_slopes import ORDER, along


@entry(SIGNATURE)
def parameter_slopes_entry(header, t, a, b):
    """a: the order."""
    T, W = unpack_all_slopes(header)
    along(T, W, integers1(a, ORDER))
    return 0.0
