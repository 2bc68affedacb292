"""How a kernel is written once and run in several ways.

A kernel is a plain Python function over arrays of scalars that branches only on integers. `@kernel` compiles it with
Numba; `plain(kernel)` gives back the uncompiled function, with everything it calls uncompiled too, to be run on complex
numbers or on symbols. Compiled kernels are kept on disk, see `kernel_cache`.
"""

import functools
import types

import numba
from numba.core.dispatcher import Dispatcher
from numba.core.types import unliteral

from mekane.numba_backend.deferred import kernels_begin
from mekane.numba_backend.kernel_cache import KernelCache
from mekane.numba_backend.private import INNER, is_as_expected

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
    inner = not outer and is_as_expected()
    if inner:
        function.__qualname__ = INNER + function.__qualname__
        options |= dict(no_cpython_wrapper=True, no_cfunc_wrapper=True)
    dispatcher = numba.njit(**options)(function)
    if not inline and is_as_expected():
        dispatcher._cache = KernelCache(function)
    return one_for_all_integers(dispatcher)


def one_for_all_integers(dispatcher):
    """Numba would compile a function anew for every constant integer it is called with; the column numbers of our
    tables are many."""
    resolve = dispatcher.get_call_template
    dispatcher.get_call_template = lambda args, kws: resolve(
        tuple(map(unliteral, args)), {k: unliteral(v) for k, v in kws.items()}
    )
    return dispatcher


def entry(signature):
    """Compile a function that compiled code calls through its address: the caller is then compiled without it, which is
    far quicker."""
    options = dict(error_model="numpy", fastmath=FAST, _nrt=False)

    def compile_entry(function):
        return (
            stored_entry(function, signature, options)
            if is_as_expected()
            else numba.cfunc(signature, **options)(function)
        )

    return compile_entry


def stored_entry(function, signature, options):
    """What `numba.cfunc` does, with our cache."""
    from numba.core.ccallback import CFunc
    from numba.core.sigutils import normalize_signature

    compiled = CFunc(function, normalize_signature(signature), locals={}, options=options)
    compiled._cache = KernelCache(function)
    compiled.compile()
    return compiled


def plain(function, _seen=None):
    """The uncompiled twin of a kernel: a copy whose globals hold the uncompiled twins of the kernels it calls."""
    seen = {} if _seen is None else _seen
    if function in seen:
        return seen[function]
    source = function.py_func if isinstance(function, Dispatcher) else function
    twin_globals = dict(source.__globals__)
    twin = types.FunctionType(source.__code__, twin_globals, source.__name__, source.__defaults__, source.__closure__)
    seen[function] = twin
    for name in source.__code__.co_names:
        if isinstance(twin_globals.get(name), Dispatcher):
            twin_globals[name] = plain(twin_globals[name], seen)
    return twin


kernels_begin()
