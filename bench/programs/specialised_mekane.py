"""Mekane: one right-hand side of a chain by code made for it and by the loops, and what making it took.   n"""

import sys

import numpy as np

import mekane as mk
from bench.chain import state
from bench.programs.chain_mekane import chain, evaluate
from bench.timing import answer, fastest
from mekane.codegen.machine_code import Machine
from mekane.tables.handle import RHS


def main(n):
    mk.compile(chain(2))  # what is loaded once is not counted
    code, solver = mk.compile(chain(n)), mk.stepper(chain(n), code="loops")
    compiling = fastest(lambda: Machine(code.specialised.text, keep=False), 3.0)
    (q, u), tau, count = state(n), np.zeros(n), max(50, 2000 // n)
    y, yd, times = np.concatenate([q, u]), np.zeros(2 * n), []
    for address in (int(solver.handle.header[RHS]), code.address):
        solver.handle.header[RHS] = address
        evaluate(solver.handle, y, yd, 1)
        times.append(fastest(lambda: evaluate(solver.handle, y, yd, count)) / count)

    def call():
        for _ in range(100):
            code.forward_dynamics(q, u, tau)

    numbers = dict(
        loops=times[0], evaluation=times[1], called=fastest(call) / 100, compiling=compiling, tracing=code.seconds[0]
    )
    answer(**numbers, operations=code.operations, acceleration=code.forward_dynamics(q, u, tau).tolist())


if __name__ == "__main__":
    main(int(sys.argv[1]))
