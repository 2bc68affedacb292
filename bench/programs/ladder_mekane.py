"""Mekane: an N-four-bar ladder, one evaluation and a run to a given error.   loops"""

import sys

import numpy as np

import mekane as mk
from bench.ladder import ERROR, T_END
from bench.timing import answer, fastest
from mekane.gallery import four_bar_chain
from mekane.solvers import state as at
from mekane.solvers.entries.calls import rhs

TOLERANCES = (1e-4, 1e-5, 1e-6, 1e-7, 1e-8)


def solver_of(system, rtol):
    return mk.stepper(system, rtol=rtol, atol=0.01 * rtol)


def error(solver, n):
    """Of the top of crank 0 at the end, whose angle from upright is the first coordinate."""
    exact = four_bar_chain.exact(n)(T_END)
    angle = solver.y[solver.compiled.coordinates.index("foot0.angle")]
    return float(np.hypot(np.sin(angle) - exact["x"], np.cos(angle) - exact["y"]))


def rewind(solver, y0):
    solver.y[:], solver.step_state[at.NOW], solver.step_state[at.STEP], solver.counters[at.STEPS] = y0, 0.0, 0.0, 0


def main(n):
    system = four_bar_chain.system(n, planar=True)
    for rtol in TOLERANCES:
        solver = solver_of(system, rtol)
        y0 = solver.y.copy()
        solver.run(T_END, [])
        if error(solver, n) <= ERROR:
            break
    found = error(solver, n)

    def run():
        rewind(solver, y0)
        solver.run(T_END, [])

    seconds = fastest(run)
    yd = np.zeros(len(y0))
    evaluation = fastest(lambda: [rhs(solver.handle, 0.0, y0, yd) for _ in range(20)]) / 20
    how = f"rtol {rtol:.0e}, {solver.facts()['steps']} steps"
    answer(seconds=seconds, error=found, how=how, evaluation=evaluation, rows=solver.compiled.n_rows)


if __name__ == "__main__":
    main(int(sys.argv[1]))
