"""Machine code of an LLVM module: compiled for this processor, or found on disk from an earlier time."""

import hashlib
import os
import tempfile
import time
from functools import cache

import llvmlite.binding as llvm
import numba.core.codegen  # noqa: F401  (prepares LLVM for this processor)

from mekane.algebra.kernel import cache_home

EFFORT = 1  # of the optimiser: the code is one straight line without repetition, so more finds little
KEPT = 200  # modules on disk
CHECK = 32  # bytes before the code on disk, its checksum


class Machine:
    """Functions of a module, by name. The code lives as long as this object."""

    def __init__(self, text, keep=True):
        begun = time.perf_counter()
        file = stored(text)
        code = read(file) if keep else None
        self.was_stored = code is not None
        if code is None:
            code = assemble(text)
            if keep:
                store(file, code)
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target())
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        self._engine.finalize_object()
        self.seconds, self.size = time.perf_counter() - begun, len(code)

    def address(self, name):
        found = self._engine.get_function_address(name)
        assert found, f"no function {name} in this module"
        return found


def assemble(text, effort=EFFORT):
    """Object code of a module's text."""
    module = llvm.parse_assembly(text)
    machine = target(effort)
    module.triple, module.data_layout = llvm.get_default_triple(), str(machine.target_data)
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=effort))
    builder.getModulePassManager().run(module, builder)
    return machine.emit_object(module)


def target(effort=EFFORT):
    """A new one each time: an engine takes it over."""
    features = llvm.get_host_cpu_features().flatten()
    return llvm.Target.from_default_triple().create_target_machine(cpu=llvm.get_host_cpu_name(), features=features, opt=effort, jit=True)


@cache
def here():
    """What object code depends on besides its module."""
    processor = llvm.get_default_triple(), llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    return f"{llvm.llvm_version_info} {processor} {EFFORT}"


def stored(text):
    return cache_home() / "specialised" / (hashlib.sha256(f"{here()}\n{text}".encode()).hexdigest()[:32] + ".o")


def read(file):
    """Code as it was stored, or None: damaged code would not be noticed before it runs."""
    try:
        found = file.read_bytes()
        os.utime(file)
    except OSError:
        return None
    return found[CHECK:] if found[:CHECK] == check(found[CHECK:]) else None


def check(code):
    return hashlib.sha256(code).digest()


def store(file, code):
    """Whole or not at all; the oldest are discarded."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=file.parent, delete=False) as new:
            new.write(check(code) + code)
        os.replace(new.name, file)
        for old in sorted(file.parent.glob("*.o"), key=lambda one: one.stat().st_mtime)[:-KEPT]:
            old.unlink(missing_ok=True)
    except OSError:
        pass  # a disk that cannot be written to only costs time
