"""N-four-bar A02: N + 1 parallel cranks joined by N couplers. When all lie flat the mechanism could go on in many ways.

Its rods are 1 m and 1 kg, the cranks stand upright and are pushed over. While cranks stay parallel and couplers
translate, the motion is that of a pendulum:  ψ̈ = c sin ψ,  c = 3 (3N + 1) / (2 (4N + 1)) g / L,  ψ from upright.
"""

import numpy as np

from mekane.gallery.entry import Mechanism, checks
from mekane.gallery.looks import DARK, STEEL, bar, block
from mekane.model.system import System

SOURCE = "IFToMM library of benchmark problems, A02 (double four-bar); exact by reduction to a pendulum and Jacobi's functions"
MASS, LENGTH, G = 1.0, 1.0, 9.81
ACROSS, AXIAL = MASS * LENGTH**2 / 12, 1e-3  # inertia [kg m^2]; the planar motion does not feel the axial one
WIDE, THICK, APART = 0.12, 0.04, 0.055  # of a rod as it is drawn, and from couplers to cranks along the pins [m]


def flat_bar(axis, z, colour):
    """Look: a bar with round eyes at its ends, bored for the pins."""
    along = LENGTH / 2 * np.eye(3)[axis]
    size = [LENGTH if k == axis else WIDE for k in range(2)]
    eyes = [
        bar(sign * along + (0, 0, z - THICK / 2), sign * along + (0, 0, z + THICK / 2), WIDE / 2, colour)
        for sign in (-1, 1)
    ]
    return [block((*size, THICK), (0, 0, z), colour), *eyes]


def stand(n):
    """Look of the ground: a base, and a fork behind each foot, far enough back for the cranks to pass."""
    back = -0.16
    upright = [
        piece
        for k in range(n + 1)
        for piece in (
            block((0.12, 1.25, 0.08), (k * LENGTH, -0.565, back), STEEL),
            bar((k * LENGTH, 0, back - 0.04), (k * LENGTH, 0, -APART), 0.045, DARK),
        )
    ]
    return [block((n * LENGTH + 0.8, 0.08, 0.7), (n * LENGTH / 2, -1.23, 0), "#7d8894"), *upright]


def system(n=2, planar=False):
    s = System(f"{n}-four-bar", gravity=(0, -G, 0), planar="xy" if planar else None)
    s.ground_look = stand(n)
    for k in range(n + 1):
        crank = s.body(f"crank{k}", MASS, (ACROSS, AXIAL, ACROSS), position=(k * LENGTH, LENGTH / 2, 0),
                       look=flat_bar(1, 0, "orange"))  # fmt: skip
        s.pin(
            f"foot{k}", s.ground, crank, at=(k * LENGTH, 0, 0), axis="-z", **({"rate": 1.0 / LENGTH} if k == 0 else {})
        )
    for k in range(n):
        coupler = s.body(f"coupler{k}", MASS, (AXIAL, ACROSS, ACROSS), position=((k + 0.5) * LENGTH, LENGTH, 0),
                         look=flat_bar(0, (1 + k % 2) * APART, "blue"))  # fmt: skip
        s.pin(f"left{k}", f"crank{k}", coupler, at=(k * LENGTH, LENGTH, 0), axis="-z")
        s.pin(f"right{k}", coupler, f"crank{k + 1}", at=((k + 1) * LENGTH, LENGTH, 0), axis="-z")
    return s


def exact(n):
    """The branch on which the cranks stay parallel.

    With h = ½ ψ̇² + c cos ψ constant, φ = ψ/2 obeys  φ̇² = (h + c)/2 − c cos²φ, so  φ − π/2 = am(√((h + c)/2) (t − t½),
    2c/(h + c)).
    """
    c = 1.5 * (3 * n + 1) / (4 * n + 1) * G / LENGTH
    h = 0.5 / LENGTH**2 + c

    def solution(t):
        from scipy.special import ellipj, ellipk

        rate, m = np.sqrt((h + c) / 2), 2 * c / (h + c)
        sn, cn, dn, _ = ellipj(*np.broadcast_arrays(_reduced(rate * np.asarray(t, float) - ellipk(m), ellipk(m)), m))
        return {  # top of crank 0; sn = −cos φ, cn = sin φ, φ = ψ/2
            "x": LENGTH * (-2 * sn * cn),
            "y": LENGTH * (2 * sn * sn - 1),
            "rate": 2 * rate * dn,
        }

    return solution


def _reduced(u, K):
    """u brought near zero by whole periods 4K, where ellipj is exact to round-off."""
    return u - 4 * K * np.round(u / (4 * K))


def top_speed(axis):
    """Reader of the velocity of B0, twice that of the crank's middle."""
    return lambda run: 2 * np.asarray(run[f"crank0.velocity.{axis}"])


mechanisms = [
    Mechanism(
        name="four_bar_chain",
        title="double four-bar A02, through its singular positions",
        source=SOURCE,
        system=system,
        t_end=10.0,
        every=0.02,
        checks=checks(
            """
            t   x                   y                   vx                  vy
            1   -0.19502030194944   -0.98079920566217   -6.6766780368812    1.3275783251605
            2   0.057815795768011   0.99832726786346    1.0172601366204     -0.058912248713446
            5   -0.81131046100511   -0.58461554534898   -3.5691173971932    4.9531051713133
            10  0.32845811154082    0.94451853817860    1.4230514702069     -0.49486884548704
            """,
            {"x": "left0.point.x", "y": "left0.point.y", "vx": top_speed("x"), "vy": top_speed("y")},
            tolerance=1e-5,
            why="exact on the branch of parallel cranks; every singular position crossed costs digits",
        ),
        exact=exact(2),
    )
]
