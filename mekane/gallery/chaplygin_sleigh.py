"""Chaplygin's sleigh: a body that slides on ice on one knife edge, which is behind its mass centre and does not move
sideways.

It conserves energy and yet always ends up sliding straight, mass centre ahead: the classical motion that forgets its
start.
"""

import numpy as np

from mekane.gallery.entry import Mechanism, checks
from mekane.gallery.looks import DARK, STEEL, ball, block, tube
from mekane.gallery.reading import of_constraint, plane_angle, rotations
from mekane.model.system import System

SOURCE = "closed form; place of the knife edge by quadrature of it in 30 digits"
MASS, INERTIA, BEHIND = 1.0, 1.0, 0.5  # about the mass centre [kg m²]; knife edge from the mass centre [m]
SPEED, RATE = 0.5, 1.0  # of the knife edge along itself [m/s]; of turning [rad/s]
LOOK = {  # a knife edge at the back, two balls that slide at the front
    "colour": "red",
    "solids": [
        block((0.3, 0.02, 0.1), (-BEHIND, 0, 0.05), STEEL),
        tube((-BEHIND, 0, 0.14), (0.45, 0.35, 0.14), 0.03),
        tube((-BEHIND, 0, 0.14), (0.45, -0.35, 0.14), 0.03),
        tube((0.45, -0.35, 0.14), (0.45, 0.35, 0.14), 0.03),
        *(ball(0.06, (0.45, y, 0.06), DARK) for y in (-0.35, 0.35)),
        block((0.3, 0.3, 0.12), (0, 0, 0.2), DARK),
    ],
}


def system():
    s = System("Chaplygin sleigh", gravity=(0, 0, 0))
    sleigh = s.body("sleigh", MASS, (INERTIA / 2, INERTIA / 2, INERTIA), position=(BEHIND, 0, 0),
                    velocity=(SPEED, BEHIND * RATE, 0), angular_velocity=(0, 0, RATE), look=LOOK)  # fmt: skip
    s.planar("ice", s.ground, sleigh, on_a=(0, 0, 0), on_b=(0, 0, 0), normal_a="z", normal_b="z")
    s.knife_edge("blade", (sleigh, (-BEHIND, 0, 0)), along="x")
    return s


def exact(t):
    """Speed along the knife edge, yaw rate, heading, and the force across it: hyperbolic functions of time."""
    J = INERTIA + MASS * BEHIND**2
    twice = MASS * SPEED**2 + J * RATE**2  # twice the energy
    V, W = np.sqrt(twice / MASS), np.sqrt(twice / J)
    k = MASS * BEHIND * V / J
    tau = k * t + np.arctanh(SPEED / V)
    v, w = V * np.tanh(tau), W / np.cosh(tau)
    gd = lambda x: 2 * np.arctan(np.tanh(x / 2))
    return {
        "v": v,
        "w": w,
        "heading": W / k * (gd(tau) - gd(np.arctanh(SPEED / V))),
        "force": MASS * INERTIA / J * v * w,
    }


def knife_edge_position(run):
    """Place of the knife edge."""
    return np.asarray(run["sleigh.position"]) - BEHIND * rotations(run, "sleigh")[:, :, 0]


def along_edge(run):
    return np.einsum("ti,ti->t", run["sleigh.velocity"], rotations(run, "sleigh")[:, :, 0])


def across_edge(run):
    return np.einsum("ti,ti->t", of_constraint(run, "blade", "sleigh"), rotations(run, "sleigh")[:, :, 1])


READ = {
    "v": along_edge,
    "w": "sleigh.angular_velocity.z",
    "heading": plane_angle("sleigh"),
    "force": across_edge,
    "x": lambda run: knife_edge_position(run)[:, 0],
    "y": lambda run: knife_edge_position(run)[:, 1],
}

mechanisms = [
    Mechanism(
        name="chaplygin_sleigh",
        title="Chaplygin's sleigh: a knife edge behind the mass centre",
        source=SOURCE,
        system=system,
        t_end=20.0,
        every=0.1,
        options={"rtol": 1e-12, "atol": 1e-14},
        checks=checks(
            """
            t   v                  w                     heading            x                   y                  force
            1   0.891007279389031  0.751588200054129     0.881331003686613  0.606379426623627   0.333429928324451  0.535736445880903
            2   1.08781048414334   0.503323633927787     1.50456997900578   0.941597852354752   1.26119205436455   0.438016580723015
            5   1.21709634181431   0.122234184227538     2.32203382485575   -0.537621360583367  4.37263599856327   0.119016622774394
            10  1.22468768058013   0.010586218787019     2.55045463998259   -5.34940942654028   8.12813012956261   0.0103718493859105
            20  1.22474486821371   7.89134893757819e-05  2.57190292346693   -15.6344544812108   14.7773515387974   7.7319112916661e-05
            """,
            READ,
            tolerance=1e-9,
            why="closed form; a run at a tolerance of 1e-12",
        ),
        exact=exact,
    )
]
