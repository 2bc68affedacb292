"""MuJoCo: results and times of a motion with contact at several steps, the default first.   case"""

import sys
from math import atan, exp, pi, sqrt

import mujoco
import numpy as np

from bench.contact import (  # fmt: skip
    BLOCK,
    BOUNCE,
    CORNERS,
    CRANK_FRICTION,
    CRANK_RATE,
    FOUR_BAR_TIME,
    LINK_INERTIA,
    LINKS,
    THROW,
    G,
    inclined,
)
from bench.timing import answer, fastest

DEFAULT_STEP = 2e-3  # s
STEPS = {"Euler": (2e-3, 1e-3, 2e-4, 5e-5, 1e-5), "RK4": (2e-3, 1e-3, 2e-4, 5e-5)}  # s
HARDNESS = 10.0  # steps, time constant of hard constraints; 2, the least that MuJoCo allows, slides less exactly
IMPEDANCE = (0.99, 0.9999, 1e-4)  # solimp: least, largest, over which depth
BOUNCE_STEPS, MORE_BOUNCE_STEPS = 10, 50  # that a bounce takes


def empty(step, gravity=(0, 0, -G)):
    spec = mujoco.MjSpec()
    spec.option.timestep, spec.option.gravity = step, gravity
    return spec


def add_floor(spec, friction):
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=(0, 0, 1), friction=(friction, 0, 0))


def add_solid(spec, shape, size, mass, height, friction):
    body = spec.worldbody.add_body(pos=(0, 0, height))
    body.add_freejoint()
    body.add_geom(type=getattr(mujoco.mjtGeom, f"mjGEOM_{shape}"), size=size, mass=mass, friction=(friction, 0, 0))


def harden(model, step, hardness=HARDNESS):
    """Contacts, loops and dry friction stiffer with a smaller step, and friction in a round cone."""
    model.opt.cone, model.opt.impratio = mujoco.mjtCone.mjCONE_ELLIPTIC, 100.0
    for name in ("geom", "eq", "dof"):
        getattr(model, f"{name}_solref")[:] = (hardness * step, 1.0)
        getattr(model, f"{name}_solimp")[:, :3] = IMPEDANCE


def without_slip(model, step):
    """MuJoCo's own remedy for creep: sweeps over friction alone, after the soft solution."""
    model.opt.cone, model.opt.noslip_iterations = mujoco.mjtCone.mjCONE_ELLIPTIC, 10


def block(step):
    spec, size = empty(step, inclined(BLOCK["slope"])), np.array(BLOCK["size"]) / 2
    add_floor(spec, BLOCK["friction"])
    add_solid(spec, "BOX", size, BLOCK["mass"], size[2], BLOCK["friction"])
    return spec.compile()


def bouncing_ball(step):
    spec, radius = empty(step), BOUNCE["radius"]
    add_floor(spec, 0.0)
    add_solid(spec, "SPHERE", (radius, 0, 0), BOUNCE["mass"], radius + BOUNCE["height"], 0.0)
    model = spec.compile()
    spring_and_damper(model, step, BOUNCE_STEPS)
    return model


def spring_and_damper(model, step, steps=MORE_BOUNCE_STEPS):
    """Contact that lasts so many steps."""
    frequency, ratio = pi / (steps * step), damping_ratio(BOUNCE["restitution"])
    model.geom_solref[:] = (-(frequency**2), -2.0 * ratio * frequency)
    model.geom_solimp[:, :2] = 0.9999


def damping_ratio(restitution):
    """That of a spring and a damper which push only: e = exp(−2 ζ/√(1 − ζ²) atan(√(1 − ζ²)/ζ)); by bisection."""
    low, high = 1e-9, 0.999
    for _ in range(60):
        middle = (low + high) / 2
        root = sqrt(1 - middle**2)
        bounces = exp(-2 * middle / root * atan(root / middle)) > restitution
        low, high = (middle, high) if bounces else (low, middle)
    return low


def thrown_ball(step):
    spec, radius = empty(step, inclined(THROW["slope"])), THROW["radius"]
    add_floor(spec, THROW["friction"])
    add_solid(spec, "SPHERE", (radius, 0, 0), THROW["mass"], radius, THROW["friction"])
    return spec.compile()


