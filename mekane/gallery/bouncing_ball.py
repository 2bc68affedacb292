"""A ball dropped on a floor: every bounce lasts e times as long as the one before, so that infinitely many of them end
after a finite time.

Dropped from a height h it arrives after t₁ = √(2h/g) with v = g t₁. Bounce n lasts 2 eⁿ t₁; it is at rest from
t₁ (1 + e)/(1 − e) on.
"""

import numpy as np

from mekane.gallery.entry import Check, Mechanism, checks_of
from mekane.model.geometry.shapes import Sphere
from mekane.model.geometry.surfaces import Plane
from mekane.model.system import System

SOURCE = "classical: uniform acceleration between impacts, a geometric series of flights"
HEIGHT, RADIUS, E, G = 1.0, 0.1, 0.7, 9.81  # of the drop [m]; restitution
FALL = np.sqrt(2 * HEIGHT / G)
REST = FALL * (1 + E) / (1 - E)  # 2.5586339655858085 s


def system(law="poisson"):
    s = System("bouncing ball", gravity=(0, 0, -G))
    ball = s.body("ball", 1.0, shape=Sphere(RADIUS), position=(0, 0, RADIUS + HEIGHT))
    s.contact("floor", ball, (s.ground, Plane(normal="z")), restitution=E, law=law)
    return s


def impacts(n):
    """Instants of the first n impacts."""
    return FALL * (1 + 2 * np.cumsum(np.concatenate([[0.0], E ** np.arange(1, n)])))


def exact(t):
    """Height above the floor and velocity; after an impact at its very instant."""
    t = np.asarray(t, float)
    height, velocity = np.zeros(t.shape), np.zeros(t.shape)
    for index, now in np.ndenumerate(t):
        if now < FALL:
            height[index], velocity[index] = HEIGHT - G * now**2 / 2, -G * now
        elif now < REST:
            when = impacts(60)
            n = int(np.searchsorted(when, now, side="right"))
            since, up = now - when[n - 1], G * FALL * E**n
            height[index], velocity[index] = up * since - G * since**2 / 2, up - G * since
    return {"height": height, "velocity": velocity}


def rest(run):
    """The end of the bounces, as the last impact tells it."""
    found = [line.rest for line in run.events if line.rest is not None]
    return np.full(len(run.t), found[-1] if found else np.nan)


READ = {"height": lambda run: np.asarray(run["ball.position.z"]) - RADIUS, "velocity": "ball.velocity.z"}
mechanisms = [
    Mechanism(
        name="bouncing_ball",
        title="ball dropped on a floor, until infinitely many bounces are over",
        source=SOURCE,
        system=system,
        t_end=3.0,
        options={"rtol": 1e-12, "atol": 1e-13},
        checks=(
            *checks_of(exact, (0.4, 1.0, 1.5, 2.0, 2.5, 3.0), READ, 1e-11, "closed form; instants to round-off"),
            Check(
                "time of rest", 3.0, rest, REST, 1e-10, why="sum of the series; bounces lower than 1e-9 m are closed"
            ),
            Check("force of the floor", 3.0, "floor.force", G, 1e-12, why="the weight"),
        ),
        exact=exact,
    )
]
