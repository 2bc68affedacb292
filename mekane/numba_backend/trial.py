"""A trial of Numba's private side, for versions the tests have not run with: a kernel inside another, an entry, and code
that goes to bytes and back, compared with Python's own arithmetic."""

from numba import float64

from mekane.numba_backend.compiling import private_entry, private_kernel
from mekane.numba_backend.kernel_cache import rebuild, reduce
from mekane.numba_backend.private import inner_libraries

X = 2.0


def twice_and_one(x):
    return 2.0 * x + 1.0


def passes():
    """True if all numbers are those of Python."""
    wanted = 3.0 * twice_and_one(X)
    inner = private_kernel(twice_and_one, {}, inner=True, stored=False)

    def tripled(x):
        return 3.0 * inner(x)

    outer = private_kernel(tripled, {}, inner=False, stored=False)
    entry = private_entry(tripled, float64(float64), {}, stored=False)
    return outer(X) == entry.ctypes(X) == from_bytes(outer)(X) == wanted


def from_bytes(dispatcher):
    """The compiled function of a dispatcher, as another process would find it on disk."""
    (result,) = dispatcher.overloads.values()
    with inner_libraries():
        return rebuild(dispatcher.targetctx, reduce(result)).entry_point
