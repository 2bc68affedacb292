"""Planetary gear: a sun in the middle, three planets on a carrier, a ring that is held. A constant torque on the sun speeds it up.

Wheels that mesh turn against each other in the ratio of their radii, seen from the carrier (Willis). The ring rests, so that seen from the
carrier it turns back as the carrier turns on.
"""

import numpy as np

from mekane.gallery.entry import Mechanism, checks_of
from mekane.model.system import System

SOURCE = "closed form: one degree of freedom with constant inertia; torques between wheels from each wheel's own equation"
SUN, PLANET = 0.03, 0.02  # radii [m]
RING = SUN + 2 * PLANET
INERTIA = {"sun": 4e-4, "planet": 5e-5, "carrier": 1.2e-3}  # about their axes [kg m²]
MASS, PLANETS, TORQUE, LOAD = 0.1, 3, 0.5, -1.0  # of a planet [kg]; on the sun, on the carrier [N m]


def system():
    s = System("planetary gear", gravity=(0, 0, 0))
    about_z = lambda I: (0.6 * I, 0.6 * I, I)
    s.body("sun", 0.3, about_z(INERTIA["sun"]))
    s.body("carrier", 0.2, about_z(INERTIA["carrier"]))
    place = dict(axis_a="z", axis_b="z")
    s.pin("arm", s.ground, "carrier", on_a=(0, 0, 0), on_b=(0, 0, 0), **place)
    s.pin("shaft", "carrier", "sun", on_a=(0, 0, 0), on_b=(0, 0, 0), **place)
    for k in range(PLANETS):
        angle = 2 * np.pi * k / PLANETS
        centre = (SUN + PLANET) * np.array([np.cos(angle), np.sin(angle), 0])
        s.body(f"planet{k}", MASS, about_z(INERTIA["planet"]), position=centre)
        s.pin(f"P{k}", "carrier", f"planet{k}", on_a=centre, on_b=(0, 0, 0), **place)
        s.gear(f"sun mesh{k}", f"P{k}", "shaft", ratio=-SUN / PLANET)  # outside: against each other
        if k == 0:
            s.gear("ring mesh", "P0", "arm", ratio=-RING / PLANET)  # inside: with the ring, which turns by − arm
    s.torque("drive", "sun", (0, 0, TORQUE))
    s.torque("load", "carrier", (0, 0, LOAD))
    return s


def ratio():
    """Turns of the sun per turn of the carrier."""
    return 1 + RING / SUN


def exact(t):
    """Angle and rate of the carrier, and what the ring's mesh gives to the planet's coordinate."""
    spin = 1 - RING / PLANET  # turns of a planet per turn of the carrier
    carried = INERTIA["carrier"] + PLANETS * (MASS * (SUN + PLANET) ** 2 + INERTIA["planet"] * spin**2)
    speeding = (TORQUE * ratio() + LOAD) / (INERTIA["sun"] * ratio() ** 2 + carried)
    to_sun = TORQUE - INERTIA["sun"] * ratio() * speeding  # what all planets take from the sun
    each = to_sun / PLANETS
    others = (PLANETS - 1) * INERTIA["planet"] * spin * speeding  # of planets that only the sun's mesh turns
    return {"angle": speeding * t**2 / 2, "rate": speeding * t, "each": 0 * t + each, "others": 0 * t + others}


READ = {"angle": "arm.angle", "rate": "arm.angle.rate"}

mechanisms = [
    Mechanism(
        name="planetary_gear",
        title="planetary gear with three planets and a held ring, driven at the sun",
        source=SOURCE,
        system=system,
        t_end=2.0,
        every=0.02,
        options={"rtol": 1e-11, "atol": 1e-13},
        checks=checks_of(exact, (0.5, 1.0, 2.0), READ, 1e-9, "closed form, quadratic in time: round-off of angles of 1e3 rad"),
        exact=exact,
    )
]
