"""How a kernel is written once and run in several ways.

A kernel is a plain Python function over arrays of scalars that branches only on integers. `@kernel` compiles it with
Numba; `plain(kernel)` gives back the uncompiled function, with everything it calls uncompiled too, to be run on complex
numbers or on symbols. Compiled kernels are kept on disk, see `kernel_cache`.
"""

import functools
import types

import numba
from numba.types import unliteral

from mekane.numba_backend.deferred import kernels_begin
from mekane.numba_backend.kernel_cache import KernelCache
from mekane.numba_backend.private import INNER, inner_libraries, is_as_expected, with_inner_libraries

# Everything but `nnan` and `ninf`: a solver must still be able to see that a number is not finite.
FAST = {"nsz", "arcp", "contract", "reassoc", "afn"}


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
    if not is_as_expected():
        return one_for_all_integers(numba.njit(**options)(function))
    return one_for_all_integers(private_kernel(function, options, inner=not outer, stored=not inline))


def private_kernel(function, options, *, inner, stored):
    """A kernel by Numba's private side. inner: only other kernels call it. stored: kept on disk."""
    if inner:
        function.__qualname__ = INNER + function.__qualname__
        options = options | dict(no_cpython_wrapper=True, no_cfunc_wrapper=True)
    dispatcher = numba.njit(**options)(function)
    dispatcher.compile = with_inner_libraries(dispatcher.compile)
    if stored:
        dispatcher._cache = KernelCache(function)
    return dispatcher


def one_for_all_integers(dispatcher):
    """Numba would compile a function anew for every constant integer it is called with; the column numbers of our
    tables are many."""
    resolve = getattr(dispatcher, "get_call_template", None)
    if resolve is not None:
        dispatcher.get_call_template = lambda args, kws: resolve(
            tuple(map(unliteral, args)), {k: unliteral(v) for k, v in kws.items()}
        )
    return dispatcher


def entry(signature):
    """Compile a function that compiled code calls through its address: the caller is then compiled without it, which is
    far quicker."""
    options = dict(error_model="numpy", fastmath=FAST, _nrt=False)

    def compile_entry(function):
        if not is_as_expected():
            return numba.cfunc(signature, **options)(function)
        return private_entry(function, signature, options)

    return compile_entry


def private_entry(function, signature, options, *, stored=True):
    """What `numba.cfunc` does, with libraries of inner kernels, and kept on disk."""
    from numba.core.ccallback import CFunc
    from numba.core.sigutils import normalize_signature

    compiled = CFunc(function, normalize_signature(signature), locals={}, options=options)
    if stored:
        compiled._cache = KernelCache(function)
    with inner_libraries():
        compiled.compile()
    return compiled


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


kernels_begin()
