"""The eight-body system of Kamman's notes: a reference body adrift in space, with three branches.

The notes give its connections, L = (0, 1, 2, 1, 2, 1, 1, 7), and no numbers. Masses, joints, spring and speeds here are
our own choice: every body has its mass centre off its origin and three different inertias, so that nothing cancels by
chance.
"""

import numpy as np

from mekane.gallery.entry import Check, Mechanism
from mekane.model.system import System

SOURCE = "connections: Kamman, Multibody Dynamics (notes with absolute and with relative coordinates); numbers our own"
L = (0, 1, 2, 1, 2, 1, 1, 7)  # printed
BELOW = (0, 1, 2, 1, 2, 1, 1, 2)  # u_K, printed

ORIGINS = (
    (0, 0, 0),
    (1, 0.2, 0),
    (1.9, 0.8, 0.3),
    (0.2, 1.1, 0),
    (2, -0.6, 0.1),
    (0, 0.1, 1),
    (-1, -0.1, 0.2),
    (-1.8, 0.5, 0.6),
)
MASSES = (4.0, 2.0, 1.0, 1.5, 0.8, 1.2, 2.2, 0.9)


def system():
    s = System("eight bodies", gravity=(0, 0, 0))
    for K, (mass, origin) in enumerate(zip(MASSES, ORIGINS, strict=True), 1):
        inertia = mass * np.array([0.11, 0.09 + 0.004 * K, 0.06])
        orientation = ((1.0, 0.2 * K, -0.5), 0.3 * K)
        s.body(
            f"body {K}",
            mass,
            inertia,
            com=(0.03 * K, -0.1, 0.05),
            position=origin,
            orientation=orientation,
            **motion(K),
        )
    s.ball("joint 2", "body 1", "body 2", at=(0.5, 0.1, 0))
    s.pin("joint 3", "body 2", "body 3", at=(1.5, 0.5, 0.1), axis=(0, 0.3, 1))
    s.pin("joint 4", "body 1", "body 4", at=(0.1, 0.6, 0), axis="x")
    s.universal("joint 5", "body 2", "body 5", at=(1.5, -0.2, 0), axis="z", axis2="x")
    s.slider("joint 6", "body 1", "body 6", axis=(0, 0.1, 1))
    s.ball("joint 7", "body 1", "body 7", at=(-0.5, 0, 0.1))
    s.pin_slider("joint 8", "body 7", "body 8", at=(-1.4, 0.2, 0.4), axis=(-0.8, 0.6, 0.4))
    s.spring("tie", ("body 3", (0, 0, 0)), ("body 8", (0.1, 0, 0)), stiffness=3.0, length=3.0)
    s.sliding_spring("seat", "joint 6", 20.0)
    s.sliding_spring("bush", "joint 8", 30.0)
    return s


def motion(K):
    """Speeds as given; the joints then make them possible together."""
    return {"velocity": (0.3, 0.05 * K, -0.1), "angular_velocity": (0.2 * K - 0.8, 0.5, 0.9 - 0.1 * K)}


def kept(of, scale):
    """How far a quantity is from what it was at the start, in parts of its size."""
    return lambda run: np.abs(of(run) - of(run)[:1]).reshape(len(run.t), -1).max(axis=1) / scale(run)


def centre(run):
    """The mass centre of the whole, less its uniform motion."""
    p = sum(mass * np.asarray(run[f"body {K}.centre"]) for K, mass in enumerate(MASSES, 1))
    return (p - run.t[:, None] * linear(run)[0]) / sum(MASSES)


def linear(run):
    return np.asarray(run.momentum["linear"])


def angular(run):
    return np.asarray(run.momentum["angular"])


KEPT = {
    "drift of T + V": kept(
        lambda run: np.asarray(run.energy["balance"]), lambda run: float(run.energy["kinetic"].max())
    ),
    "drift of linear momentum": kept(linear, lambda run: np.abs(linear(run)).max()),
    "drift of angular momentum": kept(angular, lambda run: np.abs(angular(run)).max()),
    "deviation of the mass centre from uniform motion": kept(centre, lambda run: 1.0),
}

mechanisms = [
    Mechanism(
        name="eight_bodies",
        title="eight bodies adrift, three branches: the example of Kamman's notes",
        source=SOURCE,
        system=system,
        t_end=2.0,
        options={"rtol": 1e-10, "atol": 1e-12},
        checks=tuple(
            Check(
                what,
                t,
                read,
                0.0,
                1e-9,
                why="nothing acts from outside: zero; error control at 1e-10 over a few hundred steps",
            )
            for what, read in KEPT.items()
            for t in (1.0, 2.0)
        ),
    )
]
