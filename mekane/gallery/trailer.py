"""A trailer with two wheels on an axle, towed straight ahead at a constant speed: it swings in behind, ever more
slowly.

Its axle is a knife edge: it does not move sideways. tan(φ/2) falls like e^(−v t / L), L from the hitch to
the axle.
"""

import numpy as np

from mekane.gallery.entry import Mechanism, checks_of
from mekane.gallery.looks import DARK, RUBBER, STEEL, bar, block, tube
from mekane.gallery.reading import of_constraint, rotations
from mekane.model.system import System

SOURCE = "closed form (the tractrix); forces from the trailer's momentum"
SPEED, LENGTH, CENTRE = 2.0, 1.5, 1.2  # of towing [m/s]; from the hitch to the axle and to the mass centre [m]
# inertia about the mass centre [kg m²]; angle at the start: nearly facing backwards
MASS, INERTIA, START = 300.0, 150.0, 2.5


def wheels(axles, half, height):
    return [bar((x, y - 0.1, height), (x, y + 0.1, height), 0.32, RUBBER) for x in axles for y in (-half, half)]


LOOKS = {  # the hitch is the origin of the car and lies 0.4 m above the road
    "car": {
        "color": "blue",
        "look": [
            block((4.2, 1.7, 0.6), (2.4, 0, 0.25)), block((2.1, 1.5, 0.55), (2.2, 0, 0.8), "#a9c4dd"),
            block((2.0, 1.52, 0.08), (2.2, 0, 1.1)), tube((0, 0, 0), (0.4, 0, 0.05), 0.05, STEEL), *wheels((1.2, 3.7), 0.78, -0.08),
        ],
    },
    "trailer": {
        "color": "orange",
        "look": [
            block((1.5, 1.3, 0.5), (CENTRE - LENGTH + 0.1, 0, 0.3)), tube((CENTRE, 0, 0), (CENTRE - 0.8, 0.5, 0.05), 0.04, DARK),
            tube((CENTRE, 0, 0), (CENTRE - 0.8, -0.5, 0.05), 0.04, DARK), *wheels((CENTRE - LENGTH,), 0.78, -0.08),
        ],
    },
}  # fmt: skip
ROAD = [  # under the wheels, as far as the car goes
    block((22, 6, 0.3), (6.5, 0, -0.55), "#6b737c"), *(block((1.0, 0.12, 0.02), (x, -1.6, -0.4), "white") for x in np.arange(-3, 17, 2.0)),
]  # fmt: skip


def system():
    s = System("trailer", gravity=(0, 0, 0))
    s.ground_look = ROAD
    along, across = np.array([np.cos(START), np.sin(START), 0]), np.array([-np.sin(START), np.cos(START), 0])
    rate = -SPEED / LENGTH * np.sin(START)
    s.body("car", 1000.0, (500.0, 1500.0, 1500.0), velocity=(SPEED, 0, 0), **LOOKS["car"])
    s.body("trailer", MASS, (INERTIA / 2, INERTIA / 2, INERTIA), position=-CENTRE * along, orientation=("z", START),
           velocity=np.array([SPEED, 0, 0]) - CENTRE * rate * across, angular_velocity=(0, 0, rate), **LOOKS["trailer"])  # fmt: skip
    s.slider("road", s.ground, "car", on_a=(0, 0, 0), on_b=(0, 0, 0), axis_a="x", axis_b="x")
    s.pin("hitch", "car", "trailer", on_a=(0, 0, 0), on_b=(CENTRE, 0, 0), axis_a="z", axis_b="z")
    s.prescribed("drive", "road", f"{SPEED}*t")
    s.knife_edge("axle", ("trailer", (CENTRE - LENGTH, 0, 0)), along="x")
    return s


def exact(t):
    """Angle of the trailer, the force across its axle and the pull of the car."""
    phi = 2 * np.arctan(np.tan(START / 2) * np.exp(-SPEED * t / LENGTH))
    rate = -SPEED / LENGTH * np.sin(phi)
    rate2 = -SPEED / LENGTH * np.cos(phi) * rate
    across = (INERTIA + MASS * CENTRE**2) * -rate2 / LENGTH  # moments about the hitch, which does not accelerate
    centre = CENTRE * (np.sin(phi) * rate2 + np.cos(phi) * rate**2)  # acceleration of the mass centre along x
    return {"angle": phi, "across": across, "pull": MASS * centre + across * np.sin(phi)}


def across(run):
    return np.einsum("ti,ti->t", of_constraint(run, "axle", "trailer"), rotations(run, "trailer")[:, :, 1])


READ = {"angle": "hitch.angle", "across": across, "pull": lambda run: of_constraint(run, "drive", "car")[:, 0]}

mechanisms = [
    Mechanism(
        name="trailer",
        title="trailer towed straight ahead, swinging in behind",
        source=SOURCE,
        system=system,
        t_end=6.0,
        every=0.05,
        options={"rtol": 1e-12, "atol": 1e-14},
        checks=checks_of(
            exact, (0.5, 1.0, 3.0, 6.0), READ, 1e-9, "closed form; a run at a tolerance of 1e-12, forces of 1e3 N"
        ),
        exact=exact,
    )
]
