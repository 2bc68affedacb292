"""What a knife edge and a thin wheel have in common: no motion across an edge that touches a plane."""

from mekane.algebra.triples import cross, dot, scale, sub, unit
from mekane.errors import ModelError
from mekane.model.constraint import axes_of, velocity


def across(k, edge):
    """Unit vector across the edge in the plane, and the plane's normal."""
    n = k.direction(edge.on.body, edge.normal)
    return unit(cross(n, k.direction(edge.point.body, edge.along))), n


def no_motion(k, point, on, side):
    """The point of a body does not move along `side`, relative to the body the plane belongs to."""
    place = k.point(point)
    return velocity(dot(side, sub(k.velocity(point), k.velocity_at(on, place))))


def rotated(side, n, angle_cos, angle_sin):
    """A direction across n, rotated about n."""
    ahead = cross(side, n)
    return sub(scale(angle_cos, side), scale(angle_sin, ahead))


def refuse_upright(system, edge):
    """An edge that stands on the plane has no direction in it."""
    n, along = axes_of(system, edge.on.body, edge.normal), axes_of(system, edge.point.body, edge.along)
    if abs(n @ along) > 1.0 - 1e-12:
        remedy = "Choose along or normal so that the edge lies in the plane."
        raise ModelError(
            edge.part, "its direction is along the normal of the plane", "it must have a direction in the plane", remedy
        )
