"""Machine code on disk, called without Numba.

Numba takes longer to load than all that a short run does. So the machine code of what Python calls (`outer` kernels,
entries) is also kept as it is, beside Numba's own form of it, and found by the kinds of the arguments. A kernel is called
as Numba's compiled code calls it: address of the result, address of an exception, then the arguments, an array as seven
or more integers (no owner, no parent, number of items, size of an item, address, shape, strides), a tuple as its parts.
Where anything is not as expected, nothing is found, and Numba does it.
"""

import ctypes
import functools
import hashlib
import json
from pathlib import Path
from typing import NamedTuple

import numpy as np

from mekane.numba_backend import checked_files, kernel_cache
from mekane.numba_backend.processor import engine_with, processor

ENTRY = "entry"
DONE = (0, -2)  # what a call returns: a number, or nothing
LETTERS = {np.dtype(np.float64): "d", np.dtype(np.int64): "q"}
KEPT = 1 << 16  # items of the arrays of a tuple whose numbers are kept: it is kept alive, too
SCALARS = {"d": ctypes.c_double, "q": ctypes.c_int64, "b": ctypes.c_int8}
SAME = {"numba_nextafter": "nextafter"}  # functions of Numba's own that the library of C has, too
# Only the part that unpacks Python's objects, which is never called here, and what reports exceptions, which kernels do
# not raise, call these.
NEVER_CALLED = (
    "numba_adapt_ndarray", "NRT_adapt_ndarray_from_python", "NRT_adapt_ndarray_to_python_acqref", "numba_unpickle", "numba_do_raise",
    "numba_runtime_build_excinfo_struct", "numba_gil_ensure", "numba_gil_release", "numba_native_error",
)  # fmt: skip

_alive = []  # engines: code must stay where it is


# ---------------------------------------------------------------- kinds of arguments


def kind_of(value):
    """The kind of an argument as text, as fine as Numba's types are; None: code on disk does not take it."""
    if isinstance(value, np.ndarray):
        letter = LETTERS.get(value.dtype)
        return f"{letter}{value.ndim}" if letter is not None and value.flags.carray else None
    if isinstance(value, tuple):
        parts = [kind_of(one) for one in value]
        name = type(value).__name__ if hasattr(value, "_fields") else ""
        return None if None in parts else f"{name}({','.join(parts)})"
    if isinstance(value, bool | np.bool_):
        return "b"
    if isinstance(value, int | np.int64):
        return "q"
    return "d" if isinstance(value, float) else None


def kind_of_type(one):
    """The same of a Numba type."""
    from numba import types

    if isinstance(one, types.Array):
        letter = {types.float64: "d", types.int64: "q"}.get(one.dtype)
        usual = letter is not None and one.layout == "C" and one.aligned and one.mutable
        return f"{letter}{one.ndim}" if usual else None
    if isinstance(one, types.BaseTuple):
        parts = [kind_of_type(part) for part in one]
        name = one.instance_class.__name__ if isinstance(one, types.BaseNamedTuple) else ""
        return None if None in parts else f"{name}({','.join(parts)})"
    return {types.float64: "d", types.int64: "q", types.boolean: "b"}.get(one)


def flat(value):
    """The numbers that stand for an argument in a call."""
    if isinstance(value, np.ndarray):
        return [0, 0, value.size, value.itemsize, value.ctypes.data, *value.shape, *value.strides]
    if isinstance(value, tuple):
        return [number for one in value for number in flat(one)]
    return [value]


def kinds_of_numbers(value):
    """C types of `flat`."""
    if isinstance(value, tuple):
        return [kind for one in value for kind in kinds_of_numbers(one)]
    return [ctypes.c_int64] * len(flat(value)) if isinstance(value, np.ndarray) else [SCALARS[kind_of(value)]]


# ---------------------------------------------------------------- finding and calling


