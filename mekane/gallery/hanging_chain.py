"""Chain of rigid links between two points at one height, released as a V; damped hinges bring it to rest as a catenary,
but for its links.

Link i of n hangs at tan θ_i = (i − (n − 1)/2) w / H below the horizontal, w being its weight and H the pull; the links
span the gap.
"""

import numpy as np

from mekane.gallery.entry import Check, Mechanism
from mekane.model.system import System

SOURCE = "classical: balance of each link; the continuum is the catenary 2 a sinh(span / 2a) = length, H = a g (mass per length)"
SPAN, LENGTH, G, DAMPING = 6.0, 10.0, 9.81, 5.0  # [m], [m], [m/s^2], [N m s/rad] of each hinge; 1 kg/m


def horizontal_tension(n):
    """H, by which the links just span the gap [N]."""
    from scipy.optimize import brentq

    weight, i = G * LENGTH / n, np.arange(n) - (n - 1) / 2
    return brentq(lambda H: np.sum(LENGTH / n / np.hypot(1, i * weight / H)) - SPAN, 1e-3, 1e4, xtol=1e-13)


def catenary_tension():
    """The same of a chain without links."""
    from scipy.optimize import brentq

    return G * brentq(lambda a: 2 * a * np.sinh(SPAN / 2 / a) - LENGTH, 0.1, 100, xtol=1e-14)


def hanging(n=10):
    """Points of the hinges at rest."""
    slope = (np.arange(n) - (n - 1) / 2) * G * LENGTH / n / horizontal_tension(n)
    steps = LENGTH / n / np.hypot(1, slope)[:, None] * np.stack([np.ones(n), np.zeros(n), slope], axis=1)
    return np.vstack([np.zeros(3), np.cumsum(steps, axis=0)])


def as_v(n):
    """Points of the hinges on a V of the same length, n being even: far from equilibrium."""
    k, drop = np.arange(n + 1) / n, np.sqrt(LENGTH**2 - SPAN**2) / 2
    return np.stack([SPAN * k, 0 * k, -drop * (1 - np.abs(2 * k - 1))], axis=1)


def system(n=10):
    s = System(f"chain of {n} links", gravity=(0, 0, -G), planar="xz")
    points, link, before = as_v(n), LENGTH / n, s.ground
    for k in range(n):
        orientation = {"x": (points[k + 1] - points[k]) / np.linalg.norm(points[k + 1] - points[k]), "y": (0, 1, 0)}
        body = s.body(f"link{k}", link, link**3 / 12, position=(points[k] + points[k + 1]) / 2, orientation=orientation)
        s.pin(f"pin{k}", before, body, at=points[k], axis="y")
        before = body
    s.pin(f"pin{n}", before, s.ground, at=points[n], axis="y")
    for k in range(n + 1):
        s.torsional_damper(f"damper{k}", f"pin{k}", DAMPING)
    return s


def sideways(run):
    return run.reaction("pin0").force.values[:, 0]


WHY = "closed form; what is left of the motion has died down to 1e-13"
mechanisms = [
    Mechanism(
        name="hanging_chain",
        title="chain of 10 links between two points, released as a V, comes to rest",
        source=SOURCE,
        system=system,
        t_end=30.0,
        every=0.1,
        checks=(
            Check("height of the middle", 30.0, "pin5.point.z", hanging()[5, 2], 1e-9, why=WHY),
            Check("height of a quarter", 30.0, "pin2.point.z", hanging()[2, 2], 1e-9, why=WHY),
            Check("pull", 30.0, sideways, -horizontal_tension(10), 1e-8, why=WHY),
        ),
    )
]
