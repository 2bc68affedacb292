"""Newton's cradle: balls of equal mass on a rail, the first of which arrives. What leaves depends on whether they touch.

Apart, however little, they collide one after the other: with e = 1 each passes all it has to the next, and the last one
leaves alone. Touching, three balls share one impact. Contact alone does not decide it; by Poisson in phases, all
contacts are compressed together and then expand with e times these impulses: −1/3, 2/3 and 2/3 of the speed for e = 1,
which keeps momentum and energy as well, and 0, 1/2 and 1/2 for e = 1/2.
"""

import numpy as np

from mekane.gallery.entry import Check, Mechanism
from mekane.gallery.looks import DARK, STEEL, ball, block, path, tube
from mekane.model.geometry.shapes import Sphere
from mekane.model.system import System

SOURCE = (
    "classical: momentum and energy of two balls; for those that touch, Glocker and Pfeiffer's impact in two phases"
)
RADIUS, SPEED, APART, AWAY = 0.1, 1.0, 0.1, 0.4  # [m], [m/s], between neighbours [m], the first from the second [m]

HEIGHT = 0.7  # of the rail on which the balls hang, as they are drawn
LOOK = [
    ball(RADIUS, (0, 0, 0), STEEL),
    *path([(0, -0.16, HEIGHT), (0, 0, RADIUS), (0, 0.16, HEIGHT), (0, -0.16, HEIGHT)], 0.006, DARK),
]


def frame(begin, end, low=-0.3, wide=0.16):
    """Two bars on four legs, on a board."""
    legs = [path([(x, y, low), (x, y, HEIGHT)], 0.016, STEEL) for x in (begin, end) for y in (-wide, wide)]
    bars = [tube((begin, y, HEIGHT), (end, y, HEIGHT), 0.016, STEEL) for y in (-wide, wide)]
    board = block((end - begin + 0.2, 2 * wide + 0.16, 0.05), ((begin + end) / 2, 0, low), "#7a5230")
    return [*bars, *(piece for leg in legs for piece in leg), board]


def system(n=5, apart=APART, e=1.0):
    s = System("Newton's cradle", gravity=(0, 0, 0))
    s.ground_look = frame(-AWAY - 0.2, n * (2 * RADIUS + apart) + 0.4)
    for k in range(n):
        x = k * (2 * RADIUS + apart) - (AWAY - apart if k == 0 else 0.0)
        s.body(f"ball {k + 1}", 1.0, shape=Sphere(RADIUS), position=(x, 0, 0), look=LOOK)
        s.slider(f"rail {k + 1}", s.ground, f"ball {k + 1}", at=(x, 0, HEIGHT), axis="x", rate=SPEED if k == 0 else 0.0)
    for k in range(n - 1):
        s.contact(f"hit {k + 1}", f"ball {k + 1}", f"ball {k + 2}", restitution=e)
    return s


def hits(run):
    """How many impacts there were, by then."""
    times = [line.time for line in run.events if line.kind == "impact"]
    return np.searchsorted(times, np.asarray(run.t) + 1e-9)


def speeds(at, found, why):
    return [
        Check(f"velocity of ball {k + 1}", at, f"ball {k + 1}.velocity.x", v, 1e-12, why=why)
        for k, v in enumerate(found)
    ]


OPTIONS = {"rtol": 1e-12, "atol": 1e-13}
mechanisms = [
    Mechanism(
        name="newtons_cradle",
        title="Newton's cradle, its balls a little apart: four impacts, the last ball leaves",
        source=SOURCE,
        system=system,
        t_end=1.0,
        options=OPTIONS,
        checks=(
            *speeds(0.45, (0.0, 1.0, 0.0, 0.0, 0.0), "after the first impact, at 0.4 s; round-off"),
            *speeds(1.0, (0.0, 0.0, 0.0, 0.0, 1.0), "equal masses exchange their speeds; round-off"),
            Check(
                "place of the last ball", 1.0, "ball 5.position.x", 4 * 0.3 + 0.3, 1e-12, why="from 0.7 s on at 1 m/s"
            ),
            Check("impacts", 1.0, hits, 4.0, 0.0, why="one after the other, 0.1 s apart"),
        ),
    ),
    Mechanism(
        name="newtons_cradle_touching",
        title="Newton's cradle of three balls, two of which touch: one impact for all",
        source=SOURCE,
        system=lambda: system(n=3, apart=0.0),
        t_end=1.0,
        options=OPTIONS,
        checks=(
            *speeds(1.0, (-1 / 3, 2 / 3, 2 / 3), "Poisson in phases; round-off"),
            Check("impacts", 1.0, hits, 1.0, 0.0, why="a single one"),
        ),
    ),
]
