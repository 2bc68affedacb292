"""MuJoCo: times of a trot and where the trunk is after it, with its default contact and step, with the same contact and a
small step, and with hard contact."""

import mujoco
import numpy as np

from bench.programs.contact_mujoco import harden
from bench.timing import answer, fastest
from bench.trot import (  # fmt: skip
    ARM,
    DAMPING,
    FOOT,
    FRICTION,
    HARD,
    HEIGHT,
    HIP,
    KNEE_ANGLE,
    LEGS,
    ROTOR,
    SHANK,
    SMALL_STEP,
    STEP,
    STIFFNESS,
    THIGH,
    THIGH_ANGLE,
    TIME,
    TRUNK,
    targets,
)

ROUGH = (FRICTION, 0.0, 0.0)
FLOOR, FEET = dict(contype=1, conaffinity=2), dict(contype=2, conaffinity=1)  # feet meet the floor alone


def robot(step):
    spec = mujoco.MjSpec()
    spec.option.timestep, spec.option.gravity = step, (0, 0, -9.81)
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=(0, 0, 1), friction=ROUGH, **FLOOR)
    trunk = part(spec.worldbody, TRUNK, (0, 0, HEIGHT), (0, 0, 0))
    trunk.add_freejoint()
    for leg, (x, y, _) in LEGS.items():
        add_leg(spec, trunk, leg, x, y)
    return spec.compile()


def part(parent, numbers, place, com):
    inertial = dict(mass=numbers["mass"], inertia=numbers["inertia"], ipos=com, explicitinertial=True)
    return parent.add_body(pos=place, **inertial)


def add_leg(spec, trunk, leg, x, y):
    hip = part(trunk, HIP, (x, y, 0), (0, 0, 0))
    thigh = part(hip, THIGH, (0, ARM if y > 0 else -ARM, 0), (0, 0, -0.3 * THIGH["length"]))
    shank = part(thigh, SHANK, (0, 0, -THIGH["length"]), (0, 0, -0.5 * SHANK["length"]))
    add_driven_pin(spec, hip, f"{leg} abduct", (1, 0, 0))
    add_driven_pin(spec, thigh, f"{leg} lift", (0, 1, 0))
    add_driven_pin(spec, shank, f"{leg} knee", (0, 1, 0))
    foot = dict(size=(FOOT, 0, 0), pos=(0, 0, -SHANK["length"]), mass=0)
    shank.add_geom(type=mujoco.mjtGeom.mjGEOM_SPHERE, friction=ROUGH, **foot, **FEET)


def add_driven_pin(spec, body, name, axis):
    body.add_joint(name=name, type=mujoco.mjtJoint.mjJNT_HINGE, axis=axis, armature=ROTOR)
    drive = spec.add_actuator(name=name, target=name, trntype=mujoco.mjtTrn.mjTRN_JOINT)
    drive.gainprm[0], drive.biastype = STIFFNESS, mujoco.mjtBias.mjBIAS_AFFINE
    drive.biasprm[1], drive.biasprm[2] = -STIFFNESS, -DAMPING


def controls(step):
    """Targets at each step, with the share of their rates: damping acts on the rate of the error."""
    t, h = np.arange(round(TIME / step)) * step, 1e-6
    texts = [text for _, _, phase in LEGS.values() for text in targets(phase).values()]
    rate = lambda text: (evaluated(text, t + h) - evaluated(text, t - h)) / (2 * h)
    columns = [evaluated(text, t) + DAMPING / STIFFNESS * rate(text) for text in texts]
    return np.ascontiguousarray(np.array(columns).T)


def evaluated(text, t):
    return eval(text, dict(t=t, sin=np.sin, cos=np.cos, max=np.maximum)) + np.zeros_like(t)


def measured(step, hardness=None, repeat=True):
    model, control = robot(step), controls(step)
    if hardness:
        harden(model, step, hardness)
    data = mujoco.MjData(model)

    def run():
        mujoco.mj_resetData(model, data)
        data.qpos[7:] = len(LEGS) * (0, THIGH_ANGLE, KNEE_ANGLE)
        for values in control:
            data.ctrl[:] = values
            mujoco.mj_step(model, data)

    seconds = fastest(run) if repeat else fastest(run, 0.0, 1)
    return dict(time=seconds, position=data.qpos[:3].tolist())


def main():
    hard = [measured(step, hardness) for step, hardness in HARD]
    answer(default=measured(STEP), fine=measured(SMALL_STEP, repeat=False), hard=hard)


if __name__ == "__main__":
    main()
