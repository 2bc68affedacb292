"""Two-bar truss of von Mises: two sprung bars and an apex that is guided up and down. Its limit load is a classic of
snap-through.

With a half width a and bars of natural length L0 and stiffness k, the load borne at height w is F = 2 k w (L0/L − 1),
L² = a² + w².
"""

import numpy as np

from mekane.gallery.entry import Check, Mechanism
from mekane.gallery.looks import DARK, STEEL, bar, block
from mekane.model.system import System

SOURCE = "von Mises 1923; closed forms: F(w) above, limit load 2 k (L0^(2/3) − a^(2/3))^(3/2), energy of the motion"
WIDTH, HEIGHT, STIFFNESS, MASS, LOAD = 1.0, 0.3, 1000.0, 1.0, 12.0  # [m], [m], [N/m], [kg], [N]
FREE = np.hypot(WIDTH, HEIGHT)
APEX = [bar((0, -0.09, 0), (0, 0.09, 0), 0.05, STEEL), block((0.12, 0.05, 0.12), (0, 0, 0), "orange")]
WALLS = [  # two abutments, and the guide of the apex
    *(block((0.16, 0.3, 0.95), (side * (WIDTH + 0.12), 0, -0.225), "#9aa3ad") for side in (-1, 1)),
    *(bar((side * WIDTH, -0.08, 0), (side * WIDTH, 0.08, 0), 0.05, DARK) for side in (-1, 1)),
    *(block((0.03, 0.03, 1.3), (side * 0.085, 0, -0.05), STEEL) for side in (-1, 1)),
    block((2.6, 0.4, 0.05), (0, 0, -0.725), "#7d8894"),
]


def system(load=LOAD):
    s = System("two-bar truss", gravity=(0, 0, 0), planar="xz", parameters={"load": load})
    s.ground_look = WALLS
    apex = s.body("apex", MASS, position=(0, 0, HEIGHT), look=APEX)
    s.slider("guide", s.ground, apex, at=(0, 0, HEIGHT), axis="z")
    for name, x in (("left", -WIDTH), ("right", WIDTH)):
        s.spring(name, (s.ground, (x, 0, 0)), (apex, (0, 0, 0)), STIFFNESS, FREE, look="rod")
    s.force("weight", apex, (0, 0, "-load"))
    return s


def borne(w):
    """The load that the bars bear with the apex at height w."""
    return 2 * STIFFNESS * w * (FREE / np.hypot(WIDTH, w) - 1)


def limit_load():
    return 2 * STIFFNESS * (FREE ** (2 / 3) - WIDTH ** (2 / 3)) ** 1.5


def energy_gained(run):
    """Kinetic energy, that of both bars, and of the load: zero at the start."""
    w, v = np.asarray(run["apex.position.z"]), np.asarray(run["apex.velocity.z"])
    return MASS * v**2 / 2 + STIFFNESS * (np.hypot(WIDTH, w) - FREE) ** 2 + LOAD * (w - HEIGHT)


def push(run):
    """Acceleration less what bars and load give."""
    w = np.asarray(run["apex.position.z"])
    return MASS * np.asarray(run["apex.acceleration.z"]) + LOAD - borne(w)


mechanisms = [
    Mechanism(
        name="two_bar_truss",
        title="two-bar truss that snaps through under more than its limit load",
        source=SOURCE,
        system=system,
        t_end=1.0,
        options={"rtol": 1e-12, "atol": 1e-13},
        checks=(
            *(
                Check("energy gained", t, energy_gained, 0.0, 1e-9, why="conservative; a tolerance of 1e-12")
                for t in (0.2, 0.5, 1.0)
            ),
            *(
                Check("m a + load − F(w)", t, push, 0.0, 1e-9, why="closed form, nothing but round-off")
                for t in (0.0, 0.5, 1.0)
            ),
        ),
    )
]
