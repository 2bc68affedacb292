"""Mekane: time of the squeezer's run to a given error.   error"""

import sys

import numpy as np

import mekane as mk
from bench.squeezer import BETA, T_END
from bench.timing import answer, fastest
from mekane.gallery import squeezer
from mekane.solvers import state as at

TOLERANCES = (1e-5, 5e-6, 2e-6, 1e-6, 5e-7, 2e-7, 1e-7, 5e-8, 2e-8, 1e-8)


def options(rtol):
    return dict(rtol=rtol, atol=0.01 * rtol)


def error(rtol):
    """Of the angle at the end, whole turns left out."""
    run = mk.simulate(squeezer.system(), T_END, every=[T_END], **options(rtol))
    off = float(squeezer.READ["beta"](run)[-1]) - BETA
    return abs((off + np.pi) % (2 * np.pi) - np.pi)


def repeatable(rtol):
    """A solver, and a function that runs it from the start to the end."""
    solver = mk.stepper(squeezer.system(), **options(rtol))
    y0 = solver.y.copy()

    def run():
        solver.y[:], solver.step_state[at.NOW], solver.step_state[at.STEP], solver.counters[at.STEPS] = y0, 0.0, 0.0, 0
        solver.run(T_END, [])

    return solver, run


def main(wanted):
    errors = [error(rtol) for rtol in TOLERANCES]
    first = next(k for k in range(len(errors)) if max(errors[k:]) <= wanted)  # from here on all meet it: not by chance
    solver, run = repeatable(TOLERANCES[first])
    seconds = fastest(run)
    answer(seconds=seconds, error=errors[first], how=f"rtol {TOLERANCES[first]:.0e}, {solver.facts()['steps']} steps")


if __name__ == "__main__":
    main(float(sys.argv[1]))
