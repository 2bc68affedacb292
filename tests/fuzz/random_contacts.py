"""Random models with contact laws: things thrown on a floor and on one another, linkages whose joints rub, are limited and hit."""

import random

import mekane as mk

LAWS = ("poisson", "stronge", "phases")


def touching(seed):
    """A model of one of the kinds below."""
    rng = random.Random(f"contacts {seed}")
    return rng.choice(KINDS)(rng)


def uniform(rng, low, high):
    return round(rng.uniform(low, high), 3)


def vector(rng, size):
    return tuple(uniform(rng, -size, size) for _ in range(3))


def surface(rng):
    """Friction and restitution of a contact."""
    friction = rng.choice((0.0, uniform(rng, 0.05, 1.0)))
    options = dict(friction=friction, restitution=rng.choice((0.0, uniform(rng, 0.1, 0.9))), law=rng.choice(LAWS))
    if friction and rng.random() < 0.3:
        options["static"] = round(friction * uniform(rng, 1.0, 1.5), 4)
    return options


def floor(rng, s):
    """A plane, level or sloping."""
    slope = rng.choice((0.0, uniform(rng, 0.05, 0.5)))
    return (s.ground, mk.Plane(normal=(-slope, 0, 1.0)))


def start(rng):
    turn = dict(axis=(0.3, 1.0, -0.2), angle=uniform(rng, -3.0, 3.0))
    return dict(orientation=(turn["axis"], turn["angle"]), velocity=vector(rng, 2.0), angular_velocity=vector(rng, 6.0))


def thrown_solid(rng):
    """One solid thrown on a plane: as many points of contact as it has."""
    s = mk.System("thrown solid")
    shape = rng.choice(
        (
            mk.Box(0.4, 0.3, 0.2),
            mk.Sphere(0.15),
            mk.Capsule(0.08, 0.3),
            mk.Cylinder(0.15, 0.1),
            mk.Ellipsoid(0.1, 0.15, 0.2),
        )
    )
    s.body("solid", mass=uniform(rng, 0.5, 3.0), shape=shape, position=(0, 0, uniform(rng, 0.5, 0.8)), **start(rng))
    s.contact("floor", "solid", floor(rng, s), **surface(rng))
    return s


def thrown_plate(rng):
    """A block in a plane, thrown on a floor with a wall."""
    s = mk.System("thrown plate", planar="xz")
    size = uniform(rng, 0.1, 0.4), uniform(rng, 0.1, 0.4)
    velocity = (uniform(rng, -2, 2), 0, uniform(rng, -2, 2))
    s.body(
        "block", mass=uniform(rng, 0.5, 3.0), inertia=0.02, position=(0.6, 0, 0.6), orientation=("y", uniform(rng, -3, 3)),
        velocity=velocity, angular_velocity=(0, uniform(rng, -6, 6), 0),
    )  # fmt: skip
    wall, options = (s.ground, mk.Plane(normal="x")), surface(rng)
    for k, (x, z) in enumerate(((-1, -1), (1, -1), (1, 1), (-1, 1))):
        corner = ("block", (0.5 * x * size[0], 0, 0.5 * z * size[1]))
        s.contact(f"floor {k}", corner, (s.ground, mk.Plane(normal="z")), **options)
        s.contact(f"wall {k}", corner, wall, **options)
    return s


def balls(rng):
    """Balls that fall on a floor and on each other."""
    s = mk.System("balls")
    n, options = rng.randint(2, 4), surface(rng)
    for k in range(n):
        place = (uniform(rng, -0.05, 0.05), uniform(rng, -0.05, 0.05), 0.2 + 0.3 * k)
        s.body(
            f"ball {k}", mass=uniform(rng, 0.5, 2.0), shape=mk.Sphere(0.1), position=place, velocity=vector(rng, 0.3)
        )
        s.contact(f"floor {k}", f"ball {k}", (s.ground, mk.Plane()), **options)
        for other in range(k):
            s.contact(f"pair {other} {k}", f"ball {other}", f"ball {k}", **options)
    return s


