"""MuJoCo: functions of a state of a robot, everything switched off that it does not need.   file"""

import sys

import mujoco
import numpy as np

from bench.programs.chain_mujoco import NOT_NEEDED
from bench.robot import state
from bench.timing import answer, fastest

CALLS, STEPS = 200, 500
NEEDED = ("ACTUATION",)  # forces on joints


def main(path):
    spec = mujoco.MjSpec.from_file(path)
    spec.compiler.balanceinertia = True
    for flag in set(NOT_NEEDED) - set(NEEDED):
        spec.option.disableflags |= int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{flag}", 0))
    spec.option.timestep = 1e-9
    model = spec.compile()
    data, n = mujoco.MjData(model), model.nv
    order = np.argsort([model.joint(k).name for k in range(n)])
    data.qpos[order], data.qvel[order], data.qacc[order] = state(n)
    mujoco.mj_inverse(model, data)
    tau, M = data.qfrc_inverse.copy(), np.zeros((n, n))
    start = data.qpos.copy(), data.qvel.copy()

    def forces():
        mujoco.mj_inverse(model, data)

    def mass_matrix():
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_crb(model, data)
        mujoco.mj_fullM(model, data, M)

    def accelerations():
        mujoco.mj_forward(model, data)

    def steps():
        data.qpos[:], data.qvel[:] = start
        mujoco.mj_step(model, data, nstep=STEPS)

    timed = lambda call: fastest(lambda: [call() for _ in range(CALLS)]) / CALLS
    numbers = {call.__name__: timed(call) for call in (forces, mass_matrix)}
    data.qfrc_applied[:] = tau
    numbers |= dict(accelerations=timed(accelerations), accelerations_inside=fastest(steps) / STEPS)
    answer(**numbers, tau=tau[order].tolist())


if __name__ == "__main__":
    main(sys.argv[1])
