"""MuJoCo: time of mj_step with a control set and two numbers read, everything switched off that the arm does not
need.   steps"""

import sys

import mujoco

from bench.chain import COM, INERTIA, axis, place
from bench.programs.chain_mujoco import NOT_NEEDED
from bench.stepping import BODIES, GAIN, STEP
from bench.timing import answer, fastest


def arm():
    spec = mujoco.MjSpec()
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_RK4
    spec.option.timestep, spec.option.gravity = STEP, (0, 0, -9.81)
    for flag in set(NOT_NEEDED) - {"ACTUATION"}:
        spec.option.disableflags |= int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{flag}", 0))
    body = spec.worldbody
    for i in range(BODIES):
        body = body.add_body(pos=place(i), mass=1.0, ipos=COM, inertia=INERTIA, explicitinertial=True)
        body.add_joint(name=f"pin {i}", type=mujoco.mjtJoint.mjJNT_HINGE, axis=axis(i))
    drive = spec.add_actuator(name="drive", target="pin 0", trntype=mujoco.mjtTrn.mjTRN_JOINT)
    drive.gainprm[0] = 1.0
    return spec.compile()


def main(steps):
    model = arm()
    data = mujoco.MjData(model)

    def run():
        mujoco.mj_resetData(model, data)
        rate, control, q, u = 0.0, data.ctrl, data.qpos, data.qvel
        for _ in range(steps):
            control[0] = GAIN - 0.1 * rate
            mujoco.mj_step(model, data)
            angle, rate = q[0], u[0]
        return angle

    run()
    angles = data.qpos.tolist()
    answer(step=fastest(run) / steps, angles=angles)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
