"""A tappet that leaves its cam: above a certain speed the spring cannot press it on any more.

The cam is a circle that turns about a point beside its centre, the tappet is flat: its lift is a sin Ωt, pure harmonic. The
cam can push, not pull. Its force is m g + F + (k − m Ω²) a sin Ωt, F the spring's force in the middle of the lift, so that
the tappet stays on up to Ω² = k/m + (m g + F)/(m a). Here it turns faster. At sin Ωt = (m g + F)/((m Ω² − k) a) the tappet
takes off, smoothly; it flies as a mass on a spring does, lands with a bang, which is an impact without rebound, and does so
once in every turn. This is what limits the speed of an engine whose valves are closed by springs.
"""

import numpy as np

from mekane.gallery.entry import Check, Mechanism, checks_of
from mekane.gallery.looks import DARK, STEEL, bar, block
from mekane.model.geometry.shapes import Box, Cylinder, Sphere
from mekane.model.geometry.surfaces import Plane
from mekane.model.system import System

SOURCE = (
    "closed form: harmonic lift, free vibration of the tappet; the instant of landing is a root of their difference"
)
RADIUS, ECCENTRIC = 0.02, 0.006  # of the cam: radius, distance of its centre from the shaft [m]
CAM, MASS, STIFFNESS, PRELOAD, G = 0.1, 0.2, 2000.0, 20.0, 9.81  # cam, tappet [kg], spring [N/m], in the middle [N]
SPEED = 200.0  # of the cam [rad/s]
TURN = 2 * np.pi / SPEED
LOAD = MASS * G + PRELOAD
CRITICAL = np.sqrt(STIFFNESS / MASS + LOAD / (MASS * ECCENTRIC))  # 168.4 rad/s
TOP, FOOT = 0.1, -0.05  # of the spring, of the board [m]
STAND = [  # a column behind the cam, an arm over it that holds the spring
    block((0.09, 0.07, 0.006), (0, 0.01, FOOT), "#7d8894"),
    block((0.022, 0.008, TOP - FOOT), (0, 0.028, (TOP + FOOT) / 2), "#9aa5b0"),
    block((0.022, 0.04, 0.008), (0, 0.012, TOP + 0.004), "#9aa5b0"),
    bar((0, 0.006, 0), (0, 0.03, 0), 0.006, STEEL),
]
TAPPET = [
    bar((0, 0, 0), (0, 0, 0.006), RADIUS, "#c8453a"),
    bar((0, 0, 0.006), (0, 0, 0.05), 0.0025, STEEL),
    bar((0, 0, 0.006), (0, 0, 0.01), 0.008, DARK),
]


def system(speed=SPEED):
    s = System("cam that throws its tappet", gravity=(0, 0, -G))
    s.ground_look = STAND
    disc = Cylinder(RADIUS, 0.01, axis="y", at=(ECCENTRIC, 0, 0))
    cam = s.body("cam", CAM, shape=disc)
    tappet = s.body(
        "tappet",
        MASS,
        shape=Box(0.04, 0.02, 0.01, at=(0, 0, 0.005)),
        look=TAPPET,
        position=(0, 0, RADIUS),
        velocity=(0, 0, ECCENTRIC * speed),
    )
    s.pin("shaft", s.ground, cam, at=(0, 0, 0), axis=(0, -1, 0), rate=speed)
    s.slider("guide", s.ground, tappet, on_a=(0, 0, RADIUS), on_b=(0, 0, 0), axis_a="z", axis_b="z")
    s.prescribed("drive", "shaft", f"{speed}*t")
    s.spring("spring", (s.ground, (0, 0, TOP)), tappet, STIFFNESS, TOP - RADIUS + PRELOAD / STIFFNESS)
    crowned = Sphere(RADIUS, at=(ECCENTRIC, 0, 0))  # touches a flat tappet at one point
    s.contact("face", (cam, crowned), (tappet, Plane(normal="-z")))
    return s


# ---------------------------------------------------------------- closed form

TAKES_OFF = np.arcsin(LOAD / ((MASS * SPEED**2 - STIFFNESS) * ECCENTRIC)) / SPEED


def flight(t):
    """Lift and speed of the tappet, t seconds after it took off."""
    w, sag = np.sqrt(STIFFNESS / MASS), LOAD / STIFFNESS
    lift, rate = ECCENTRIC * np.sin(SPEED * TAKES_OFF), ECCENTRIC * SPEED * np.cos(SPEED * TAKES_OFF)
    s, c = np.sin(w * t), np.cos(w * t)
    return (lift + sag) * c + rate / w * s - sag, rate * c - w * (lift + sag) * s


def landing():
    """The instant of the first landing, by halving until no float is between."""
    gap = lambda t: flight(t - TAKES_OFF)[0] - ECCENTRIC * np.sin(SPEED * t)
    above, below = TAKES_OFF + TURN / 4, TAKES_OFF + TURN
    while above < (middle := (above + below) / 2) < below:
        above, below = (middle, below) if gap(middle) > 0 else (above, middle)
    return below


LANDS = landing()
BANG = MASS * (ECCENTRIC * SPEED * np.cos(SPEED * LANDS) - flight(LANDS - TAKES_OFF)[1])  # impulse of landing [N s]


def exact(t):
    """Lift and its rate, force of the cam, torque of the drive."""
    since = np.asarray(t, float) % TURN
    flies = (since > TAKES_OFF) & (since < LANDS)
    lift, rate = ECCENTRIC * np.sin(SPEED * since), ECCENTRIC * SPEED * np.cos(SPEED * since)
    free = flight(since - TAKES_OFF)
    force = np.where(flies, 0.0, LOAD + (STIFFNESS - MASS * SPEED**2) * lift)
    return {
        "lift": np.where(flies, free[0], lift),
        "rate": np.where(flies, free[1], rate),
        "force": force,
        "torque": (force + CAM * G) * ECCENTRIC * np.cos(SPEED * since),
    }


def nth(n, kind, quantity):
    """A number of the n-th event of a kind, at every sample."""

    def read(run):
        found = [line for line in run.events if line.kind == kind and "face.mode" in line.changes]
        return np.full(len(run.t), quantity(found[n]))

    return read


READ = {
    "lift": "guide.displacement",
    "rate": "guide.displacement.rate",
    "force": "face.force",
    "torque": lambda run: -run.reaction("drive", on="cam")["moment"].values[:, 1],
}
mechanisms = [
    Mechanism(
        name="cam_lift_off",
        title="cam that turns too fast for its spring: the tappet takes off and lands in every turn",
        source=SOURCE,
        system=system,
        t_end=float(4 * TURN),
        options={"rtol": 1e-12, "atol": 1e-14},
        checks=(
            *checks_of(
                exact,
                (0.002, 0.006, 0.012, 0.05, 0.11),
                READ,
                1e-10,
                "closed form; forces of 20 N over speeds of 1 m/s",
            ),
            Check(
                "third landing",
                float(4 * TURN),
                nth(2, "impact", lambda line: line.time),
                2 * TURN + LANDS,
                1e-12,
                why="a root",
            ),
            Check(
                "its impulse [N s]",
                float(4 * TURN),
                nth(2, "impact", lambda line: line.contact_impulses["face"][0]),
                BANG,
                1e-11,
                why="mass × the difference of speeds",
            ),
        ),
        exact=exact,
    )
]
