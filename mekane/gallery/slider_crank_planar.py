"""Planar slider-crank with equal links and a massless slider, through the position where the slider passes the crank's
pivot.

There the mechanism could also go on as one double link turning about the pivot. The motion that keeps on sliding is
(2/3 + 2 sin²θ) θ̈ + 2 sin θ cos θ θ̇² + g cos θ = 0.
"""

import numpy as np

from mekane.gallery.entry import Mechanism, checks
from mekane.model.system import System

SOURCE = "a common test of singular positions, data chosen for this gallery; reference from the reduced equation"
MASS, LENGTH, G = 1.0, 1.0, 9.81
ACROSS, AXIAL = MASS * LENGTH**2 / 12, 1e-3  # inertia [kg m^2]; the planar motion does not feel the axial one
START, SPEED = np.pi / 4, -4.0  # crank angle; velocity of the slider [m/s]


def system():
    s = System("slider-crank", gravity=(0, -G, 0))
    knee = LENGTH * np.array([np.cos(START), np.sin(START), 0])
    foot = np.array([2 * knee[0], 0, 0])
    crank = s.body("crank", MASS, (AXIAL, ACROSS, ACROSS), position=knee / 2, orientation=("z", START))
    rod = s.body("rod", MASS, (AXIAL, ACROSS, ACROSS), position=(knee + foot) / 2, orientation=("z", -START))
    block = s.body("slider", massless=True, position=foot)
    s.pin("pivot", s.ground, crank, on_a=(0, 0, 0), on_b=(-LENGTH / 2, 0, 0), axis_a="z", axis_b="z")  # θ
    s.pin("knee", crank, rod, at=knee, axis="z")
    s.pin("foot", rod, block, at=foot, axis="z")
    s.slider("guide", s.ground, block, on_a=(0, 0, 0), on_b=(0, 0, 0), axis_a="x", axis_b="x", rate=SPEED)
    return s


def equation(t, y):
    """Rate of (θ, θ̇) on the branch that keeps on sliding."""
    theta, rate = y
    s, c = np.sin(theta), np.cos(theta)
    return [rate, -(2 * s * c * rate**2 + G * c) / (2 / 3 + 2 * s * s)]


mechanisms = [
    Mechanism(
        name="slider_crank_planar",
        title="planar slider-crank with equal links, through its singular position",
        source=SOURCE,
        system=system,
        t_end=10.0,
        every=0.02,
        checks=checks(
            """
            t    theta              rate               x
            0.5  1.755519661042824  1.745655886728840  -0.36734916338899
            1    3.362750156484193  6.426780897052373  -1.9512883884134
            2    7.572996140340270  1.823557547462254  0.55460525645883
            5    18.08640293194923  5.013138067699501  1.4453204985533
            10   35.56865408939299  4.565490372399488  -1.0617986193655
            """,
            {"theta": "pivot.angle", "rate": "pivot.angle.rate", "x": "slider.position.x"},
            tolerance=1e-5,
            why="the reduced equation; every singular position crossed (twelve in ten seconds) costs digits",
        ),
    )
]
