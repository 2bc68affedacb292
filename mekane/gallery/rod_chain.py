"""Chain of n uniform rods, all horizontal, released at rest."""

import numpy as np

from mekane.gallery.entry import Mechanism, checks
from mekane.gallery.looks import DARK, bar, block
from mekane.model.system import System

SOURCE = "classical; reference by the closed equations of a planar chain, DOP853, tolerance spread below 2e-12"
MASS, LENGTH = 1.0, 1.0
WIDE, THICK, APART = 0.1, 0.03, 0.034  # of a rod as it is drawn, and from one to the next along the pin [m]
ACROSS, AXIAL = MASS * LENGTH**2 / 12, 1e-3  # inertia [kg m^2]; the planar motion does not feel the axial one


def folding_rule(k):
    """Look of rod k, along y: a leaf of a folding rule, marked every 10 cm, beside the one before it on the pin."""
    z = k % 2 * APART
    marks = [(0.1 * i, 0.04 if i % 5 else 0.07) for i in range(-4, 5)]
    return [
        block((WIDE, LENGTH, THICK), (0, 0, z), "#f2c230"),
        *(bar((0, y, z - 0.018), (0, y, z + 0.018), 0.05, "#f2c230") for y in (-LENGTH / 2, LENGTH / 2)),
        *(block((long, 0.012, THICK + 0.004), ((WIDE - long) / 2, y, z), DARK) for y, long in marks),
    ]


def system(n=3):
    """Rods along +x; the angle of each joint is that of its rod from the one before, the first from hanging down
    (−y)."""
    s = System(f"chain of {n} rods", gravity=(0, -9.81, 0))
    before, end = s.ground, (0, 0, 0)
    for k in range(1, n + 1):
        position = ((k - 0.5) * LENGTH, 0, 0)
        turned = {"position": position, "orientation": ("z", np.pi / 2)}
        rod = s.body(f"rod{k}", MASS, (ACROSS, AXIAL, ACROSS), **turned, look=folding_rule(k))
        s.pin(f"pin{k}", before, rod, on_a=end, on_b=(0, LENGTH / 2, 0), axis_a="z", axis_b="z")
        before, end = rod, (0, -LENGTH / 2, 0)
    return s


def angle(k):
    """Reader of the angle of rod k from hanging down."""
    return lambda run: sum(np.asarray(run[f"pin{j}.angle"]) for j in range(1, k + 1))


def equations(theta, rate, g=9.81):
    """θ̈ of the planar chain in absolute angles:  (A∘cos(θi−θj) + I/12) θ̈ = −(A∘sin(θi−θj)) θ̇² − m g (Σ_k c_ki) sin
    θi."""
    n = len(theta)
    c = np.tril(np.ones((n, n)), -1) + 0.5 * np.eye(n)
    A, between = c.T @ c, np.subtract.outer(theta, theta)
    right = -(A * np.sin(between)) @ rate**2 - g * c.sum(axis=0) * np.sin(theta)
    return np.linalg.solve(A * np.cos(between) + np.eye(n) / 12, right)


def chain(n, table):
    names = [f"theta{k}" for k in range(1, n + 1)]
    return Mechanism(
        name=f"rod_chain_{n}",
        title=f"chain of {n} uniform rods released from the horizontal",
        source=SOURCE,
        system=lambda: system(n),
        t_end=1.0,
        options={"rtol": 1e-12, "atol": 1e-13},
        checks=checks(
            f"t {' '.join(names)}\n{table}",
            {name: angle(k) for k, name in enumerate(names, 1)},
            tolerance=1e-11,
            why="the reference is good to 2e-12",
        ),
    )


mechanisms = [
    chain(2, "1  -1.207716238191 -0.814391023091"),
    chain(3, "1  -0.235346902274 -0.777152856471 -0.909372065599"),
]
