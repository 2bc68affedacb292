"""Planetary gear: a sun in the middle, three planets on a carrier, a fixed ring. The sun drives, the rotation of the
carrier is prescribed.

Wheels that mesh turn against each other in the ratio of their radii, seen from the carrier (Willis). The ring rests, so
that seen from the carrier it turns back as the carrier turns on. Only one planet is given its mesh with the ring; that
of the others would repeat it.
"""

import numpy as np

from mekane.gallery.entry import Mechanism, checks_of
from mekane.model.system import System

SOURCE = "closed form: virtual power for the torque of the drive, each wheel's own equation for what meshes carry"
SUN, PLANET = 0.03, 0.02  # radii [m]
RING = SUN + 2 * PLANET
INERTIA = {"sun": 4e-4, "planet": 5e-5, "carrier": 1.2e-3}  # about their axes [kg m²]
MASS, PLANETS, TORQUE = 0.1, 3, 0.5  # of a planet [kg]; on the sun [N m]
SPEED, SWING, PACE = 3.0, 0.4, 2.0  # angle of the carrier: SPEED t + SWING sin(PACE t)


def system():
    s = System("planetary gear", gravity=(0, 0, 0))
    about_z = lambda I: (0.6 * I, 0.6 * I, I)
    s.body("sun", 0.3, about_z(INERTIA["sun"]))
    s.body("carrier", 0.2, about_z(INERTIA["carrier"]))
    place = dict(axis_a="z", axis_b="z")
    s.pin("arm", s.ground, "carrier", on_a=(0, 0, 0), on_b=(0, 0, 0), rate=SPEED + SWING * PACE, **place)
    s.pin("shaft", "carrier", "sun", on_a=(0, 0, 0), on_b=(0, 0, 0), **place)
    for k in range(PLANETS):
        angle = 2 * np.pi * k / PLANETS
        centre = (SUN + PLANET) * np.array([np.cos(angle), np.sin(angle), 0])
        s.body(f"planet{k}", MASS, about_z(INERTIA["planet"]), position=centre)
        s.pin(f"P{k}", "carrier", f"planet{k}", on_a=centre, on_b=(0, 0, 0), **place)
        s.gear(f"sun mesh{k}", f"P{k}", "shaft", ratio=-SUN / PLANET)  # outside: against each other
        if k == 0:
            s.gear("ring mesh", "P0", "arm", ratio=-RING / PLANET)  # inside: with the ring, which turns by − arm
    s.torque("motor", "sun", (0, 0, TORQUE))
    s.prescribed("output", "arm", f"{SPEED}*t + {SWING}*sin({PACE}*t)")
    return s


def ratio():
    """Turns of the sun per turn of the carrier."""
    return 1 + RING / SUN


def exact(t):
    """Angles; what the drive of the carrier, the ring's mesh and one sun's mesh give (torques about z on the carrier
    and on planets)."""
    angle, speeding = SPEED * t + SWING * np.sin(PACE * t), -SWING * PACE**2 * np.sin(PACE * t)
    spin = 1 - RING / PLANET  # turns of a planet per turn of the carrier
    reflected_inertia = INERTIA["carrier"] + PLANETS * (MASS * (SUN + PLANET) ** 2 + INERTIA["planet"] * spin**2)
    drive = (INERTIA["sun"] * ratio() ** 2 + reflected_inertia) * speeding - TORQUE * ratio()
    free = INERTIA["planet"] * spin * speeding  # all that a planet without a mesh with the ring takes from the sun
    # on the planet that has one
    from_sun = PLANET / SUN * (INERTIA["sun"] * ratio() * speeding - TORQUE) - (PLANETS - 1) * free
    return {"arm": angle, "sun": ratio() * angle, "drive": drive, "ring mesh": free - from_sun, "sun mesh": free}


def moment(constraint, body):
    return lambda run: run.reaction(constraint, on=body)["moment"].values[:, 2]


READ = {
    "arm": "arm.angle",
    "sun": lambda run: np.asarray(run["arm.angle"]) + np.asarray(run["shaft.angle"]),
    "drive": moment("output", "carrier"),
    "ring mesh": moment("ring mesh", "planet0"),
    "sun mesh": moment("sun mesh1", "planet1"),
}

mechanisms = [
    Mechanism(
        name="planetary_gear",
        title="planetary gear with three planets and a held ring",
        source=SOURCE,
        system=system,
        t_end=2.0,
        every=0.02,
        options={"rtol": 1e-11, "atol": 1e-13},
        checks=checks_of(
            exact, (0.5, 1.0, 2.0), READ, 1e-9, "closed form; the drive leaves no freedom, so that nothing can grow"
        ),
        exact=exact,
    )
]
