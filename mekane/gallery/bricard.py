"""Bricard's mechanism A04: five rods and six hinges that by counting could not move, and do.

All hinges at odd places turn by θ, all at even places by −ψ, sin ψ = sin θ / (1 + sin θ).
"""

import numpy as np

from mekane.gallery.entry import Mechanism, checks
from mekane.gallery.looks import DARK, block
from mekane.model.geometry.shapes import Box
from mekane.model.system import System

SOURCE = "IFToMM library of benchmark problems, A04; exact kinematics, time by quadrature of the energy"
LENGTH, THICKNESS, MASS = 1.0, 0.1, 1.0
PERIOD = 4.99171151368872387  # θ from 0 to π and back

POINTS = [(0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1)]  # P1 … P6 at the start [m]
AXES = "yzxyzx"  # of the hinge at each of them
BEAM = [
    block((0.24, 0.12, 1.5), (0, 0.26, 0.5), "#8d97a2"),
    *(block((0.08, 0.2, 0.08), (0, 0.13, z), DARK) for z in (0, 1)),
]


def system():
    s = System("bricard", gravity=(0, -9.81, 0))
    s.ground_look = BEAM
    parts = [s.ground]
    for k in range(5):
        start, end = np.array(POINTS[k], float), np.array(POINTS[k + 1], float)
        edges = np.where(start != end, LENGTH, THICKNESS)
        parts.append(s.body(f"rod{k + 1}", MASS, position=(start + end) / 2, shape=Box(*edges)))
    parts.append(s.ground)
    for k in range(6):
        s.pin(f"P{k + 1}", parts[k], parts[k + 1], at=POINTS[k], axis=AXES[k])
    return s


def shape(theta):
    """P3 at the angle θ of the first hinge."""
    s = np.sin(theta) / (1 + np.sin(theta))
    return np.stack([np.cos(theta) / (1 + np.sin(theta)), -np.sqrt(1 - s * s), -s], axis=-1)


mechanisms = [
    Mechanism(
        name="bricard",
        title="Bricard's overconstrained mechanism A04",
        source=SOURCE,
        system=system,
        t_end=10.0,
        every=0.02,
        options={"rtol": 1e-11, "atol": 1e-13},
        checks=checks(
            """
            t    P3x                 P3y                 P3z
            0.5  0.77471780803923    -0.97981504765567   -0.19990615895344
            1    0.27448131926462    -0.88670793873467   -0.46233000268738
            2    -0.77813537303329   -0.98035268344326   -0.19725267061717
            3    -0.77128135896861   -0.97926932983980   -0.20256253265377
            5    0.99993274230212    -0.99999999773835   -6.7255436083961e-5
            7    -0.78491305660003   -0.98140358226090   -0.19195574678940
            10   0.99973098730384    -0.99999996382582   -0.00026897651224930
            """,
            {"P3x": "P3.point.x", "P3y": "P3.point.y", "P3z": "P3.point.z"},
            tolerance=1e-8,
            why="exact to the digits shown; two periods at a tolerance of 1e-11",
        ),
    )
]
