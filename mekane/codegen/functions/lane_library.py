"""The elementary functions under the names by which kernels on lanes call them (`mekane.numba_backend.lane`)."""

from functools import cache

import llvmlite.binding as llvm

from mekane.codegen.functions import elementary
from mekane.codegen.functions.arithmetic import Arithmetic
from mekane.codegen.llvm_writer import Shape
from mekane.codegen.machine_code import Machine
from mekane.numba_backend.lane import LIBRARY, library_name

ARGUMENTS = {"sincos": 1} | dict(LIBRARY.values())


@cache
def tell_linker(lanes):
    """Compile the functions for so many lanes, once in a process, and tell the linker where they are. The machine code
    is returned, and kept."""
    machine = Machine(text(lanes))
    for name in ARGUMENTS:
        llvm.add_symbol(library_name(name, lanes), machine.address(library_name(name, lanes)))
    return machine


def text(lanes):
    needs, shape = {}, Shape(lanes, vector=True)
    made = [
        elementary.definition(f"@{library_name(name, lanes)}", Arithmetic(shape, needs), name, n, linkage="")
        for name, n in ARGUMENTS.items()
    ]
    return "\n".join([*needs.values(), *made, ""])
