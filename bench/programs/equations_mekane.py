"""Mekane: time and operations of mass matrix and forcing, and of the right-hand side, of a chain as expressions.   n"""

import sys

import numpy as np

from bench.chain import state
from bench.programs.chain_mekane import chain
from bench.timing import answer, fastest
from mekane.codegen.trace import Trace
from mekane.compiler.compiler import compile_system
from mekane.expressions.graph import count, evaluate


def main(n):
    derived = lambda: Trace(compile_system(chain(n)))  # from an empty System on, as SymPy from its first frame
    matrices = lambda trace: [*trace.mass_matrix.ravel(), *trace.forcing]
    trace = derived()
    found, rhs = matrices(trace), trace.right_hand_side()
    known = dict(zip((*trace.compiled.coordinates, *trace.compiled.speeds), np.concatenate(state(n)), strict=True))
    numbers = np.array(evaluate(found, known), float)
    sizes = {"operations": count(found), "rhs_operations": count(rhs)}
    del trace, found, rhs  # what is kept would be found again
    answer(
        time=fastest(lambda: matrices(derived())), rhs_time=fastest(lambda: derived().right_hand_side()),
        M=numbers[: n * n].tolist(), forcing=numbers[n * n :].tolist(), **sizes,
    )  # fmt: skip


if __name__ == "__main__":
    main(int(sys.argv[1]))
