"""A hoist: a motor turns a drum that lifts a load; a ratchet on a wheel that a brake holds keeps it up, and easing the
brake lets it down.

The drum (J), of radius r, carries the load m; the wheel of the ratchet (J_w) may turn back only against the brake.
1. Until 1 s the motor gives T: θ̈ = (T − m g r)/(J + m r²). The ratchet clicks over, the wheel stands.
2. Without it the drum slows down, θ̈ = −m g r/(J + m r²), comes to rest, and the ratchet takes hold; the brake, which could
   carry 50 N m, carries m g r.
3. From 3 s to 4 s the brake is eased to 10 N m: drum and wheel turn back together, θ̈ = −(m g r − 10)/(J + J_w + m r²).
4. Then it holds 50 N m again: θ̈ = (50 − m g r)/(J + J_w + m r²) until all is at rest.
"""

import numpy as np

from mekane.gallery.entry import Check, Mechanism, checks_of
from mekane.gallery.looks import DARK, STEEL, bar, block, path, ratchet
from mekane.model.geometry.shapes import Box, Cylinder
from mekane.model.system import System

SOURCE = "closed form: uniform accelerations of one degree of freedom, data chosen for this gallery"
DRUM, WHEEL, LOAD, RADIUS, G = 0.3, 0.1, 20.0, 0.1, 9.81  # [kg m²], [kg m²], [kg], [m]
MOTOR, BRAKE, EASED = 30.0, 50.0, 10.0  # torques [N m]
OFF, LOWERS, HOLDS = 1.0, 3.0, 4.0  # [s]
WEIGHT, INERTIA = LOAD * G * RADIUS, DRUM + LOAD * RADIUS**2
UP, DOWN = (MOTOR - WEIGHT) / INERTIA, WEIGHT / INERTIA
BACK, SLOWS = (WEIGHT - EASED) / (INERTIA + WHEEL), (BRAKE - WEIGHT) / (INERTIA + WHEEL)
TOP = OFF + UP * OFF / DOWN  # 1.529 s
END = HOLDS + BACK * (HOLDS - LOWERS) / SLOWS  # 4.317 s

LONGEST = 2.6  # rope that can be let out [m]: never here, where the winding bears the load
TURNS = 9  # of rope on the drum, as it is drawn
CORNERS = [(x, y) for x in (-0.2, 0.2) for y in (-0.2, 0.2)]
LOOKS = {
    "drum": [
        bar((0, -0.1, 0), (0, 0.1, 0), 0.085, DARK), *(bar((0, y - 0.012, 0), (0, y + 0.012, 0), 0.13, "red") for y in (-0.1, 0.1)),
        *(bar((0, y - 0.007, 0), (0, y + 0.007, 0), RADIUS, "#c9a066") for y in np.linspace(-0.075, 0.075, TURNS)),
        block((0.2, 0.03, 0.02), (0, -0.115, 0), STEEL),
    ],
    "wheel": [ratchet(0.18, 0.025, 16, 0.02, STEEL), bar((0, -0.015, 0), (0, 0.025, 0), 0.05, DARK)],
    "load": [  # a cage
        block((0.44, 0.44, 0.03), (0, 0, -0.25), "orange"), block((0.44, 0.44, 0.03), (0, 0, 0.25), "orange"),
        *(piece for x, y in CORNERS for piece in path([(x, y, -0.25), (x, y, 0.25)], 0.015, DARK)),
        block((0.24, 0.24, 0.2), (0, 0, -0.13), "#a97c4f"),
    ],
}  # fmt: skip
GANTRY = [  # a frame over a shaft, with the bearings of the drum, the brake of the wheel, and guide rails of the cage
    *(path([(x, y, -3.1), (x, y, -0.32)], 0.03, "#7d8894") for x in (-0.55, 0.55) for y in (-0.4, 0.4)),
    *(path([(-0.55, y, -0.32), (0.55, y, -0.32)], 0.03, "#7d8894") for y in (-0.4, 0.4)),
    *(path([(x, -0.4, -0.32), (x, 0.4, -0.32)], 0.03, "#7d8894") for x in (-0.55, 0.55)),
    *(path([(-RADIUS, y, 0), (-RADIUS + x, y, -0.3)], 0.02, DARK) for y in (-0.22, 0.28) for x in (-0.2, 0.2)),
    *(path([(-RADIUS - 0.2, y, -0.3), (-RADIUS + 0.2, y, -0.3)], 0.02, DARK) for y in (-0.22, 0.28)),
    *(path([(x, 0, -3.1), (x, 0, -0.32)], 0.012, STEEL) for x in (-0.24, 0.24)),
    [bar((-RADIUS, -0.24, 0), (-RADIUS, 0.3, 0), 0.02, STEEL)],
    [block((1.3, 1.0, 0.04), (0, 0, -3.12), "#9aa3ad")],
]


