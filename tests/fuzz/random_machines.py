"""Random machines whose contacts and rubbing joints share few degrees of freedom, or masses that differ by up to 10⁴: forces are not
unique at impacts, friction holds nothing at dead centres, loads of guides pass by zero."""

import random

from random_contacts import uniform

import mekane as mk


def machine(seed):
    """A model of one of the kinds below."""
    rng = random.Random(f"machine {seed}")
    return rng.choice(KINDS)(rng)


def surface(rng, most):
    """Friction up to this, restitution, law."""
    friction = rng.choice((0.0, uniform(rng, 0.05, 0.5), uniform(rng, 0.3, most)))
    law = rng.choice(("poisson", "stronge", "phases"))
    return dict(friction=friction, restitution=rng.choice((0.0, 0.0, uniform(rng, 0.1, 0.9), 1.0)), law=law)


def arm(rng):
    """One or two links in a plane, with bearing friction and limits, that strike a slope."""
    s, before, x = mk.System("arm", planar="xz"), None, 0.0
    for k in range(rng.randint(1, 2)):
        length, joint = uniform(rng, 0.2, 0.5), f"joint {k}"
        inertia, mass = uniform(rng, 1e-3, 2e-2), rng.choice((uniform(rng, 0.1, 2.0), 0.01))
        link = s.body(f"link {k}", mass=mass, inertia=inertia, position=(x + length / 2, 0, 0.6))
        s.pin(joint, before or s.ground, link, at=(x, 0, 0.6), axis="y", rate=uniform(rng, -8.0, 8.0))
        if rng.random() < 0.6:
            s.bearing_friction(f"bearing {k}", joint, friction=uniform(rng, 0.05, 1.0), radius=uniform(rng, 0.01, 0.08))
        if rng.random() < 0.3:
            s.limit(f"limit {k}", joint, lower=-0.8, upper=0.8, restitution=rng.choice((0.0, 0.4, 1.0)))
        before, x = link, x + length
    slope = (s.ground, mk.Plane(at=(0, 0, 0.6 - uniform(rng, 0.1, 0.9) * x), normal=(uniform(rng, -0.6, 0.6), 0, 1)))
    s.contact("floor", (before, (length / 2, 0, 0)), slope, **surface(rng, 3.0))
    return s


def slider_crank(rng):
    """With friction in the guide and in bearings, and an end of its stroke."""
    s = mk.System("slider-crank", planar="xz")
    crank = s.body("crank", mass=1.0, inertia=0.01, position=(0.05, 0, 0))
    rod = s.body("rod", mass=0.5, inertia=0.004, position=(0.25, 0, 0))
    piston = s.body("piston", mass=uniform(rng, 0.2, 2.0), inertia=0.001, position=(0.4, 0, 0))
    s.pin("main", s.ground, crank, at=(0, 0, 0), axis="y", rate=uniform(rng, -40.0, 40.0))
    s.pin("big end", crank, rod, at=(0.1, 0, 0), axis="y")
    s.pin("small end", rod, piston, at=(0.4, 0, 0), axis="y")
    s.slider("guide", s.ground, piston, at=(0.4, 0, 0), axis="x")
    s.guide_friction("bore", "guide", friction=uniform(rng, 0.05, 0.9))
    for name in ("main", "big end", "small end"):
        if rng.random() < 0.4:
            s.bearing_friction(f"{name} bearing", name, friction=uniform(rng, 0.05, 0.4), radius=0.01)
    if rng.random() < 0.4:
        s.limit("end", "guide", lower=uniform(rng, -0.18, -0.05), restitution=rng.choice((0.0, 0.5, 1.0)))
    return s


def unequal(rng):
    """Two things on a rough floor, one of them up to 10⁴ times as heavy; a light link may drag behind."""
    s, ratio, options = mk.System("unequal"), rng.choice((1e2, 1e3, 1e4)), surface(rng, 3.0)
    masses = (1.0, 1.0 / ratio) if rng.random() < 0.5 else (1.0 / ratio, 1.0)
    velocity, turning = (tuple(uniform(rng, -size, size) for _ in range(3)) for size in (1.0, 8.0))
    other, place = rng.choice((mk.Sphere(0.08), mk.Capsule(0.05, 0.1, axis="x"))), (uniform(rng, -0.03, 0.03), 0, 0.55)
    s.body("ball", mass=masses[0], shape=mk.Sphere(0.1), position=(0, 0, 0.3), velocity=velocity)
    s.body("other", mass=masses[1], shape=other, position=place, angular_velocity=turning)
    floor = s.ground, mk.Plane()
    s.contact("under ball", "ball", floor, **options)
    s.contact("under other", "other", floor, **options)
    s.contact("between", "ball", "other", **options)
    if rng.random() < 0.5:
        link = s.body("link", mass=1.0 / ratio, inertia=(1e-2 / ratio,) * 3, position=(0.2, 0, 0.3))
        s.pin("hinge", "ball", link, at=(0.1, 0, 0.3), axis="y", rate=uniform(rng, -5.0, 5.0))
        s.contact("under link", (link, (0.1, 0, 0)), floor, **options)
    return s


KINDS = (arm, slider_crank, unequal)
