"""Mekane: functions of a state of a robot, called from Python and over rows of states.   file file-with-its-tree-alone"""

import sys
import time

import numpy as np

import mekane as mk
from bench.robot import state
from bench.timing import answer, fastest

ROWS, CALLS = 500, 200


def main(whole, path):
    mk.dynamics(mk.load_model(path)).bias_forces(*[np.zeros(44)] * 2)  # what is loaded once is not counted
    begun = time.process_time()
    mk.dynamics(mk.load_model(whole))
    ready = time.process_time() - begun
    system = mk.load_model(path)
    functions, n = mk.dynamics(system), len(system.speeds)
    order = np.argsort(system.coordinates)
    q, u, ud = (np.empty(n) for _ in range(3))
    q[order], u[order], ud[order] = state(n)
    M, tau, many = np.empty((n, n)), functions.required_forces(q, u, ud), [np.tile(x, (ROWS, 1)) for x in (q, u, ud)]
    out, Ms, answers = np.empty(n), np.empty((ROWS, n, n)), np.empty((ROWS, n))
    calls = {
        "forces": lambda: functions.required_forces(q, u, ud, out=out),
        "mass_matrix": lambda: functions.mass_matrix(q, out=M),
        "accelerations": lambda: functions.forward_dynamics(q, u, tau, out=out),
    }
    loops = {
        "forces": lambda: functions.required_forces(*many, out=answers),
        "mass_matrix": lambda: functions.mass_matrix(many[0], out=Ms),
        "accelerations": lambda: functions.forward_dynamics(*many, out=answers),
    }
    numbers = {what: fastest(lambda call=call: [call() for _ in range(CALLS)]) / CALLS for what, call in calls.items()}
    numbers |= {f"{what}_inside": fastest(call) / ROWS for what, call in loops.items()}
    assert np.allclose(functions.forward_dynamics(q, u, tau), ud, atol=1e-9)
    answer(**numbers, ready=ready, tau=tau[order].tolist())


if __name__ == "__main__":
    main(*sys.argv[1:])
