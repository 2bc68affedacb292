"""Circles above a plane: rims of cylinders, the middle of a tube."""

from mekane.algebra.triples import add, dot, length, scale, sub, unit
from mekane.contacts.pairs import at_start, axes_of
from mekane.errors import ModelError

FLAT = 1e-6  # sine of the tilt below which all points of a circle count as equally low


def lowest(k, a, b, centres, radius):
    """The lowest point of each circle about these centres and the axis of a shape. There is one as long as the circle
    does not lie flat."""
    n, axis = k.direction(b.body, b.shape.normal), axes_of(k, a)[2]
    down = sub(scale(dot(n, axis), axis), n)
    if at_start(k, [length(down)])[0] < FLAT:
        raise ModelError(
            k.laws.part,
            f"the axis of body {a.body!r} is along the normal of the plane: no point of its rim is the lowest",
            "it may stand or lie flat only with points of its own",
            f"Give (body, mk.Polygon.regular(8, {radius.real:g}, thickness)) in place of the shape, or tilt it.",
        )
    return [add(centre, scale(radius, unit(down))) for centre in centres]
