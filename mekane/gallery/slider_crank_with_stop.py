"""A slider-crank whose piston meets a rigid stop with e = 1/2: all its speeds change at once, and it goes back the way it
came, at half the speed.

With one degree of freedom and no weight, what hits the stop at one place is felt everywhere: each speed is multiplied by
−e, the energy by e². What follows is the motion before, backwards and slower: θ(t₁ + s) = θ(t₁ − e s). With the inertia
I(θ) that the crank feels, θ̇ = √(2 T/I(θ)).
"""

import numpy as np

from mekane.gallery.entry import Check, Mechanism
from mekane.gallery.looks import DARK, STEEL, bar, block
from mekane.model.geometry.shapes import Box, Rod
from mekane.model.system import System

SOURCE = "closed form: energy of one degree of freedom, time by quadrature; impact from momentum along it"
CRANK, ROD, E = 0.2, 0.5, 0.5  # lengths [m]
MASSES = (1.0, 2.0, 3.0)  # of crank, rod and piston [kg]
START, RATE = np.pi / 2, -10.0  # crank angle and its rate [rad/s]
HITS = np.pi / 6  # crank angle at which the piston meets the stop


def reach(angle):
    """Where the piston is, and by how much it moves with the angle."""
    s, c = np.sin(angle), np.cos(angle)
    along = np.sqrt(ROD**2 - (CRANK * s) ** 2)
    return CRANK * c + along, -CRANK * s - CRANK**2 * s * c / along


def inertia(angle):
    """I(θ): crank about its pivot, rod by its mass centre and its turning, piston."""
    s, c = np.sin(angle), np.cos(angle)
    along = np.sqrt(ROD**2 - (CRANK * s) ** 2)
    turn, slide = -CRANK * c / along, reach(angle)[1]
    middle = np.array([(-CRANK * s + slide) / 2, CRANK * c / 2])
    crank, rod, piston = MASSES
    return crank * CRANK**2 / 3 + rod * (middle @ middle + ROD**2 / 12 * turn**2) + piston * slide**2


FRAME = [  # a plate with the bearing of the crank, the guide of the piston, and the stop
    block((0.95, 0.5, 0.02), (0.25, 0, -0.13), "#9aa3ad"), bar((0, 0, -0.13), (0, 0, 0), 0.025, DARK),
    *(block((0.45, 0.02, 0.08), (0.53, side * 0.05, -0.08), STEEL) for side in (-1, 1)),
    block((0.04, 0.16, 0.17), (float(reach(HITS)[0]) + 0.07, 0, -0.045), "orange"),
]  # fmt: skip
ENERGY = inertia(START) * RATE**2 / 2


def system(e=E):
    s = System("slider-crank with a stop", gravity=(0, 0, 0))
    s.ground_look = FRAME
    knee, foot = CRANK * np.array([np.cos(START), np.sin(START), 0]), np.array([reach(START)[0], 0, 0])
    lean = np.arctan2(*(foot - knee)[1::-1])
    crank = s.body("crank", MASSES[0], shape=Rod(CRANK, axis="x"), position=knee / 2, orientation=("z", START))
    rod = s.body("rod", MASSES[1], shape=Rod(ROD, axis="x"), position=(knee + foot) / 2, orientation=("z", lean))
    piston = s.body("piston", MASSES[2], shape=Box(0.1, 0.08, 0.08), position=foot)
    s.pin("pivot", s.ground, crank, on_a=(0, 0, 0), on_b=(-CRANK / 2, 0, 0), axis_a="z", axis_b="z", rate=RATE)  # θ
    s.pin("knee", crank, rod, at=knee, axis="z")
    s.pin("foot", rod, piston, at=foot, axis="z")
    s.slider("guide", s.ground, piston, on_a=(0, 0, 0), on_b=(0, 0, 0), axis_a="x", axis_b="x")
    s.limit("stop", "guide", upper=float(reach(HITS)[0]), restitution=e)
    return s


def time_at(angle):
    """When the crank is there, on its way to the stop."""
    from scipy.integrate import quad

    return quad(lambda x: np.sqrt(inertia(x) / 2 / ENERGY), angle, START, epsabs=1e-14, epsrel=1e-14)[0]


IMPACT, AT_60, BACK_AT_60, BACK = 0.10199617437120975, 0.05449561666153836, 0.19699728979055253, 0.30598852311362923


def rate_at(angle):
    return RATE * np.sqrt(inertia(START) / inertia(angle))


def instant(run):
    return np.full(len(run.t), run.events[0].time)


WHY = "quadrature to 1e-14; a tolerance of 1e-12"
mechanisms = [
    Mechanism(
        name="slider_crank_with_stop",
        title="slider-crank whose piston meets a rigid stop and goes back at half the speed",
        source=SOURCE,
        system=system,
        t_end=0.4,
        options={"rtol": 1e-12, "atol": 1e-13},
        checks=(
            Check("crank angle on its way", AT_60, "pivot.angle", np.pi / 3, 1e-10, why=WHY),
            Check("its rate", AT_60, "pivot.angle.rate", rate_at(np.pi / 3), 1e-9, why=WHY),
            Check("time of the impact", 0.4, instant, IMPACT, 1e-11, why=WHY),
            Check("crank angle on its way back", BACK_AT_60, "pivot.angle", np.pi / 3, 1e-10, why=WHY),
            Check("its rate", BACK_AT_60, "pivot.angle.rate", -E * rate_at(np.pi / 3), 1e-9, why=WHY),
            Check("crank angle where it began", BACK, "pivot.angle", START, 1e-10, why=WHY),
            Check("its rate", BACK, "pivot.angle.rate", -E * RATE, 1e-9, why=WHY),
            Check(
                "energy that is left", 0.4, lambda run: np.asarray(run.energy["kinetic"]), E**2 * ENERGY, 1e-9, why="e²"
            ),
        ),
    )
]
