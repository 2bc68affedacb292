"""What touches a height field.

The centre of a ball of radius r touches the surface that is r away from the field along its normals. Its height above
(x, y) is found exactly: Newton's method gives the point (u, v) of the field whose normal leads there, as long as the ball
is less curved than the hollows. The gap is the height above this surface times the cosine of its slope: zero exactly where
they touch, where it grows along the normal at unit rate; the distance to first order elsewhere.
"""

import numpy as np

from mekane.contacts.pairs._distance import X, Y, Z, along_normal, with_numbers
from mekane.expressions.graph import differentiate

STEPS = 6  # of Newton's method: it doubles its digits in each


def riding(k, centre, radius, b):
    """A ball, or a point, above a height field."""
    height = k.expression(b.shape.z, {"x": X, "y": Y})
    gradients = [differentiate(height, x) for x in (X, Y)]
    steep = np.sqrt(1.0 + gradients[0] ** 2 + gradients[1] ** 2)
    normal = [-gradients[0] / steep, -gradients[1] / steep, 1.0 / steep]
    u, v = foot(normal, radius) if radius.real else (X, Y)
    at = {"x": u, "y": v}
    height, *normal = with_numbers([height, *normal], at)
    return along_normal(k, "", centre, radius, b, (Z - height - radius * normal[2]) * normal[2], normal)


def foot(normal, radius):
    """(u, v) with (u, v) + radius × normal above (X, Y)."""
    misses = [X + radius * normal[0], Y + radius * normal[1]]
    gradients = [differentiate(miss, x) for miss in misses for x in (X, Y)]
    u, v = X, Y
    for _ in range(STEPS):
        e, f, a, b, c, d = with_numbers([*misses, *gradients], {"x": u, "y": v})
        e, f, size = e - X, f - Y, a * d - b * c
        u, v = u - (d * e - b * f) / size, v - (a * f - c * e) / size
    return u, v
