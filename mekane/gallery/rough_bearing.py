"""A pendulum in a rough journal bearing: it comes to rest after twenty-two half swings, and not at the bottom.

The friction torque is μ r times the force of the bearing, which the friction changes, too. For a point mass at l, with
ε = μ r / l and k = ε/√(1 − ε²), it is k l times the force along the rod, so that for a swing in the sense s

    l θ̈ = −g sin θ − s k (g cos θ + l θ̇²),

linear in θ̇² as a function of θ: each half swing has a closed form, and the next turning point is a root of it. A swing
ends for good where |tan θ| ≤ k, for there friction holds the weight.
"""

import numpy as np

from mekane.gallery.entry import Check, Mechanism
from mekane.model.system import System

SOURCE = "closed form: energy of each half swing, linear in the square of the rate; time by quadrature"
LENGTH, RADIUS, MU, START, G = 1.0, 0.05, 0.4, np.pi / 3, 9.81
EPSILON = MU * RADIUS / LENGTH
K = EPSILON / np.sqrt(1 - EPSILON**2)
TURNS = (  # instant, angle
    (1.0713389792032048, -0.97778465265318144),
    (2.1333874461660024, 0.91241020285569252),
    (3.1873774149776195, -0.85052636985780112),
)
REST, ANGLE = 22.499420696826162, -0.018925570699360809


def system():
    s = System("pendulum in a rough bearing", gravity=(0, 0, -G))
    place = LENGTH * np.array([np.sin(START), 0, -np.cos(START)])
    bob = s.body("bob", 1.0, position=place)
    s.pin("hinge", s.ground, bob, at=(0, 0, 0), axis=(0, -1, 0))
    s.bearing_friction("bearing", "hinge", friction=MU, radius=RADIUS)
    return s


def square_of_rate(angle, start):
    """θ̇² on the way from rest at `start`, in differences that keep its digits where it is small."""
    s = -np.sign(start)
    a, b = 1 - 2 * K**2, -3 * s * K
    middle, half = (angle + start) / 2, (angle - start) / 2
    grows = 2 * np.sin(half) * (b * np.cos(middle) - a * np.sin(middle))
    fades = (a * np.cos(start) + b * np.sin(start)) * np.expm1(-4 * s * K * half)
    return 2 * G / LENGTH / (1 + 4 * K**2) * (grows - fades)


def turning_point(start):
    """Where a half swing from `start` ends."""
    from scipy.optimize import brentq

    fastest = np.sign(start) * np.arctan(K)  # near it; beyond it the rate falls
    return brentq(square_of_rate, -start, fastest, args=(start,), xtol=1e-16, rtol=1e-15)


def duration(start):
    """Of the half swing from `start`: θ = middle + half cos x takes the roots of θ̇ away."""
    end = turning_point(start)
    middle, half = (start + end) / 2, (start - end) / 2
    nodes, weights = np.polynomial.legendre.leggauss(40)
    x = np.pi / 2 * (1 + nodes)
    return np.pi / 2 * weights @ (abs(half) * np.sin(x) / np.sqrt(square_of_rate(middle + half * np.cos(x), start)))


def swings():
    """Instants and angles of all turning points, the last of which is where it stays."""
    found, t, angle = [], 0.0, START
    while abs(np.tan(angle)) > K:
        t, angle = t + duration(angle), turning_point(angle)
        found.append((t, angle))
    return np.array(found)


def angle(run):
    """From the vertical."""
    return np.asarray(run["hinge.angle"]) + START


def rests(run):
    return np.full(len(run.t), run.events[-1].time)


WHY = "closed form of each half swing; a tolerance of 1e-12 over {} of them"
mechanisms = [
    Mechanism(
        name="rough_bearing",
        title="pendulum in a rough journal bearing, until friction holds it beside the bottom",
        source=SOURCE,
        system=system,
        t_end=25.0,
        options={"rtol": 1e-12, "atol": 1e-14},
        checks=(
            *(
                Check(f"angle at turn {n}", t, angle, turn, 1e-11, why=WHY.format(n))
                for n, (t, turn) in enumerate(TURNS, 1)
            ),
            *(
                Check(f"rate at turn {n}", t, "hinge.angle.rate", 0.0, 1e-10, why=WHY.format(n))
                for n, (t, _) in enumerate(TURNS, 1)
            ),
            Check("time of rest", 25.0, rests, REST, 1e-9, why=WHY.format(22)),
            Check("angle at rest", 25.0, angle, ANGLE, 1e-11, why=WHY.format(22)),
            Check(
                "heat of the bearing [J]",
                25.0,
                "bearing.heat",
                G * LENGTH * (np.cos(ANGLE) - np.cos(START)),
                1e-10,
                why="all that the bob has lost in height",
            ),
        ),
    )
]
