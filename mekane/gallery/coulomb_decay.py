"""A block on a spring with dry friction: its amplitude falls by the same amount in each half cycle, and it stops.

While it slides one way it swings about μ m g/k to that side, so each half cycle, π √(m/k) long, takes 2 μ m g/k from the
amplitude. It stays at the first turning point within μ m g/k of the middle.
"""

import numpy as np

from mekane.gallery.entry import Check, Mechanism, checks_of
from mekane.gallery.looks import DARK, block
from mekane.model.geometry.shapes import Box
from mekane.model.geometry.surfaces import Plane
from mekane.model.system import System

SOURCE = "classical: Coulomb damping, a harmonic motion about another point in each half cycle"
MASS, STIFFNESS, MU, START, G = 1.0, 50.0, 0.25, 0.5, 9.81
OMEGA, SHIFT = np.sqrt(STIFFNESS / MASS), MU * MASS * G / STIFFNESS  # 0.04905 m
HALVES = 5  # half cycles: 0.5 − 5 × 0.0981 = 0.0095 m is less than SHIFT
STOPS, STAYS = HALVES * np.pi / OMEGA, (-1) ** HALVES * (START - 2 * HALVES * SHIFT)  # 2.2214414690791831 s, −0.0095 m
SIZE, LENGTH = 0.1, 0.8  # of the block that is drawn, of the spring at rest [m]
TABLE = [
    block((1.65, 0.4, 0.04), (-0.1, 0, -0.02), "#a97c4f"),
    block((0.06, 0.4, 0.24), (-LENGTH - 0.09, 0, 0.08), DARK),
]


def system(friction=MU):
    s = System("Coulomb damping", gravity=(0, 0, -G))
    shape = Box(SIZE, SIZE, SIZE, at=(0, 0, SIZE / 2))
    block = s.body("block", MASS, (1e-3, 1e-3, 1e-3), com=(0, 0, 0), shape=shape, position=(START, 0, 0))
    s.spring("spring", (s.ground, (-LENGTH, 0, 0)), (block, (0, 0, 0)), STIFFNESS, LENGTH)
    s.ground_look = TABLE
    s.contact("floor", (block, (0, 0, 0)), (s.ground, Plane()), friction=friction)
    return s


def exact(t):
    t = np.minimum(np.asarray(t, float), STOPS)
    half = np.minimum(np.floor(t * OMEGA / np.pi), HALVES - 1)
    side = np.where(half % 2 == 0, 1.0, -1.0)
    swing = START - (2 * half + 1) * SHIFT  # amplitude about the shifted middle
    turned = OMEGA * t - half * np.pi
    return {
        "x": side * (SHIFT + swing * np.cos(turned)),
        "velocity": -side * swing * OMEGA * np.sin(turned),
        "heat": STIFFNESS / 2 * (START**2 - (SHIFT + swing * np.cos(turned)) ** 2)
        - MASS / 2 * (swing * OMEGA * np.sin(turned)) ** 2,
    }


READ = {"x": "block.position.x", "velocity": "block.velocity.x", "heat": "floor.heat"}
mechanisms = [
    Mechanism(
        name="coulomb_decay",
        title="block on a spring with dry friction: five half cycles, then it stays",
        source=SOURCE,
        system=system,
        t_end=3.0,
        every=0.02,
        options={"rtol": 1e-12, "atol": 1e-13},
        checks=(
            *checks_of(
                exact, (0.2, 0.7, 1.2, 2.0, 2.2, 3.0), READ, 1e-10, "closed form, from turning point to turning point"
            ),
            Check("mode: it sticks", 3.0, "floor.mode", 2.0, 0.0, why="0.0095 m is less than μ m g/k"),
            Check(
                "friction while it stays [N]",
                3.0,
                lambda run: np.abs(run["floor.friction"]),
                STIFFNESS * abs(STAYS),
                1e-10,
                why="that of the spring",
            ),
        ),
        exact=exact,
    )
]
