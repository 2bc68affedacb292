"""The eight-body system of Kamman's notes: a reference body adrift in space, with three branches.

The notes give its connections, L = (0, 1, 2, 1, 2, 1, 1, 7), and no numbers. Masses, joints, spring and speeds here are
our own choice: every body has its mass centre off its origin and three different inertias, so that nothing cancels by
chance. They are drawn as what such a system is in practice: a satellite with a solar panel, an antenna on a mast that
slides, and two arms that hold a spring between them.
"""

import numpy as np

from mekane.gallery.entry import Check, Mechanism
from mekane.gallery.looks import DARK, LIGHT, STEEL, ball, bar, coloured, tube
from mekane.model.geometry.shapes import Box, Ellipsoid
from mekane.model.system import System
from mekane.model.values.orientation import matrix_from

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
FOIL, CELLS = "#d9a441", "#1f3f77"


class Placed:
    """Pieces of a look in the frame of a body, given in the world as it is at the start."""

    def __init__(self, K):
        self.origin, self.R = np.array(ORIGINS[K - 1], float), matrix_from(orientation(K))

    def at(self, p):
        return self.R.T @ (np.asarray(p, float) - self.origin)

    def box(self, size, p, colour):
        return coloured(Box(*size, at=self.at(p), orientation=self.R.T), colour)

    def tube(self, p, q, radius, colour):
        return tube(self.at(p), self.at(q), radius, colour)

    def bar(self, p, q, radius, colour):
        return bar(self.at(p), self.at(q), radius, colour)

    def ball(self, radius, p, colour):
        return ball(radius, self.at(p), colour)

    def dish(self, p, colour):
        return coloured(Ellipsoid(0.42, 0.42, 0.09, at=self.at(p), orientation=self.R.T), colour)


def looks(K):
    """Bus, arm with a fork, gripper, solar panel, camera, antenna, second arm, its telescope."""
    of = Placed(K)
    return {1: bus, 2: fork, 3: gripper, 4: panel, 5: eye, 6: antenna, 7: upper_arm, 8: telescope}[K](of)


def bus(of):
    return [
        of.box((0.72, 0.8, 0.62), (0, 0, 0), FOIL),
        of.box((0.5, 0.6, 0.66), (0, 0, 0), DARK),
        *(of.box((0.5, 0.03, 0.42), (0, y, 0), LIGHT) for y in (-0.4, 0.4)),  # radiators
        of.bar((0, 0, -0.31), (0, 0, -0.4), 0.1, STEEL),
        of.bar((0, 0, -0.4), (0, 0, -0.5), 0.17, DARK),  # nozzle
        of.tube((0.36, 0.08, 0), (0.5, 0.1, 0), 0.05, STEEL),
        of.tube((-0.36, 0, 0.07), (-0.5, 0, 0.1), 0.05, STEEL),
        of.tube((0.07, 0.4, 0), (0.1, 0.6, 0), 0.04, STEEL),
    ]


def fork(of):
    end, arms = (1.15, 0.17, 0.02), ((1.5, 0.5, 0.1), (1.5, -0.2, 0))
    return [
        of.tube((0.5, 0.1, 0), end, 0.055, LIGHT),
        of.ball(0.08, end, DARK),
        *(of.tube(end, p, 0.045, LIGHT) for p in arms),
    ]


def gripper(of):
    wrist, tip = np.array([1.8, 0.72, 0.25]), np.array([1.9, 0.8, 0.3])
    along = (tip - wrist) / np.linalg.norm(tip - wrist)
    across = np.cross(along, (0, 0, 1))
    across /= np.linalg.norm(across)
    fingers = [
        of.tube(p, q, 0.02, DARK)
        for side in (-1, 1)
        for p, q in (
            (wrist, wrist + 0.1 * along + side * 0.1 * across),
            (wrist + 0.1 * along + side * 0.1 * across, wrist + 0.24 * along + side * 0.05 * across),
        )
    ]
    return [of.tube((1.5, 0.5, 0.1), wrist, 0.045, LIGHT), of.ball(0.06, wrist, DARK), *fingers]


def panel(of):
    lines = [of.box((0.012, 1.3, 0.034), (x, 1.5, 0), STEEL) for x in np.linspace(-0.3, 0.5, 5)]
    lines += [of.box((0.8, 0.012, 0.034), (0.1, y, 0), STEEL) for y in np.linspace(0.85, 2.15, 7)]
    return [
        of.tube((0.1, 0.6, 0), (0.1, 0.85, 0), 0.03, STEEL),
        of.box((0.8, 1.3, 0.025), (0.1, 1.5, 0), CELLS),
        *lines,
    ]


def eye(of):
    """A camera."""
    return [
        of.tube((1.5, -0.2, 0), (1.85, -0.48, 0.07), 0.04, LIGHT),
        of.box((0.34, 0.24, 0.24), (2.0, -0.6, 0.1), LIGHT),
        of.bar((2.17, -0.6, 0.1), (2.27, -0.6, 0.1), 0.09, DARK),
    ]


def antenna(of):
    return [
        of.tube((0, 0.03, 0.32), (0, 0.1, 1.0), 0.04, STEEL),
        of.dish((0, 0.1, 1.02), LIGHT),
        *(of.tube((0.25 * np.cos(x), 0.1 + 0.25 * np.sin(x), 1.09), (0, 0.1, 1.33), 0.01, DARK) for x in (0, 2.1, 4.2)),
        of.ball(0.035, (0, 0.1, 1.34), DARK),
    ]


def upper_arm(of):
    elbow = (-1.0, -0.1, 0.2)
    return [
        of.tube((-0.5, 0, 0.1), elbow, 0.055, LIGHT),
        of.ball(0.08, elbow, DARK),
        of.tube(elbow, (-1.4, 0.2, 0.4), 0.05, LIGHT),
    ]


def telescope(of):
    """A rod that turns and slides in the arm, with a ring at its end."""
    return [of.bar((-1.4, 0.2, 0.4), (-1.72, 0.44, 0.56), 0.03, STEEL), of.box((0.2, 0.2, 0.2), (-1.8, 0.5, 0.6), FOIL)]


def orientation(K):
    return ((1.0, 0.2 * K, -0.5), 0.3 * K)


def system():
    s = System("eight bodies", gravity=(0, 0, 0))
    for K, (mass, origin) in enumerate(zip(MASSES, ORIGINS, strict=True), 1):
        inertia = mass * np.array([0.11, 0.09 + 0.004 * K, 0.06])
        s.body(
            f"body {K}",
            mass,
            inertia,
            com=(0.03 * K, -0.1, 0.05),
            position=origin,
            orientation=orientation(K),
            look=looks(K),
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
