"""What follows a cam.

The centre of a roller of radius a is on the curve that is a away from the cam along its normals. Newton's method finds the
angle phi of the cam whose normal leads to the direction of the centre. The gap is the distance along that direction times
the cosine of the pressure angle: zero exactly where they touch, where it grows along the normal at unit rate; the distance
to first order elsewhere.
"""

import numpy as np

from mekane.contacts.pairs import at_start
from mekane.contacts.pairs._distance import X, Y, along_normal, with_numbers
from mekane.errors import ModelError
from mekane.expressions.graph import atan2, differentiate, symbol

STEPS = 6  # of Newton's method: it doubles its digits in each
PHI = symbol("phi")
AROUND = 2 * np.pi * np.arange(-180, 180) / 360


def following(k, centre, roller, b):
    """A roller, or a point, outside a cam."""
    radius = k.expression(b.shape.radius, {"phi": PHI})
    slope = differentiate(radius, PHI)
    size = np.sqrt(radius**2 + slope**2)
    lag = atan2(roller * slope, radius * (size + roller)) if roller.real else 0.0
    refuse(k, roller, radius, differentiate(lag, PHI) if roller.real else 0.0)
    theta = atan2(Y, X)
    phi = angle(lag, theta) if roller.real else theta
    normal = (radius * np.cos(PHI) + slope * np.sin(PHI)) / size, (radius * np.sin(PHI) - slope * np.cos(PHI)) / size
    path = [radius * np.cos(PHI) + roller * normal[0], radius * np.sin(PHI) + roller * normal[1]]
    x, y, *normal = with_numbers([*path, *normal], {"phi": phi})
    gap = (X - x) * normal[0] + (Y - y) * normal[1]
    return along_normal(k, "", centre, roller, b, gap, [*normal, 0.0])


def angle(lag, theta):
    """phi with phi − lag(phi) = theta."""
    slope, phi = differentiate(lag, PHI), theta
    for _ in range(STEPS):
        behind, rate = with_numbers([lag, slope], {"phi": phi})
        phi = phi - (phi - behind - theta) / (1.0 - rate)
    return phi


def refuse(k, roller, radius, lag_slope):
    """A cam without a radius, or a roller that does not reach into its hollows."""
    radii, gradients = (
        [at_start(k, with_numbers([one], {"phi": x}))[0] for x in AROUND] for one in (radius, lag_slope)
    )
    if not min(radii) > 0.0:
        where = np.degrees(AROUND[int(np.argmin(radii))])
        problem = f"the radius of the cam is {min(radii):g} m at phi = {where:g} deg"
        raise ModelError(k.laws.part, problem, "it is greater than zero all around", "Add a constant to it.")
    if not max(gradients) < 1.0:
        where = np.degrees(AROUND[int(np.argmax(gradients))])
        problem = f"a roller of {roller.real:g} m does not reach into the hollow at phi = {where:g} deg"
        raise ModelError(k.laws.part, problem, "it touches at one point at a time", "Make it smaller.")
