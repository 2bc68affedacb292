"""MuJoCo: time of mjd_transitionFD, the state matrix of one Euler step by finite differences.   n centred|forward"""

import sys

import mujoco
import numpy as np

from bench.chain import state
from bench.programs.chain_mujoco import chain
from bench.timing import answer, fastest

EPS = {"centred": 1e-5, "forward": 1e-7}


def main(n, way):
    model = chain(n)
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_EULER
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:] = state(n)
    mujoco.mj_forward(model, data)
    A = np.zeros((2 * n, 2 * n))
    run = lambda: mujoco.mjd_transitionFD(model, data, EPS[way], way == "centred", A, None, None, None)
    run()
    answer(time=fastest(run), A=A.tolist(), step=model.opt.timestep)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
