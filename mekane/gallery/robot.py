"""Five-degree-of-freedom robot: a column that lifts and turns, an arm that slides and turns in it, a hand pinned to the
arm.

The source gives the drive torque about the column in the last half second in two ways: its table has 240 Nm, its
printed listing was computed with the law of the second before. Both are here.
"""

import numpy as np

from mekane.gallery.entry import Mechanism, checks
from mekane.gallery.looks import DARK, STEEL, bar, block, tube
from mekane.model.system import System

SOURCE = (
    "Multibody Analysis using Kane's Equations (thesis), chapter VI; after Multibody Systems Handbook, five-axis robot"
)

BODIES = {  # name: mass [kg], principal inertia [kg m^2], distance from the column along the arm [m]
    "column": (250, (90, 10, 90), 0.0),
    "arm": (150, (13, 0.75, 13), 0.75),
    "hand": (100, (4, 1, 4.3), 1.3),
}
HEIGHT, ROTATION = 2.25, -np.pi / 6  # of the column and all it carries, at the start

DRIVES = {  # force or torque while t < 0.5 s, t < 1.5 s, and after
    "F1Z": ("6348", "4905", "3462"),  # lifts the column [N]
    "F2Y": ("36*t + 986", "-2", "-1019"),  # pushes the arm out of the column [N]
    "L1Z": ("673*t - 508", "148*exp(-5.5*(t - 0.5)) + 8", "240"),  # turns the column [N m]
    "L3X": ("63.5", "49.05", "34.6"),  # lifts the hand [N m]
}
LISTING_L1Z = (*DRIVES["L1Z"][:2], DRIVES["L1Z"][1])

LOOKS = {  # the arm is along y, as long as it slides out of the column's head; the column is a sleeve on the mast
    "column": {
        "color": "orange",
        "look": [
            bar((0, 0, -1.0), (0, 0, 0.35), 0.24),
            block((0.5, 0.7, 0.5), (0, 0, 0)),
            *(bar((0, 0, z), (0, 0, z + 0.1), 0.29, DARK) for z in (-1.05, 0.35)),
            *(block((0.42, 0.08, 0.42), (0, y, 0), DARK) for y in (-0.38, 0.38)),
        ],
    },
    "arm": {
        "color": "yellow",
        "look": [
            bar((0, -3.9, 0), (0, 0.42, 0), 0.12),
            bar((0, -4.0, 0), (0, -3.9, 0), 0.16, DARK),
            block((0.3, 0.12, 0.24), (0, 0.44, 0), DARK),
        ],
    },
    "hand": {
        "color": "silver",
        "look": [
            bar((-0.14, -0.05, 0), (0.14, -0.05, 0), 0.09, DARK),
            tube((0, -0.05, 0), (0, 0.2, 0), 0.07),
            block((0.36, 0.08, 0.14), (0, 0.24, 0)),
            *(block((0.06, 0.28, 0.12), (x, 0.4, 0), STEEL) for x in (-0.13, 0.13)),
        ],
    },
}  # fmt: skip
MAST = [  # bolted to the floor, as high as the column goes
    bar((0, 0, 0), (0, 0, 0.12), 0.75, DARK), bar((0, 0, 0.12), (0, 0, 0.55), 0.36, "#7d8894"), bar((0, 0, 0.55), (0, 0, 5.0), 0.15, STEEL),
    bar((0, 0, 5.0), (0, 0, 5.08), 0.2, DARK),
]  # fmt: skip


def system(drives=DRIVES):
    s = System("robot", gravity=(0, 0, -9.81))
    s.ground_look = MAST
    along = np.array([-np.sin(ROTATION), np.cos(ROTATION), 0.0])
    column, arm, hand = (
        s.body(
            name,
            mass,
            inertia,
            position=distance * along + (0, 0, HEIGHT),
            orientation=("z", ROTATION),
            **LOOKS[name],
        )
        for name, (mass, inertia, distance) in BODIES.items()
    )
    centre = (0, 0, 0)
    s.pin_slider("lift", s.ground, column, on_a=centre, on_b=centre, axis_a="z", axis_b="z")  # Z1, GA1
    s.pin_slider("reach", column, arm, on_a=centre, on_b=centre, axis_a="y", axis_b="y")  # Y2, BE2
    s.pin("wrist", arm, hand, on_a=(0, 0.5, 0), on_b=(0, -0.05, 0), axis_a="x", axis_b="x")  # AL3
    s.motor("F1Z", "lift", force=piecewise(drives["F1Z"]))
    s.motor("F2Y", "reach", force=piecewise(drives["F2Y"]))
    s.motor("L1Z", "lift", torque=piecewise(drives["L1Z"]))
    s.motor("L3X", "wrist", torque=piecewise(drives["L3X"]))
    return s


def piecewise(laws) -> str:
    first, second, third = laws
    return f"{first} if t < 0.5 else ({second} if t < 1.5 else {third})"


def listing_system():
    return system({**DRIVES, "L1Z": LISTING_L1Z})


READ = {
    "GA1": "lift.angle",
    "Z1": "lift.displacement",
    "BE2": "reach.angle",
    "Y2": "reach.displacement",
    "AL3": "wrist.angle",
}

CONVERGED = checks(
    """
    t     GA1            Z1        BE2            Y2        AL3
    0.50  -6.269975e-01  2.610743  -3.545175e-05  1.250889  6.562202e-04
    1.00  -6.995365e-01  3.332229  7.101579e-05   2.266383  2.087606e-03
    1.50  -7.293877e-01  4.053715  4.249892e-04   3.285234  3.516780e-03
    2.00  -7.396008e-01  4.414478  1.288365e-03   3.795059  2.248669e-03
    """,
    READ,
    tolerance=None,
    why="converged independently with error control at 1e-11; every printed digit counts",
)

LISTING = """
    t     GA1            Z1        BE2            Y2
    0.00  -5.235988e-01  2.250000  -              0.7500000
    0.25  -5.597794e-01  2.340186  -3.834335e-06  0.8740958
    0.50  -6.269979e-01  2.610743  -3.544857e-05  1.250889
    0.75  -6.729807e-01  2.971126  -2.474199e-05  1.757176
    1.00  -6.994844e-01  3.331508  7.130645e-05   2.265365
    1.25  -7.169501e-01  3.691890  2.256497e-04   2.774204
    1.50  -7.293284e-01  4.052272  4.251345e-04   3.283191
    1.75  -7.387116e-01  4.322113  6.597368e-04   3.664446
    2.00  -7.468163e-01  4.411592  9.113983e-04   3.791238
    """
WHY_LISTING = "printed in the thesis, Euler–Heun with h = 1 ms; an independent program meets it to 1.2e-5, BE2 (close to zero) to 4e-4"
LARGE = {name: READ[name] for name in ("GA1", "Z1", "Y2")}
SMALL = {"BE2": READ["BE2"]}
LISTED = checks(LISTING, LARGE, 2e-5, WHY_LISTING, relative=True) + checks(
    LISTING, SMALL, 1e-3, WHY_LISTING, relative=True
)

mechanisms = [
    Mechanism(
        name="robot",
        title="five-axis robot, drives of the thesis' table",
        source=SOURCE,
        system=system,
        t_end=2.0,
        every=0.01,
        checks=CONVERGED,
    ),
    Mechanism(
        name="robot_listing",
        title="five-axis robot as in the thesis' printed listing",
        source=SOURCE,
        system=listing_system,
        t_end=2.0,
        every=0.01,
        options={"method": "heun", "step": 1e-3, "formulation": "absolute"},
        checks=LISTED,
    ),
]
