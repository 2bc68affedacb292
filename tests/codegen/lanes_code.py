"""Expressions as machine code over many rows of arguments, on some number of lanes."""

import ctypes

import numpy as np

from mekane.codegen import emit
from mekane.codegen.llvm_writer import Place
from mekane.codegen.machine_code import Machine

LOOP = """define void @f(ptr %a, ptr %b, i64 %n) {{
  br label %next
next:
  %k = phi i64 [0, %0], [%more, %next]
  %ka = mul i64 %k, {inputs}
  %kb = mul i64 %k, {outputs}
  %at_a = getelementptr double, ptr %a, i64 %ka
  %at_b = getelementptr double, ptr %b, i64 %kb
  call void @body({arguments})
  %more = add i64 %k, 1
  %go = icmp slt i64 %more, %n
  br i1 %go, label %next, label %end
end:
  ret void
}}"""


def rows_of(inputs, outputs, lanes, order=None):
    """A function (arguments, one row for each evaluation) → results, by exact code on so many lanes."""
    places = {x: Place("a", k) for k, x in enumerate(inputs)}
    wanted = {Place("b", k): x for k, x in enumerate(outputs)}
    body, arrays = emit.function("body", places, wanted, lanes, exact=True, order=order)
    arguments = ", ".join(f"ptr %at_{array}" for array in arrays)
    loop = LOOP.format(inputs=len(inputs) * lanes, outputs=len(outputs) * lanes, arguments=arguments)
    machine = Machine(emit.module([body], loop), keep=False)
    call = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)(machine.address("f"))

    def run(x, kept=machine):
        filled = np.concatenate([x, np.resize(x, (-len(x) % lanes, x.shape[1]))])
        a = np.ascontiguousarray(filled.reshape(-1, lanes, x.shape[1]).transpose(0, 2, 1))
        b = np.zeros((len(a), len(outputs), lanes))
        call(a.ctypes.data, b.ctypes.data, len(a))
        return b.transpose(0, 2, 1).reshape(-1, len(outputs))[: len(x)]

    return run


def same_bits(a, b):
    """True if all numbers are equal to the last bit and the sign of zeros; one not-a-number is as good as another."""
    a, b = (np.where(np.isnan(x), np.nan, x) for x in (np.ascontiguousarray(a), np.ascontiguousarray(b)))
    return np.array_equal(a.view(np.int64), b.view(np.int64))