def linkage(rng):
    """A chain of pins and sliders with dry friction, bearing friction, limits; its end may meet a floor."""
    planar = rng.random() < 0.5
    s = mk.System("linkage", **(dict(planar="xz") if planar else {}))
    parent, n = s.ground, rng.randint(1, 4)
    for k in range(n):
        inertia = 0.01 if planar else (0.01, 0.01, 0.01)
        body = s.body(f"link {k}", mass=uniform(rng, 0.3, 2.0), inertia=inertia, position=(0.3 * k + 0.15, 0, 1.0))
        if rng.random() < 0.8:
            axis = "y" if planar or rng.random() < 0.7 else "z"
            s.pin(f"joint {k}", parent, body, at=(0.3 * k, 0, 1.0), axis=axis, rate=uniform(rng, -3, 3))
            rub_pin(rng, s, k)
        else:
            s.slider(f"joint {k}", parent, body, at=(0.3 * k, 0, 1.0), axis="x", rate=uniform(rng, -1, 1))
            rub_slider(rng, s, k)
        parent = body
    if rng.random() < 0.7:
        s.contact(
            "floor", (parent, (0.15, 0, 0)), (s.ground, mk.Plane(at=(0, 0, uniform(rng, 0.2, 0.9)))), **surface(rng)
        )
    return s


def rub_pin(rng, s, k):
    if rng.random() < 0.4:
        s.dry_friction(f"rub {k}", f"joint {k}", torque=uniform(rng, 0.05, 1.0))
    elif rng.random() < 0.6:
        s.bearing_friction(f"bearing {k}", f"joint {k}", friction=uniform(rng, 0.05, 0.3), radius=0.03)
    if rng.random() < 0.5:
        restitution = rng.choice((0.0, uniform(rng, 0.1, 0.9)))
        s.limit(
            f"limit {k}",
            f"joint {k}",
            lower=uniform(rng, -1.0, -0.2),
            upper=uniform(rng, 0.2, 1.0),
            restitution=restitution,
        )


def rub_slider(rng, s, k):
    if rng.random() < 0.5:
        s.dry_friction(f"rub {k}", f"joint {k}", force=uniform(rng, 0.5, 5.0))
    elif rng.random() < 0.5:
        s.guide_friction(f"guide {k}", f"joint {k}", friction=uniform(rng, 0.05, 0.4))
    s.limit(f"limit {k}", f"joint {k}", lower=-0.1, upper=0.1, restitution=rng.choice((0.0, uniform(rng, 0.1, 0.8))))


def loop(rng):
    """A four-bar with friction in its bearings, a limit and a rope."""
    s = mk.System("four-bar", planar="xz")
    places = ((0, 0, 0), (0, 0, 0.3), (0.5, 0, 0.45), (0.5, 0, 0))
    ends = [s.ground]
    for k in range(3):
        middle = tuple(0.5 * (a + b) for a, b in zip(places[k], places[k + 1], strict=True))
        ends.append(s.body(f"link {k}", mass=uniform(rng, 0.3, 2.0), inertia=0.01, position=middle))
    ends.append(s.ground)
    for k in range(4):
        rate = dict(rate=uniform(rng, -6, 6)) if k == 0 else {}
        s.pin(f"joint {k}", ends[k], ends[k + 1], at=places[k], axis="y", **rate)
        if rng.random() < 0.7:
            s.bearing_friction(f"bearing {k}", f"joint {k}", friction=uniform(rng, 0.05, 0.3), radius=0.02)
    s.limit(
        "stop",
        "joint 0",
        lower=uniform(rng, -0.6, -0.1),
        upper=uniform(rng, 0.1, 0.6),
        restitution=uniform(rng, 0.0, 0.8),
    )
    if rng.random() < 0.5:
        s.contact(
            "floor", ("link 1", (0, 0, 0)), (s.ground, mk.Plane(at=(0, 0, uniform(rng, 0.1, 0.3)))), **surface(rng)
        )
    return s


KINDS = thrown_solid, thrown_plate, balls, linkage, linkage, loop
