"""What Numba must know before it compiles the first kernel, registered then: a model is built without loading
Numba."""

from functools import cached_property

_waiting = []
_compiling = False


def before_kernels(register):
    """Call a function before the first kernel is compiled, or now if kernels are there already."""
    register() if _compiling else _waiting.append(register)
    return register


def jitable(function):
    """A plain function that kernels may call too: Numba compiles it as it is written."""

    @before_kernels
    def register():
        from numba.extending import register_jitable

        register_jitable(function)

    return function


class Deferred:
    """A function that compiled code alone has, made when a kernel is compiled that names it: what a function of `views`
    gives for these arguments, or that function itself."""

    def __init__(self, name, *arguments):
        self._name, self._arguments = name, arguments

    @cached_property
    def made(self):
        from mekane.numba_backend import views

        found = getattr(views, self._name)
        return found(*self._arguments) if self._arguments else found


def kernels_begin():
    """Register what has waited; what comes later is registered at once."""
    global _compiling
    _compiling = True
    while _waiting:
        _waiting.pop(0)()
