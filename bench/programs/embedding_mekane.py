"""Mekane: time of a run of the gallery with embedded constraints and with multipliers.   name formulation"""

import sys

import mekane as mk
from bench.timing import answer, fastest
from mekane import gallery
from mekane.solvers import state as at

OPTIONS = dict(method="dop853", rtol=1e-8, atol=1e-10)


def timed(mechanism, formulation, constraints):
    """Seconds of the whole run and of one evaluation, and the solver."""
    solver = mk.stepper(mechanism.system(), formulation=formulation, constraints=constraints, **OPTIONS)
    y0 = solver.y.copy()

    def run():
        solver.y[:], solver.step_state[at.NOW], solver.step_state[at.STEP] = y0, 0.0, 0.0
        solver.counters[at.STEPS] = solver.counters[at.EVALUATIONS] = 0
        solver.run(mechanism.t_end, [])

    seconds = fastest(run)
    return dict(seconds=seconds, each=seconds / solver.facts()["evaluations"]), solver


def main(name, formulation):
    mechanism = gallery.find(name)
    (ours, solver), (theirs, _) = (timed(mechanism, formulation, way) for way in ("embedded", "multipliers"))
    answer(embedded=ours, multipliers=theirs, equations=len(solver.independent), speeds=len(solver.compiled.speeds))


if __name__ == "__main__":
    main(*sys.argv[1:])
