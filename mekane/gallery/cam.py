"""Cam and follower: a disc whose rim is a curve turns in a given motion, a follower's tip stays on it, pressed down by
a spring."""

import numpy as np

from mekane.gallery.entry import Mechanism, checks_of
from mekane.gallery.looks import DARK, STEEL, ball, bar, block
from mekane.gallery.reading import of_constraint
from mekane.model.system import System

SOURCE = "closed form: the follower's lift is the curve itself; torque from virtual power"
BASE, LIFT, LOBES = 0.1, 0.02, 2  # the rim: r = BASE + LIFT cos(LOBES θ) [m]
# kg, kg m², N/m, m, height of the spring's upper end
FOLLOWER, CAM, SPRING, FREE, TOP, G = 0.4, 3e-3, 400.0, 0.3, 0.35, 9.81
SPEED, SWING = 12.0, 0.5  # cam angle: SPEED t + SWING (1 − cos t)
FOOT = -0.2  # height of the board
STAND = [  # a column behind the cam, an arm over it that holds the spring
    block((0.34, 0.02, 0.22), (0, FOOT, -0.02), "#7d8894"),
    block((0.07, TOP - FOOT, 0.025), (0, (TOP + FOOT) / 2, -0.075), "#9aa5b0"),
    block((0.07, 0.025, 0.12), (0, TOP + 0.0125, -0.03), "#9aa5b0"),
    bar((0, 0, -0.075), (0, 0, -0.012), 0.022, STEEL),
]
TAPPET = [
    ball(0.025, (0, 0.025, 0), "#c8453a"),
    bar((0, 0.02, 0), (0, 0.2, 0), 0.009, STEEL),
    bar((0, 0.05, 0), (0, 0.058, 0), 0.03, DARK),
]


def system():
    s = System("cam", gravity=(0, -G, 0))
    s.ground_look = STAND
    s.body("cam", 2.0, (CAM / 2, CAM / 2, CAM), angular_velocity=(0, 0, SPEED))
    height, speed = (float(lift(np.zeros(1))[i][0]) for i in (0, 1))
    s.body("follower", FOLLOWER, (1e-4, 1e-4, 1e-4), position=(0, height, 0), velocity=(0, speed, 0), look=TAPPET)
    s.pin("shaft", s.ground, "cam", on_a=(0, 0, 0), on_b=(0, 0, 0), axis_a="z", axis_b="z", rate=SPEED)
    s.slider("guide", s.ground, "follower", on_a=(0, 0, 0), on_b=(0, 0, 0), axis_a="y", axis_b="y")
    s.prescribed("drive", "shaft", f"{SPEED}*t + {SWING}*(1 - cos(t))")
    s.point_on_curve("rim", ("follower", (0, 0, 0)), f"r - ({BASE} + {LIFT}*cos({LOBES}*theta))", on=("cam", (0, 0, 0)))
    s.spring("spring", (s.ground, (0, TOP, 0)), ("follower", (0, 0, 0)), SPRING, FREE)
    return s


def lift(t):
    """Height of the follower, its speed and acceleration, and its slope: metres per radian of the cam. It sees the rim
    at θ = π/2 − φ."""
    phi, rate, rate2 = SPEED * t + SWING * (1 - np.cos(t)), SPEED + SWING * np.sin(t), SWING * np.cos(t)
    theta = LOBES * (np.pi / 2 - phi)
    y, slope, bend = BASE + LIFT * np.cos(theta), LIFT * LOBES * np.sin(theta), -LIFT * LOBES**2 * np.cos(theta)
    return y, slope * rate, bend * rate**2 + slope * rate2, slope, rate2


def exact(t):
    """Height, the rim's push up on the follower, and the torque of the drive."""
    y, speed, up, slope, rate2 = lift(t)
    push = FOLLOWER * (up + G) + SPRING * (y - (TOP - FREE))
    return {"height": y, "speed": speed, "push": push, "torque": CAM * rate2 + push * slope}


READ = {
    "height": "guide.displacement",
    "speed": "guide.displacement.rate",
    "push": lambda run: of_constraint(run, "rim", "follower")[:, 1],
    "torque": lambda run: run.reaction("drive", on="cam")["moment"].values[:, 2],
}

mechanisms = [
    Mechanism(
        name="cam",
        title="cam with two lobes, driven in a given motion, and its follower",
        source=SOURCE,
        system=system,
        t_end=3.0,
        every=0.01,
        options={"rtol": 1e-11, "atol": 1e-13},
        checks=checks_of(
            exact,
            (0.0, 0.3, 1.0, 3.0),
            READ,
            1e-9,
            "closed form; the drive leaves no freedom, so that nothing can grow",
        ),
        exact=exact,
    )
]
