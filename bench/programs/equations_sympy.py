"""SymPy: time and operations of mass matrix and forcing of a chain by KanesMethod, and what its cse makes of them.
n"""

import sys
import time

import numpy as np
import sympy as sm

from bench.chain import state
from bench.sympy_chain import kane
from bench.timing import answer


def main(n):
    begun = time.perf_counter()
    q, u, method = kane(n)
    M, forcing = method.mass_matrix, method.forcing
    seconds = time.perf_counter() - begun
    begun = time.perf_counter()
    parts, rest = sm.cse([M, forcing])
    cse = time.perf_counter() - begun
    numbers = [np.array(x, float) for x in sm.lambdify([q, u], [M, forcing], cse=True)(*state(n))]
    common = sum(sm.count_ops(x) for _, x in parts) + sum(sm.count_ops(x) for x in rest)
    answer(
        time=seconds, operations=int(sm.count_ops(M) + sm.count_ops(forcing)), common=int(common), cse=cse,
        M=numbers[0].ravel().tolist(), forcing=numbers[1].ravel().tolist(),
    )  # fmt: skip


if __name__ == "__main__":
    main(int(sys.argv[1]))
