"""Simple pendulum A01: a point mass on a massless rod, released from the horizontal, for two thousand seconds."""

import numpy as np

from mekane.gallery.entry import Mechanism, checks
from mekane.model.system import System

SOURCE = "IFToMM library of benchmark problems, A01; exact solution by Jacobi's elliptic functions"
MASS, LENGTH, G = 1.0, 1.0, 9.81
PERIOD = 2.3678419475762374493  # 4 K(1/2) / sqrt(g / L)


def system():
    s = System("pendulum", gravity=(0, -G, 0))
    bob = s.body("bob", MASS, position=(LENGTH, 0, 0), orientation=("z", np.pi / 2))
    # angle from hanging down
    s.pin("hinge", s.ground, bob, on_a=(0, 0, 0), on_b=(0, LENGTH, 0), axis_a="z", axis_b="z")
    return s


def exact(t):
    """sin(θ/2) = k cd(√(g/L) t | k²),  k² = 1/2"""
    from scipy.special import ellipj

    k, n = np.sqrt(0.5), np.sqrt(G / LENGTH)
    sn, cn, dn, _ = ellipj(n * np.mod(t, PERIOD), 0.5)
    half = np.arcsin(k * cn / dn)
    return {
        "hinge.angle": 2 * half,
        "hinge.angle.rate": -2 * k * n * (1 - k * k) * sn / dn**2 / np.cos(half),
        "bob.position": LENGTH * np.stack([np.sin(2 * half), -np.cos(2 * half), 0 * half], axis=-1),
    }


mechanisms = [
    Mechanism(
        name="pendulum",
        title="simple pendulum A01, from the horizontal, 2000 s",
        source=SOURCE,
        system=system,
        t_end=2000.0,
        every=0.5,
        options={"rtol": 1e-10},
        checks=checks(
            """
            t     x                    y                    rate
            1     -0.9862917511318753  -0.1650108531255412  -1.7993090169071
            2     0.7935661953433217   -0.6084839304437915  3.4552068990593
            5     0.9423054350437573   -0.3347543384140006  -2.5627875681926
            9.99  0.3164364699130323   -0.9486137045757765  -4.3141396458363
            10    0.2750874625761169   -0.9614192050991251  -4.3431606928647
            2000  -0.8146030685890322  -0.5800188278369355  3.3734210235547
            """,
            {"x": "bob.position.x", "y": "bob.position.y", "rate": "hinge.angle.rate"},
            tolerance=1e-3,
            why="exact; 1e-3 after 845 swings is the high precision required by the benchmark",
        ),
        exact=exact,
    )
]
