"""Random trunks on two light legs with round feet: friction changes normal accelerations as much as normal forces do, up to
Painlevé's paradox."""

import random

import mekane as mk


def walker(seed):
    rng = random.Random(f"walker {seed}")
    s = mk.System(f"walker {seed}")
    trunk = s.body("trunk", 3.0, (0.1, 0.2, 0.2), position=(0, 0, 0.5))
    friction, restitution = rng.uniform(0.1, 1.2), rng.choice([0.0, 0.0, 0.3, 0.6])
    floor = s.ground, mk.Plane()
    for name, y, phase in (("left", 0.1, 0.0), ("right", -0.1, 2.0)):
        shin, hip = (
            s.body(f"{name} shin", rng.uniform(0.1, 1.0), (4e-3, 4e-3, 1e-3), position=(0, y, 0.3)),
            f"{name} hip",
        )
        s.universal(hip, trunk, shin, at=(0, y, 0.5), axis="x", axis2="y")
        stiffness, damping = rng.uniform(5.0, 60.0), rng.uniform(0.0, 2.0)
        s.torsional_spring(f"{name} spring", hip, coordinate="angle", stiffness=stiffness, damping=damping)
        target = f"{rng.uniform(0.1, 0.6)}*sin(9*t + {phase})"
        s.pd(f"{name} drive", hip, target=target, coordinate="angle2", stiffness=40.0, damping=1.0)
        foot = shin, mk.Sphere(0.03, at=(0, 0, -0.2))
        s.contact(f"{name} foot", foot, floor, friction=friction, restitution=restitution)
    if rng.random() < 0.5:
        s.contact("belly", (trunk, mk.Sphere(0.1)), floor, friction=friction)
    rod = s.body("rod", 0.1, (1e-4, 1e-3, 1e-3), position=(0.1, 0.0, 0.5))
    s.pin("crank", trunk, rod, at=(0, 0, 0.5), axis="y")
    s.spring("tie", (rod, (0.1, 0, 0)), (trunk, (0.3, 0, 0.2)), stiffness=50.0, length=0.2)
    s.limit("stop", "crank", lower=-0.4, upper=0.5, restitution=0.3)
    return s
