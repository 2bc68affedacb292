"""Machine code of an LLVM module: compiled for this processor, or found on disk from an earlier time."""

import hashlib
import os
import time

import llvmlite.binding as llvm

from mekane.numba_backend import checked_files
from mekane.numba_backend.kernel_cache import age, cache_home
from mekane.numba_backend.processor import engine_with, processor, target

EFFORT = 1  # of the code generator: the code is one straight line without repetition, so more finds little
KEPT = 1000  # modules on disk, about 10 kB each; a run of the tests makes more than 200


class Machine:
    """Functions of a module, by name. The code lives as long as this object."""

    def __init__(self, text, keep=True):
        begun = time.perf_counter()
        key = key_of(text)
        code = read(key) if keep else None
        self.was_stored = code is not None
        if code is None:
            code = assemble(text)
            if keep:
                store(key, code)
        self._engine = engine_with(code, EFFORT)
        self.seconds, self.size = time.perf_counter() - begun, len(code)

    def address(self, name):
        found = self._engine.get_function_address(name)
        assert found, f"no function {name} in this module"
        return found


def key_of(text):
    """All that the code of a module depends on."""
    return f"{llvm.llvm_version_info} {processor()} {EFFORT}\n{text}"


def assemble(text, effort=EFFORT):
    """Object code of a module's text. No passes run over it before: equal expressions are one already, so they gain
    nothing that can be measured, and llvmlite never frees them."""
    module = llvm.parse_assembly(text, llvm.create_context())
    machine = target(effort)
    module.triple, module.data_layout = machine.triple, str(machine.target_data)
    return machine.emit_object(module)


def place(key):
    """The file for code, None where nothing is stored."""
    return (
        None
        if cache_home() is None
        else cache_home() / "specialised" / (hashlib.sha256(key.encode()).hexdigest()[:32] + ".o")
    )


def read(key):
    """Code as it was stored, or None: damaged code would not be noticed before it runs."""
    file = place(key)
    code = None if file is None else checked_files.read(file, key)
    if code is not None:
        mark_as_used(file)
    return code


def mark_as_used(file):
    try:
        os.utime(file)
    except OSError:
        pass  # it can only be read


def store(key, code):
    """Whole or not at all; the oldest are discarded."""
    file = place(key)
    if file is not None and checked_files.write(file, key, code):
        for old in sorted(file.parent.glob("*.o"), key=age)[KEPT:]:
            checked_files.discard(old)
