"""Spatial slider-crank: the crank turns across the line of the slider, joined by a rod with a ball at one end and a
universal joint at the other. One degree of freedom, no redundancy.
"""

import numpy as np

from mekane.gallery.entry import Mechanism, checks
from mekane.gallery.looks import DARK, STEEL, bar, block
from mekane.model.system import System

SOURCE = "E. J. Haug, Computer Aided Kinematics and Dynamics (1989); IFToMM library of benchmark problems, rigid slider-crank"
CRANK, ROD = 0.08, 0.3  # lengths [m]
A = np.array([0.0, 0.1, 0.12])  # pivot of the crank, which turns about X
SPEED, G = 6.0, 9.81  # of the crank [rad/s]
MASSES = {"crank": 0.12, "rod": 0.5, "slider": 2.0}  # [kg]
# y along crank and rod [kg m^2]
INERTIA = {"crank": (1e-4, 1e-5, 1e-4), "rod": (4e-3, 4e-4, 4e-3), "slider": (1e-4, 1e-4, 1e-4)}
START = 0.2  # of the slider on the X axis [m]
FOOT = -0.06  # height of the board
STAND = [  # a column for the crank, two feet for the rail
    block((0.44, 0.26, 0.012), (0.14, 0.05, FOOT), "#7d8894"),
    block((0.02, 0.05, A[2] - FOOT), (-0.05, A[1], (A[2] + FOOT) / 2), "#9aa5b0"),
    bar(A - (0.065, 0, 0), A - (0.01, 0, 0), 0.016, DARK),
    bar((-0.03, 0, 0), (0.34, 0, 0), 0.0045, STEEL),
    *(block((0.016, 0.03, -FOOT), (x, 0, FOOT / 2), "#9aa5b0") for x in (-0.03, 0.34)),
]


def system():
    s = System("spatial slider-crank", gravity=(0, 0, -G))
    s.ground_look = STAND
    B, C = crank_pin(0.0), np.array([START, 0, 0])
    crank = s.body(
        "crank", MASSES["crank"], INERTIA["crank"], position=(A + B) / 2, orientation={"y": (0, 0, 1), "x": (1, 0, 0)}
    )
    rod = s.body("rod", MASSES["rod"], INERTIA["rod"], position=(B + C) / 2, orientation=rod_axes(0.0))
    slider = s.body("slider", MASSES["slider"], INERTIA["slider"], position=C)
    s.pin("A", s.ground, crank, at=A, axis="x", rate=SPEED)
    s.ball("B", crank, rod, at=B)
    s.universal("C", slider, rod, at=C, axis="x", axis2=rod_axes(0.0)[:, 0])
    s.slider("D", s.ground, slider, on_a=(0, 0, 0), on_b=(0, 0, 0), axis_a="x", axis_b="x")
    return s


def crank_pin(theta):
    """B, straight above A when θ = 0."""
    return A + CRANK * np.array([0.0, -np.sin(theta), np.cos(theta)])


def slider_place(theta):
    """Distance of the slider along X."""
    B = crank_pin(theta)
    return np.sqrt(ROD**2 - B[1] ** 2 - B[2] ** 2)


def rod_axes(theta):
    """Axes of the rod: y from C to B, x the arm of the universal joint, across the rod and X."""
    y = (crank_pin(theta) - np.array([slider_place(theta), 0, 0])) / ROD
    x = np.cross(y, (1.0, 0.0, 0.0))
    x = x / np.sqrt(x @ x)
    return np.stack([x, y, np.cross(x, y)], axis=1)


def energies(theta):
    """(m, V): kinetic energy is ½ m θ̇², V the potential one, from the kinematics above and nothing else.

    Velocities per θ̇ come from a complex step, exact to round-off.
    """
    h, step = 1e-30, theta + 1e-30j
    R, Rd = rod_axes(theta), rod_axes(step).imag / h
    W = Rd @ R.T
    w = R.T @ np.array([W[2, 1], W[0, 2], W[1, 0]])  # of the rod, in its axes
    slider_speed = slider_place(step).imag / h
    rod_speed = (crank_pin(step).imag / h + np.array([slider_speed, 0, 0])) / 2
    m = INERTIA["crank"][0] + MASSES["crank"] * (CRANK / 2) ** 2 + MASSES["rod"] * rod_speed @ rod_speed
    m += w @ (np.array(INERTIA["rod"]) * w) + MASSES["slider"] * slider_speed**2
    z = crank_pin(theta)[2]
    return m, G * (MASSES["crank"] * (A[2] + z) / 2 + MASSES["rod"] * z / 2)


def rate(theta):
    """θ̇ when the crank is at θ, from the energy."""
    (m0, V0), (m, V) = energies(0.0), energies(theta)
    return np.sqrt((m0 * SPEED**2 + 2 * (V0 - V)) / m)


mechanisms = [
    Mechanism(
        name="slider_crank_spatial",
        title="spatial rigid slider-crank",
        source=SOURCE,
        system=system,
        t_end=5.0,
        every=0.01,
        options={"rtol": 1e-11, "atol": 1e-13},
        checks=checks(
            """
            t    theta              rate               x
            0.5  5.58376255330730   14.40816081020038  0.18495262977780
            1    10.91359072986467  10.42759300041205  0.21172166139344
            2    21.07274452277648  22.58424002783251  0.28908519706714
            5    54.33333216831316  11.49499626504208  0.24071957372962
            """,
            {"theta": "A.angle", "rate": "A.angle.rate", "x": "slider.position.x"},
            tolerance=1e-8,
            why="one degree of freedom: time by quadrature of 1/θ̇ from the energy, good to 1e-13; a run at a tolerance of 1e-11",
        ),
    )
]