def four_bar(step):
    spec, corners = empty(step), np.array(CORNERS)
    body, at = spec.worldbody, np.zeros(3)
    for k, (name, mass) in enumerate(LINKS.items()):
        middle = (corners[k + 1] - corners[k]) / 2
        inertial = dict(mass=mass, ipos=middle, inertia=LINK_INERTIA, explicitinertial=True)
        body, at = body.add_body(name=name, pos=corners[k] - at, **inertial), corners[k]
        body.add_joint(axis=(0, 1, 0), type=mujoco.mjtJoint.mjJNT_HINGE, frictionloss=0.0 if k else CRANK_FRICTION)
    close = spec.add_equality(type=mujoco.mjtEq.mjEQ_CONNECT, objtype=mujoco.mjtObj.mjOBJ_BODY, name1=name)
    close.name2, close.data[:3] = "world", corners[-1] - corners[-2]
    return spec.compile()


def crank_rates():
    """Of the three hinges: the loop stays closed, Σ ω_k × (end − corner_k) = 0 in the plane."""
    arms = np.array(CORNERS)[-1] - np.array(CORNERS)[:-1]
    columns = np.stack([arms[:, 2], -arms[:, 0]])
    return np.array([CRANK_RATE, *np.linalg.solve(columns[:, 1:], -columns[:, 0] * CRANK_RATE)])


START = {  # speeds
    "block": np.zeros(6),
    "bouncing-ball": np.zeros(6),
    "ball-across-a-slope": np.array([0, THROW["speed"], 0, 0, 0, 0]),
    "four-bar-with-friction": crank_rates(),
}


def creep(q, u, step):
    """Mean speed after it has settled."""
    first = round(BLOCK["settled"] / step) - 1
    return [(q[-1, 0] - q[first, 0]) / (BLOCK["time"] - BLOCK["settled"])]


def heights(q, u, step):
    """To which the flights lead: where the rate turns from up to down. A flight that is missing has none."""
    height, rate = q[:, 2] - BOUNCE["radius"], u[:, 2]
    falls = np.nonzero((rate[:-1] > 0) & (rate[1:] <= 0))[0]
    found = (height[falls] + rate[falls] ** 2 / (2 * G)).tolist()
    return (found + [0.0] * BOUNCE["rebounds"])[: BOUNCE["rebounds"]]


def place(q, u, step):
    return q[-1, :2].tolist()


def crank(q, u, step):
    return [q[-1, 0]]


CASES = {  # model, time, what is read, how it is made more exact besides the step
    "block": (block, BLOCK["time"], creep, harden),
    "bouncing-ball": (bouncing_ball, BOUNCE["time"], heights, spring_and_damper),
    "ball-across-a-slope": (thrown_ball, THROW["time"], place, harden),
    "four-bar-with-friction": (four_bar, FOUR_BAR_TIME, crank, harden),
}


def measured(case, step, how, integrator="Euler", refine=None):
    """With contact as it is by default, or refined."""
    build, t_end, read, _ = CASES[case]
    model = build(step)
    model.opt.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{integrator.upper()}")
    if refine:
        refine(model, step)
    data, steps = mujoco.MjData(model), round(t_end / step)

    def reset():
        mujoco.mj_resetData(model, data)
        data.qvel[:] = START[case]

    def again():
        reset()
        mujoco.mj_step(model, data, nstep=steps)

    return dict(
        how=f"{how}, step {step:.0e} s",
        value=read(*samples(model, data, reset, steps), step),
        seconds=fastest(again, 0.3, 2),
    )


def samples(model, data, reset, steps):
    """Coordinates and speeds after each step."""
    q, u = np.empty((steps, model.nq)), np.empty((steps, model.nv))
    reset()
    for k in range(steps):
        mujoco.mj_step(model, data)
        q[k], u[k] = data.qpos, data.qvel
    return q, u


def main(case):
    runs = [measured(case, DEFAULT_STEP, "default")]
    if case == "block":
        runs.append(measured(case, DEFAULT_STEP, "noslip", refine=without_slip))
    for integrator, steps in STEPS.items():
        runs += [measured(case, step, f"{integrator}, refined", integrator, CASES[case][-1]) for step in steps]
    answer(runs=runs)


if __name__ == "__main__":
    main(sys.argv[1])
