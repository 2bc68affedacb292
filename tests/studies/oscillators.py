"""Systems of the tests of studies, with closed forms."""

import mekane as mk


def oscillator(damper=False):
    """A mass on a spring along x, drawn 0.1 m from where the spring is at rest: x = 0.1 cos(√(k/m) t)."""
    s = mk.System("oscillator", gravity=(0, 0, 0), parameters={"k": "400 N/m"})
    mass = s.body("mass", mass=1.0, inertia=(1, 1, 1), position=(0.1, 0, 0))
    s.slider("guide", s.ground, mass, at=(0, 0, 0), axis="x")
    s.motor("spring", "guide", force="-k*mass.position.x")
    if damper:
        s.motor("damper", "guide", force="-4*guide.displacement.rate")
    return s


def pendulum():
    """A point mass of 1 kg on 1 m, hanging at rest."""
    s = mk.System("pendulum")
    bob = s.body("bob", mass=1.0, position=(0, 0, -1))
    s.pin("hinge", s.ground, bob, at=(0, 0, 0), axis="y")
    return s
