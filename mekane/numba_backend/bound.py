"""Calls of a kernel with the same arrays again and again, whose contents change: they are described once."""

import functools
import sys


def bound(kernel, *arguments):
    """A function without arguments that calls an outer kernel with these, without Numba where that is possible. The arrays stay
    alive as long as it does."""
    usual = functools.partial(kernel, *arguments)
    if "numba" in sys.modules or kernel._native is None:
        return usual
    return Bound(kernel._native.find(arguments) or usual, arguments)


class Bound:
    def __init__(self, call, arguments):
        self.call, self.arguments = call, arguments  # addresses of these arrays stand in the call

    def __call__(self):
        return self.call()
