"""Mechanisms with contact laws whose motions are known in closed form."""

import numpy as np

import mekane as mk

G = 9.81
TIGHT = dict(rtol=1e-12, atol=1e-14)
THIN = 1e-9  # moment of inertia of a thin rod about its own axis


def ball(e=0.7, height=1.0, **keywords):
    s = mk.System("ball")
    b = s.body("ball", shape=mk.Sphere(0.1), mass=1.0, position=(0, 0, 0.1 + height))
    s.contact("floor", b, (s.ground, mk.Plane(normal="z")), restitution=e, **keywords)
    return s


def block(static=None, slope=25.0, friction=0.3, speed=4.0):
    """A particle thrown up a slope, which is level here: gravity is inclined."""
    a = np.radians(slope)
    s = mk.System("block", gravity=(-G * np.sin(a), 0, -G * np.cos(a)))
    b = s.body("block", mass=1.0, inertia=(1, 1, 1), velocity=(speed, 0, 0))
    s.contact("slope", (b, (0, 0, 0)), (s.ground, mk.Plane()), friction=friction, static=static)
    return s


def sled(gravity=(0, 0, 0), position=0.0, speed=0.0, mass=1.0):
    """A mass on a rail along x."""
    s = mk.System("sled", gravity=gravity)
    b = s.body("sled", mass=mass, inertia=(1, 1, 1), position=(position, 0, 0), velocity=(speed, 0, 0))
    s.slider("rail", s.ground, b, at=(0, 0, 0), axis="x")
    return s, b


def rods(angles, rates, gravity=(0, 0, 0)):
    """Two thin rods of mass and length 1, hanging from a shoulder in the xz plane; angles from the vertical."""
    s = mk.System("two rods", gravity=gravity)
    (a, b), thin = angles, dict(mass=1.0, inertia=(1 / 12, 1 / 12, THIN))
    along = lambda x: np.array([np.sin(x), 0.0, -np.cos(x)])
    elbow, tip = along(a), along(a) + along(b)
    turned = lambda x: ("y", -x)
    upper = s.body("upper", position=tuple(0.5 * elbow), orientation=turned(a), **thin)
    lower = s.body("lower", position=tuple(0.5 * (elbow + tip)), orientation=turned(b), **thin)
    s.pin("shoulder", s.ground, upper, at=(0, 0, 0), axis=(0, -1, 0), rate=rates[0])
    s.pin("elbow", upper, lower, at=tuple(elbow), axis=(0, -1, 0), rate=rates[1] - rates[0])
    return s, upper, lower, tip
