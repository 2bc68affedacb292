"""Mekane: time of a trot, and where the trunk is after it."""

from math import cos, sin

import mekane as mk
from bench.timing import answer, fastest
from bench.trot import (  # fmt: skip
    ARM,
    DAMPING,
    FOOT,
    FRICTION,
    HEIGHT,
    HIP,
    KNEE_ANGLE,
    LEGS,
    ROTOR,
    SHANK,
    STIFFNESS,
    THIGH,
    THIGH_ANGLE,
    TIME,
    TRUNK,
    targets,
)


def part(s, name, numbers, com, position, angle):
    return s.body(
        name, mass=numbers["mass"], inertia=numbers["inertia"], com=com, position=position, orientation=("y", angle)
    )


def robot(height=HEIGHT, friction=FRICTION, stiffness=STIFFNESS, damping=DAMPING, rotor=ROTOR, **waves):
    """The robot; waves: as `targets` takes them."""
    s = mk.System()
    trunk = part(s, "trunk", TRUNK, (0, 0, 0), (0, 0, height), 0.0)
    for leg, (x, y, phase) in LEGS.items():
        foot = add_leg(s, trunk, leg, x, y, height)
        s.contact(f"{leg} foot", foot, (s.ground, mk.Plane()), friction=friction)
        for joint, target in zip(("abduct", "lift", "knee"), targets(phase, **waves).values(), strict=True):
            s.pd(f"{leg} {joint} drive", f"{leg} {joint}", target=target, stiffness=stiffness, damping=damping)
            s.rotor(f"{leg} {joint} rotor", f"{leg} {joint}", rotor)
    return s


def add_leg(s, trunk, leg, x, y, height):
    """Its bodies and joints; the foot is returned."""
    out = y + (ARM if y > 0 else -ARM)
    knee = (x - THIGH["length"] * sin(THIGH_ANGLE), out, height - THIGH["length"] * cos(THIGH_ANGLE))
    hip = part(s, f"{leg} hip", HIP, (0, 0, 0), (x, y, height), 0.0)
    thigh = part(s, f"{leg} thigh", THIGH, (0, 0, -0.3 * THIGH["length"]), (x, out, height), THIGH_ANGLE)
    shank = part(s, f"{leg} shank", SHANK, (0, 0, -0.5 * SHANK["length"]), knee, THIGH_ANGLE + KNEE_ANGLE)
    along = dict(axis_a="y", axis_b="y")
    s.pin(f"{leg} abduct", trunk, hip, on_a=(x, y, 0), on_b=(0, 0, 0), axis_a="x", axis_b="x")
    s.pin(f"{leg} lift", hip, thigh, on_a=(0, out - y, 0), on_b=(0, 0, 0), **along)
    s.pin(f"{leg} knee", thigh, shank, on_a=(0, 0, -THIGH["length"]), on_b=(0, 0, 0), **along)
    return shank, mk.Sphere(FOOT, at=(0, 0, -SHANK["length"]))


def main():
    # an error of 1.3e-5 m, 3000 times less than MuJoCo's at its default step: 1000 times less is wanted
    s, options = robot(), dict(rtol=1e-3, atol=1e-5)
    loops = fastest(lambda: mk.simulate(s, TIME, every=0.01, **options))
    mk.compile(s)  # once for a model; runs take it from then on
    run = mk.simulate(s, TIME, every=0.01, **options)
    tight = mk.simulate(s, TIME, every=0.01, rtol=1e-11, atol=1e-13)
    answer(
        time=fastest(lambda: mk.simulate(s, TIME, every=0.01, **options)),
        loops=loops,
        making=fastest(lambda: mk.stepper(s, **options)),
        position=run["trunk.position"].values[-1].tolist(),
        exact=tight["trunk.position"].values[-1].tolist(),
        events=len(run.events),
        evaluations=run.info["evaluations"],
    )


if __name__ == "__main__":
    main()
