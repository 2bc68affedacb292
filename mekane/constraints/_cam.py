"""What a curve tells of the shape of the body that carries it: a cam."""

import numpy as np

from mekane.expressions.graph import evaluate
from mekane.model.constraint import axes_of, world
from mekane.model.geometry.solid import placed

RAYS = 72  # of a cam's outline


def cam(system, c):
    """One equation whose curve goes once round `on`: a cam."""
    if (
        len(c.curve) != 1
        or c.curve[0].callback is not None
        or not set(c.curve[0].names()) <= {"x", "y", "z", "r", "theta", "t", *system.constants}
    ):
        return
    axes = np.array([axes_of(system, c.on.body, axis) for axis in np.eye(3)])
    x, y, z = axes @ (world(system, c.point) - world(system, c.on))
    radii, about = [], np.hypot(x, y)
    for angle in 2 * np.pi * np.arange(RAYS) / RAYS:
        radii.append(radius_at(system, c.curve[0].expr(), angle, about, z, radii[-1] if radii else about))
        if radii[-1] is None:
            return
    outline = [(r * np.cos(2 * np.pi * k / RAYS), r * np.sin(2 * np.pi * k / RAYS)) for k, r in enumerate(radii)]
    yield c.on.body, placed("prism", (0.3 * min(radii),), np.array(c.on.point) + (0, 0, z), outline=outline)


def radius_at(system, g, angle: float, about: float, z: float, before: float):
    """The root on a ray near the one `before` it, else the one nearest to `about`; None if there is none."""

    def value(r):
        known = {
            "x": r * np.cos(angle),
            "y": r * np.sin(angle),
            "z": z,
            "r": r,
            "theta": np.arctan2(np.sin(angle), np.cos(angle)),
        }
        return float(evaluate(g, {**system.constants, "t": 0.0, **known}))

    from scipy.optimize import brentq

    near = (0.9 * before, 1.1 * before)
    if value(near[0]) * value(near[1]) < 0:
        return brentq(value, *near, xtol=1e-12 * about)
    grid = np.linspace(0.1, 3.0, 30) * about
    values = np.array([value(r) for r in grid])
    crossings = np.flatnonzero(values[:-1] * values[1:] <= 0)
    if not len(crossings):
        return None
    k = min(crossings, key=lambda k: abs(grid[k] - about))
    return brentq(value, grid[k], grid[k + 1], xtol=1e-12 * about)
