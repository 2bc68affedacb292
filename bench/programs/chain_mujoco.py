"""MuJoCo: time of one RK4 `mj_step`, everything switched off that the chain does not need.   n steps"""

import sys

import mujoco

from bench.chain import COM, INERTIA, STEP, axis, place, state
from bench.timing import answer, fastest

# fmt: off
NOT_NEEDED = (
    "ACTUATION", "AUTORESET", "CLAMPCTRL", "CONSTRAINT", "CONTACT", "DAMPER", "EQUALITY", "EULERDAMP", "FRICTIONLOSS", "LIMIT",
    "PASSIVE", "SENSOR", "SPRING", "WARMSTART",
)
# fmt: on


def chain(n):
    """By MjSpec: MJCF text may be nested 500 deep only."""
    spec = mujoco.MjSpec()
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_RK4
    spec.option.timestep, spec.option.gravity = STEP, (0, 0, -9.81)
    for flag in NOT_NEEDED:  # names differ between versions
        spec.option.disableflags |= int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{flag}", 0))
    body = spec.worldbody
    for i in range(n):
        body = body.add_body(pos=place(i), mass=1.0, ipos=COM, inertia=INERTIA, explicitinertial=True)
        body.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, axis=axis(i))
    return spec.compile()


def main(n, steps):
    model = chain(n)
    data = mujoco.MjData(model)

    def reset():
        data.qpos[:], data.qvel[:] = state(n)

    def run():
        reset()
        mujoco.mj_step(model, data, nstep=steps)

    reset()
    mujoco.mj_forward(model, data)
    acceleration = data.qacc.tolist()
    run()
    angles = data.qpos.tolist()
    answer(step=fastest(run) / steps, acceleration=acceleration, angles=angles)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
