"""How a kernel is written once and run in several ways.

A kernel is a plain Python function over arrays of scalars that branches only on integers. `@kernel` compiles it with
Numba; `plain(kernel)` gives back the uncompiled function, with everything it calls uncompiled too, to be run on complex
numbers or on symbols. Compiled kernels are kept on disk, see `kernel_cache`. Where the machine code of what Python calls
is there, it is called without Numba, which takes longer to load than all the rest: see `native`.
"""

import functools
import sys
import types

from mekane.numba_backend import native

# Everything but `nnan` and `ninf`: a solver must still be able to see that a number is not finite.
FAST = {"nsz", "arcp", "contract", "reassoc", "afn"}
MANY = 20_000  # calls: from there on Numba's quicker calls pay for loading it


def kernel(function=None, *, exact=False, inline=False, outer=False):
    """Compile a kernel, cached on disk. Kernels allocate nothing.

    exact: keep strict floating-point order (for error norms and comparisons).
    inline: copy it into its callers, which spares the compiler a function with very many arguments.
    outer: called from Python too, not only by other kernels. Other threads go on meanwhile; a Python function that
        compiled code calls back waits for its turn among them.
    """
    if function is None:
        return functools.partial(kernel, exact=exact, inline=inline, outer=outer)
    options = dict(
        error_model="numpy",
        fastmath=False if exact else FAST,
        inline="always" if inline else "never",
        _nrt=False,
        nogil=outer,
    )
    return Kernel(function, options, outer=outer, stored=not inline)


class Kernel:
    """A kernel, as Python and Numba see it. Numba is loaded when it must be."""

    def __init__(self, function, options, *, outer, stored):
        self.py_func, self._options, self._outer, self._stored = function, options, outer, stored
        self._native, self._calls = native.Calls(function) if outer and stored else None, 0
        self.__name__, self.__qualname__ = function.__name__, function.__qualname__
        self.__module__, self.__doc__ = function.__module__, function.__doc__

    @functools.cached_property
    def dispatcher(self):
        """What Numba compiles and calls."""
        from mekane.numba_backend.compiling import dispatcher_of

        return dispatcher_of(self.py_func, self._options, outer=self._outer, stored=self._stored)

    def __call__(self, *arguments):
        if not self._outer:  # its code has no part that unpacks Python's objects
            raise TypeError(
                f"only compiled code calls the kernel {self.__name__}: mark it outer=True, or call plain(it)"
            )
        if "dispatcher" in self.__dict__ or self._native is None or "numba" in sys.modules or self._calls > MANY:
            return self.dispatcher(*arguments)
        self._calls += 1
        call = self._native.find(arguments)
        return self.dispatcher(*arguments) if call is None else call()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.dispatcher, name)


def entry(signature):
    """Compile a function that compiled code calls through its address: the caller is then compiled without it, which is
    far quicker."""
    return lambda function: Entry(function, signature)


class Entry:
    """A function with the address of its machine code, which is found on disk, or compiled, when it is requested."""

    def __init__(self, function, signature):
        self.py_func, self._signature = function, signature
        self.__name__, self.__qualname__, self.__doc__ = function.__name__, function.__qualname__, function.__doc__

    @functools.cached_property
    def address(self):
        found = None if "numba" in sys.modules else native.address_of(self.py_func)
        return self.compiled.address if found is None else found

    @functools.cached_property
    def compiled(self):
        """Numba's C function."""
        from mekane.numba_backend.compiling import c_function_of

        return c_function_of(self.py_func, self._signature, dict(error_model="numpy", fastmath=FAST, _nrt=False))


def plain(function, _seen=None):
    """The uncompiled twin of a kernel: a copy whose globals hold the uncompiled twins of the kernels it calls."""
    seen = {} if _seen is None else _seen
    if function in seen:
        return seen[function]
    source = getattr(function, "py_func", function)
    twin_globals = dict(source.__globals__)
    twin = types.FunctionType(source.__code__, twin_globals, source.__name__, source.__defaults__, source.__closure__)
    seen[function] = twin
    for name in source.__code__.co_names:
        if hasattr(twin_globals.get(name), "py_func"):
            twin_globals[name] = plain(twin_globals[name], seen)
    return twin
