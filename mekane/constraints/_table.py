"""What rolls tells of the shape of the body that it rolls on."""

import numpy as np

from mekane.model.constraint import world
from mekane.model.geometry.solid import wheel

THICK = 0.12  # of a wheel, as a share of its radius


def table(system, c, radius: float):
    """A moving body that something rolls on: a round table below the plane, larger than where it starts."""
    if c.on.body in system.bodies:
        far = np.linalg.norm(world(system, c.centre) - world(system, c.on)) + 2 * radius
        normal, thick = np.asarray(c.normal, float), 0.04 * far
        yield c.on.body, wheel(far, thick, c.on.point - thick / 2 * normal, normal)
