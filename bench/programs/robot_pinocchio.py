"""Pinocchio: functions of a state of a robot, called from Python; the faster of its two conventions.   file"""

import sys

import numpy as np
import pinocchio as pin

from bench.robot import state
from bench.timing import answer, fastest

CALLS = 200
WORLD = pin.Convention.WORLD


def timed(*calls):
    return min(fastest(lambda call=call: [call() for _ in range(CALLS)]) / CALLS for call in calls)


def main(path):
    model = pin.buildModelFromUrdf(path)
    data, n = model.createData(), model.nv
    order = np.argsort(list(model.names)[1:])
    x, u, ud = (np.empty(n) for _ in range(3))
    x[order], u[order], ud[order] = state(n)
    q = np.zeros(model.nq)
    for joint, angle in zip(list(model.joints)[1:], x, strict=True):  # without limits: cosine and sine
        q[joint.idx_q : joint.idx_q + joint.nq] = [np.cos(angle), np.sin(angle)] if joint.nq == 2 else angle
    tau = pin.rnea(model, data, q, u, ud).copy()
    numbers = dict(
        forces=timed(lambda: pin.rnea(model, data, q, u, ud)),
        mass_matrix=timed(lambda: pin.crba(model, data, q), lambda: pin.crba(model, data, q, WORLD)),
        accelerations=timed(lambda: pin.aba(model, data, q, u, tau), lambda: pin.aba(model, data, q, u, tau, WORLD)),
    )
    answer(**numbers, tau=tau[order].tolist())


if __name__ == "__main__":
    main(sys.argv[1])
