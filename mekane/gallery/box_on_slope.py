"""A box pushed up a rough slope: it slides on four corners, stops, and stays, because friction holds it there.

Up a slope of angle α it loses g (sin α + μ cos α) of speed per second. It stays where it stops if tan α ≤ μ_s; else it
comes back at g (sin α − μ cos α). The forces of its corners are not unique, the motion is.
"""

import numpy as np

from mekane.gallery.entry import Check, Mechanism, checks_of
from mekane.gallery.looks import coloured
from mekane.model.geometry.polygon import Polygon
from mekane.model.geometry.shapes import Box
from mekane.model.geometry.surfaces import Plane
from mekane.model.system import System

SOURCE = "classical: a body on an inclined plane with Coulomb friction"
SLOPE, MU, STATIC, SPEED, G = np.radians(20), 0.3, 0.5, 2.0, 9.81
MASS, SIZES = 5.0, (0.4, 0.3, 0.2)  # [kg], [m]
WEDGE = [
    (-0.75, -0.75 * np.tan(SLOPE) - 0.06),
    (1.0, -0.75 * np.tan(SLOPE) - 0.06),
    (1.0, np.tan(SLOPE)),
    (-0.75, -0.75 * np.tan(SLOPE)),
]
RAMP = coloured(Polygon(WEDGE, 0.7, orientation=("x", np.pi / 2)), "#a97c4f")
UP, NORMAL = (np.cos(SLOPE), 0.0, np.sin(SLOPE)), (-np.sin(SLOPE), 0.0, np.cos(SLOPE))
LOSES = G * (np.sin(SLOPE) + MU * np.cos(SLOPE))
STOPS = SPEED / LOSES


def system(friction=MU, static=STATIC, speed=SPEED):
    s = System("box on a slope", gravity=(0, 0, -G))
    s.ground_look = [RAMP]
    centre = tuple(SIZES[2] / 2 * np.array(NORMAL))
    pushed = tuple(speed * np.array(UP))
    box = s.body("box", MASS, shape=Box(*SIZES), position=centre, orientation=("y", -SLOPE), velocity=pushed)
    s.contact("slope", box, (s.ground, Plane(normal=NORMAL)), friction=friction, static=static)
    return s


def exact(t):
    t = np.asarray(t, float)
    slides = np.minimum(t, STOPS)
    return {"distance": SPEED * slides - LOSES * slides**2 / 2, "speed": SPEED - LOSES * slides}


def distance(run):
    return np.asarray(run["box.position"]) @ np.array(UP)


def speed(run):
    return np.asarray(run["box.velocity"]) @ np.array(UP)


def total(channel):
    """Of the four corners below."""
    return lambda run: sum(np.asarray(run[f"slope.{corner}.{channel}"]) for corner in (1, 3, 5, 7))


READ = {"distance": distance, "speed": speed}
mechanisms = [
    Mechanism(
        name="box_on_slope",
        title="box pushed up a rough slope on four corners: it slides, stops and stays",
        source=SOURCE,
        system=system,
        t_end=1.0,
        options={"rtol": 1e-12, "atol": 1e-13},
        checks=(
            *checks_of(exact, (0.1, 0.3, 0.5, 1.0), READ, 1e-12, "closed form; a motion of second degree"),
            *(
                Check(
                    "normal force of all corners", t, total("force"), MASS * G * np.cos(SLOPE), 1e-9, why="its weight"
                )
                for t in (0.1, 1.0)
            ),
        ),
        exact=exact,
    )
]