def system():
    s = System("ratchet hoist", gravity=(0, 0, -G))
    s.ground_look = [piece for part in GANTRY for piece in part]
    place = (-RADIUS, 0, 0)
    drum = s.body(
        "drum",
        10.0,
        (DRUM, DRUM, DRUM),
        position=place,
        shape=Cylinder(radius=RADIUS, length=0.2, axis="y"),
        look=LOOKS["drum"],
    )
    wheel = s.body(
        "wheel",
        3.0,
        (WHEEL, WHEEL, WHEEL),
        position=(-RADIUS, 0.15, 0),
        shape=Cylinder(radius=0.15, length=0.02, axis="y"),
        look=LOOKS["wheel"],
    )
    load = s.body("load", LOAD, position=(0, 0, -2.5), shape=Box(0.2, 0.2, 0.2), look=LOOKS["load"])
    s.pin("axle", s.ground, drum, at=place, axis="-y")
    s.pin("sleeve", s.ground, wheel, at=(-RADIUS, 0.15, 0), axis="-y")
    s.slider("rope", s.ground, load, axis="z")
    s.rack_and_pinion("winding", "axle", "rope", RADIUS)
    s.cable("hoisting rope", s.ground, (load, (0, 0, 0.265)), LONGEST)
    s.motor("motor", "axle", torque=f"{MOTOR} if t < {OFF} else 0")
    s.one_way("ratchet", "axle", rate="sleeve.angle.rate")
    s.brake("brake", "sleeve", torque=f"{EASED} if t > {LOWERS} and t < {HOLDS} else {BRAKE}")
    return s


def exact(t):
    """Angles and rate of the drum and of the wheel."""
    t = np.asarray(t, float)
    pulled, coasts = np.minimum(t, OFF), np.clip(t - OFF, 0.0, TOP - OFF)
    falls, stops = np.clip(t - LOWERS, 0.0, HOLDS - LOWERS), np.clip(t - HOLDS, 0.0, END - HOLDS)
    wheel = -BACK * falls**2 / 2 - BACK * falls * stops + SLOWS * stops**2 / 2
    rate = -BACK * falls + SLOWS * stops
    return {
        "drum": UP * pulled**2 / 2 + UP * pulled * coasts - DOWN * coasts**2 / 2 + wheel,
        "rate": UP * pulled - DOWN * coasts + rate,
        "wheel": wheel,
        "height": RADIUS * (UP * pulled**2 / 2 + UP * pulled * coasts - DOWN * coasts**2 / 2 + wheel),
    }


READ = {"drum": "axle.angle", "rate": "axle.angle.rate", "wheel": "sleeve.angle", "height": "rope.displacement"}
mechanisms = [
    Mechanism(
        name="ratchet_hoist",
        title="hoist with a ratchet and a brake: lifts, holds and lets down",
        source=SOURCE,
        system=system,
        t_end=5.0,
        every=0.02,
        options={"rtol": 1e-12, "atol": 1e-13},
        checks=(
            *checks_of(exact, (0.5, 1.2, 2.0, 3.5, 4.2, 5.0), READ, 1e-9, "closed form; angles of some ten rad"),
            Check("torque of the ratchet while it holds [N m]", 2.0, "ratchet.force", WEIGHT, 1e-9, why="m g r"),
            Check(
                "torque of the ratchet while it lets down [N m]",
                3.5,
                "ratchet.force",
                EASED + WHEEL * BACK,
                1e-9,
                why="brake, and what turns the wheel back",
            ),
            Check(
                "heat of the brake [J]",
                5.0,
                "brake.heat",
                EASED * BACK / 2 + BRAKE * BACK**2 / SLOWS / 2,
                1e-9,
                why="torques times angles",
            ),
        ),
        exact=exact,
    )
]