class Calls:
    """Calls of one kernel, by the kinds of their arguments."""

    def __init__(self, function):
        self.function, self._found, self._kept = function, {}, {}

    def find(self, arguments):
        """The function that calls code on disk with these arguments; None if there is none."""
        described = [self._describe(i, one) for i, one in enumerate(arguments)]
        kinds = tuple([kind for kind, _ in described])
        if kinds not in self._found:
            self._found[kinds] = None if None in kinds else self._load(f"({','.join(kinds)})", arguments)
        call = self._found[kinds]
        return None if call is None else functools.partial(call, [number for _, part in described for number in part])

    def _describe(self, i, value):
        """Kind and numbers of argument i. Those of a tuple of arrays take long to find, and the next call mostly has the same
        tuple: they are kept for it."""
        if not isinstance(value, tuple):
            return kind_of(value), flat(value)
        kept = self._kept.get(i)
        if kept is not None and kept[0] is value:
            return kept[1]
        found = kind_of(value), flat(value)
        if items(value) <= KEPT:
            self._kept[i] = value, found
        return found

    def _load(self, kinds, arguments):
        code = load(self.function, kinds)
        if code is None:
            return None
        numbers = kinds_of_numbers(arguments)
        function = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *numbers)(code.address)
        return functools.partial(call, function, code.returns, self.function.__name__)


def items(value):
    """Number of items of the arrays of a tuple."""
    if isinstance(value, tuple):
        return sum(map(items, value))
    return value.size if isinstance(value, np.ndarray) else 0


def call(function, returns, name, numbers):
    result, exception = SCALARS.get(returns, ctypes.c_int64)(), ctypes.c_void_p()
    status = function(ctypes.addressof(result), ctypes.addressof(exception), *numbers)
    if status not in DONE:
        raise RuntimeError(f"compiled code of {name} ended with status {status}")
    if returns == "":
        return None
    return bool(result.value) if returns == "b" else result.value


def address_of(function):
    """The address of an entry, whose code is on disk; None if it is not."""
    code = load(function, ENTRY)
    return None if code is None else code.address


class Code(NamedTuple):
    """Machine code in memory: where it begins, and the kind of what it returns."""

    address: int
    returns: str


def place(function, kinds):
    """File and key of the machine code of a function for arguments of these kinds; None if nothing is stored."""
    folder = kernel_cache.cache_folder(Path(function.__code__.co_filename))
    if folder is None:
        return None
    key = f"native {function.__qualname__} {kinds} {processor()} {kernel_cache.code_of(function)}"
    name = f"{function.__name__}-{function.__code__.co_firstlineno}-{hashlib.sha256(key.encode()).hexdigest()[:16]}"
    return folder / f"{name}.native", key


def load(function, kinds):
    """The code, or None: nothing is stored, it is damaged, or needs what is not there."""
    if not kernel_cache.is_tested_numba():
        return None
    where = place(function, kinds)
    data = None if where is None else checked_files.read(*where)
    if data is None:
        return None
    head, _, code = data.partition(b"\n")
    facts = json.loads(head)
    if not all(map(is_there, facts["needs"])):
        return None
    kernel_cache.note(where[0], function, True)
    _alive.append(engine_with(code))
    return Code(_alive[-1].get_function_address(facts["symbol"]), facts["returns"])


@functools.cache
def is_there(name):
    """True if machine code that names this function can be loaded."""
    import llvmlite.binding as llvm

    if not _alive:
        _alive.append(engine_with(b""))  # LLVM finds the functions of this process from the first one on
    if llvm.address_of_symbol(name):
        return True
    stands_for = llvm.address_of_symbol("abort" if name in NEVER_CALLED else SAME.get(name, ""))
    if stands_for:
        llvm.add_symbol(name, stands_for)
    return bool(stands_for)


# ---------------------------------------------------------------- storing


def store(function, form, result):
    """Keep the machine code of what Numba has compiled. form: "kernel" or "entry"."""
    described = facts_of(form, result)
    where = None if described is None else place(function, described.pop("kinds"))
    if where is not None:
        data = json.dumps(described).encode() + b"\n" + result.library._get_compiled_object()
        kernel_cache.note(where[0], function, checked_files.write(*where, data))


def facts_of(form, result):
    """What is written before the code; None if such code cannot be called."""
    declared = [one.name for one in result.library._final_module.functions if one.is_declaration]
    needs = [name for name in declared if not name.startswith("llvm.")]
    if form == ENTRY:
        return dict(kinds=ENTRY, symbol=result.fndesc.llvm_cfunc_wrapper_name, returns="d", needs=needs)
    from numba import types

    kinds = [kind_of_type(one) for one in result.signature.args]
    returns = "" if result.signature.return_type == types.none else kind_of_type(result.signature.return_type)
    if None in kinds or (returns and returns not in SCALARS) or returns is None:
        return None
    return dict(kinds=f"({','.join(kinds)})", symbol=result.fndesc.llvm_func_name, returns=returns, needs=needs)
