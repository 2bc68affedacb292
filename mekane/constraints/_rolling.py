"""What all that rolls has in common: contact with a surface, and no slip at the point of contact."""

from mekane.algebra.triples import dot, perpendiculars, sub
from mekane.model.constraint import position, velocity


def rolling(k, body, contact, on, normal):
    """The contact point of a body stays on a plane, and the two bodies move alike there along the plane."""
    n = k.direction(on.body, normal)
    tangents = [k.direction(on.body, t) for t in perpendiculars(normal)]
    return [position(dot(n, sub(contact, k.point(on)))), *no_slip(k, body, on.body, contact, tangents)]


def no_slip(k, body, on, contact, tangents):
    """Two bodies move alike at the contact, along these directions."""
    slip = sub(k.velocity_at(body, contact), k.velocity_at(on, contact))
    return [velocity(dot(t, slip)) for t in tangents]
