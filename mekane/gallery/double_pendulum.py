"""Double pendulum: two point masses on massless rods, both released from the horizontal. Chaotic in the long run."""

import numpy as np

from mekane.gallery.entry import Mechanism, checks
from mekane.model.system import System

SOURCE = "classical; reference by extrapolation in 30 digits (local error below 3e-24)"
MASS, LENGTH = 1.0, 1.0


def system():
    s = System("double pendulum", gravity=(0, -9.81, 0))
    level = ("z", np.pi / 2)  # a rod that hangs down has its mass at −y; turned like this it lies along +x
    upper = s.body("upper", MASS, position=(LENGTH, 0, 0), orientation=level)
    lower = s.body("lower", MASS, position=(2 * LENGTH, 0, 0), orientation=level)
    s.pin("shoulder", s.ground, upper, on_a=(0, 0, 0), on_b=(0, LENGTH, 0), axis_a="z", axis_b="z")
    s.pin("elbow", upper, lower, on_a=(0, 0, 0), on_b=(0, LENGTH, 0), axis_a="z", axis_b="z")
    return s


def lower_angle(run):
    return np.asarray(run["shoulder.angle"]) + np.asarray(run["elbow.angle"])


def lower_rate(run):
    return np.asarray(run["shoulder.angle.rate"]) + np.asarray(run["elbow.angle.rate"])


mechanisms = [
    Mechanism(
        name="double_pendulum",
        title="double pendulum of point masses, both rods released from the horizontal",
        source=SOURCE,
        system=system,
        t_end=10.0,
        every=0.02,
        options={"rtol": 1e-12, "atol": 1e-14},
        checks=checks(
            """
            t   theta1                 theta2                 rate1                 rate2
            1   -0.62508769980639063   -1.03458508568001234   -3.92227957288797662  -1.30309924869633124
            2   -0.482971534251754377  -1.32404871230236255   3.06528819207340132   2.94927154757161898
            5   -0.62718670506653073   -1.30131555020981168   2.12540867384291065   3.88188872726560744
            10  -0.568474664015950189  -0.526393727932404698  6.07838488576196485   -9.68136068170887876
            """,
            {"theta1": "shoulder.angle", "theta2": lower_angle, "rate1": "shoulder.angle.rate", "rate2": lower_rate},
            tolerance=1e-7,
            why="30-digit reference; an error of 1e-12 grows by about 1e4 in ten seconds of this motion",
        ),
    )
]
