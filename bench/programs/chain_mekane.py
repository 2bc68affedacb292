"""Mekane: time of one right-hand side called by a compiled loop, and of one RK4 step of the solver.   n steps"""

import sys

import numba
import numpy as np

import mekane as mk
from bench.chain import COM, INERTIA, STEP, axis, state
from bench.timing import answer, fastest
from mekane.solvers import state as at
from mekane.solvers.entries.calls import rhs


def chain(n):
    s = mk.System(f"chain of {n}")
    before = s.ground
    for i in range(n):
        place = (0.0, 0.0, -float(i))
        link = s.body(f"link {i}", 1.0, INERTIA, com=COM, position=place)
        s.pin(f"pin {i}", before, link, at=place, axis=axis(i))
        before = link
    return s


@numba.njit
def evaluate(P, y, yd, count):
    """As a time loop does it: every time another state."""
    first = y[0]
    for k in range(count):
        y[0] = first + 1e-9 * (k % 8)
        rhs(P, 0.0, y, yd)
    y[0] = first


def main(n, steps):
    solver = mk.stepper(chain(n), method="rk4", step=STEP)
    y0 = np.concatenate(state(n))
    y, yd, count = y0.copy(), np.zeros(2 * n), max(20, 20_000 // n)
    evaluate(solver.handle, y, yd, 1)
    acceleration = yd[n:].tolist()
    evaluation = fastest(lambda: evaluate(solver.handle, y, yd, count)) / count

    def run():
        solver.y[:], solver.step_state[at.NOW] = y0, 0.0
        solver.run(steps * STEP, [])

    run()
    angles = solver.y[:n].tolist()
    assert solver.counters[at.STEPS] == steps
    answer(evaluation=evaluation, step=fastest(run) / steps, acceleration=acceleration, angles=angles)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
