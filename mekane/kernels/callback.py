"""Laws that are Python functions and cannot be traced are called back, through an integer address. Here is the kernel
alone: what it calls (mekane/tables/callbacks.py) is no source of compiled code."""

from mekane.numba_backend.deferred import Deferred
from mekane.numba_backend.kernel import kernel

call_function = Deferred("call_function")


@kernel
def call_back(address, r):
    """Let the model's Python functions read and write the registers r."""
    call_function(address, r)
