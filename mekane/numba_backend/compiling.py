"""Kernels and entries by Numba: loaded when the first of them is compiled, or called where its code is not on disk."""

import numba
from numba.core.ccallback import CFunc
from numba.core.registry import cpu_target
from numba.core.sigutils import normalize_signature
from numba.core.typing.typeof import typeof_impl
from numba.types import Dispatcher, unliteral

from mekane.numba_backend.deferred import Deferred, kernels_begin
from mekane.numba_backend.kernel import Kernel
from mekane.numba_backend.kernel_cache import KernelCache
from mekane.numba_backend.private import (
    INNER,
    inner_libraries,
    is_as_expected,
    load_array_functions,
    with_inner_libraries,
)


@typeof_impl.register(Kernel)
def type_of_kernel(one, _):
    """Kernels that a kernel calls."""
    return Dispatcher(one.dispatcher)


@typeof_impl.register(Deferred)
def type_of_deferred(one, _):
    """Functions that compiled code alone has."""
    made = one.made
    for context in (cpu_target.typing_context, cpu_target.target_context):
        context.refresh()  # what was registered in making it
    return cpu_target.typing_context.resolve_value_type(made)


def dispatcher_of(function, options, *, outer, stored):
    """What Numba compiles a kernel with, and calls. outer: called from Python too. stored: kept on disk."""
    if not is_as_expected():
        return one_for_all_integers(numba.njit(**options)(function))
    return one_for_all_integers(private_kernel(function, options, inner=not outer, stored=stored))


def private_kernel(function, options, *, inner, stored):
    """A kernel by Numba's private side. inner: only other kernels call it. stored: kept on disk."""
    if inner:
        if not function.__qualname__.startswith(INNER):
            function.__qualname__ = INNER + function.__qualname__
        options = options | dict(no_cpython_wrapper=True, no_cfunc_wrapper=True)
    dispatcher = numba.njit(**options)(function)
    dispatcher.compile = with_inner_libraries(dispatcher.compile)
    if stored:
        dispatcher._cache = KernelCache(function, native=None if inner else "kernel")
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


def c_function_of(function, signature, options):
    """An entry, compiled or loaded."""
    if not is_as_expected():
        return numba.cfunc(signature, **options)(function)
    return private_entry(function, signature, options)


def private_entry(function, signature, options, *, stored=True):
    """What `numba.cfunc` does, with libraries of inner kernels, and kept on disk."""
    compiled = CFunc(function, normalize_signature(signature), locals={}, options=options)
    if stored:
        compiled._cache = KernelCache(function, native="entry")
    with inner_libraries():
        compiled.compile()
    return compiled


load_array_functions()
kernels_begin()
