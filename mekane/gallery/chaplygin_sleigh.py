"""Chaplygin's sleigh: a body that slides on ice on one blade, which is behind its mass centre and does not move sideways.

It conserves energy and yet always ends up sliding straight, mass centre ahead: the classical motion that forgets its start.
"""

import numpy as np

from mekane.gallery.entry import Mechanism, checks
from mekane.gallery.reading import of_constraint, plane_angle, rotations
from mekane.model.system import System

SOURCE = "closed form; place of the blade by quadrature of it in 30 digits"
MASS, INERTIA, BEHIND = 1.0, 1.0, 0.5  # about the mass centre [kg m²]; blade from the mass centre [m]
SPEED, RATE = 0.5, 1.0  # of the blade along itself [m/s]; of turning [rad/s]


def system():
    s = System("Chaplygin sleigh", gravity=(0, 0, 0))
    sleigh = s.body("sleigh", MASS, (INERTIA / 2, INERTIA / 2, INERTIA), position=(BEHIND, 0, 0),
                    velocity=(SPEED, BEHIND * RATE, 0), angular_velocity=(0, 0, RATE))  # fmt: skip
    s.planar("ice", s.ground, sleigh, on_a=(0, 0, 0), on_b=(0, 0, 0), normal_a="z", normal_b="z")
    s.knife_edge("blade", (sleigh, (-BEHIND, 0, 0)), along="x")
    return s


def exact(t):
    """Speed along the blade, rate of turning, heading, and the force across the blade: hyperbolic functions of time."""
    J = INERTIA + MASS * BEHIND**2
    twice = MASS * SPEED**2 + J * RATE**2  # twice the energy
    V, W = np.sqrt(twice / MASS), np.sqrt(twice / J)
    k = MASS * BEHIND * V / J
    tau = k * t + np.arctanh(SPEED / V)
    v, w = V * np.tanh(tau), W / np.cosh(tau)
    gd = lambda x: 2 * np.arctan(np.tanh(x / 2))
    return {"v": v, "w": w, "heading": W / k * (gd(tau) - gd(np.arctanh(SPEED / V))), "force": MASS * INERTIA / J * v * w}


def blade(run):
    """Place of the blade."""
    return np.asarray(run["sleigh.position"]) - BEHIND * rotations(run, "sleigh")[:, :, 0]


def along_blade(run):
    return np.einsum("ti,ti->t", run["sleigh.velocity"], rotations(run, "sleigh")[:, :, 0])


def across_blade(run):
    return np.einsum("ti,ti->t", of_constraint(run, "blade", "sleigh"), rotations(run, "sleigh")[:, :, 1])


READ = {
    "v": along_blade,
    "w": "sleigh.angular_velocity.z",
    "heading": plane_angle("sleigh"),
    "force": across_blade,
    "x": lambda run: blade(run)[:, 0],
    "y": lambda run: blade(run)[:, 1],
}

mechanisms = [
    Mechanism(
        name="chaplygin_sleigh",
        title="Chaplygin's sleigh: a blade behind the mass centre",
        source=SOURCE,
        system=system,
        t_end=20.0,
        every=0.1,
        options={"rtol": 1e-12, "atol": 1e-14},
        checks=checks(
            """
            t   v                    w                     heading              x                     y                    force
            1   0.89100727938903125  0.751588200054129     0.88133100368661319  0.60637942662362705   0.33342992832445141  0.53573644588090275
            2   1.0878104841433359   0.50332363392778694   1.5045699790057758   0.9415978523547522    1.2611920543645477   0.43801658072301527
            5   1.217096341814314    0.12223418422753774   2.3220338248557512   -0.53762136058336683  4.3726359985632745   0.11901662277439449
            10  1.2246876805801313   0.010586218787019016  2.5504546399825933   -5.3494094265402831   8.1281301295626137   0.010371849385910504
            20  1.2247448682137135   7.89134893757819e-5   2.5719029234669285   -15.634454481210812   14.777351538797442   7.7319112916661028e-5
            """,
            READ,
            tolerance=1e-9,
            why="closed form; a run at a tolerance of 1e-12",
        ),
        exact=exact,
    )
]
