"""Which shapes can touch, and where: one file for each pair of shapes. A file that is here is found.

A file defines `shapes`, the classes of its two sides, `labels(a, b)`, one for each point at which they can touch ("" if
there is one), and `points(k, a, b)`, a ContactPoint for each. a and b are the Sides, in the order of `shapes`.
"""

from functools import cache
from importlib import import_module
from typing import NamedTuple

from mekane.algebra.triples import cross, perpendiculars, scale, unit
from mekane.errors import ModelError
from mekane.model.plane import plane_axes
from mekane.plugins import files_in


class ContactPoint(NamedTuple):
    label: str
    gap: object  # expression [m]: distance along the normal, negative where they enter each other
    place: tuple  # three expressions: where they touch, world axes
    tangents: tuple  # unit vectors along which they slide, world axes


@cache
def pairs() -> dict:
    """(class, class) → module"""
    modules = [import_module(f"{__name__}.{name}") for name in files_in(tuple(__path__))]
    return {module.shapes: module for module in modules}


def pair_of(a, b):
    """The module of two sides and whether they stand the other way round there; None if there is none."""
    kinds = type(a.shape), type(b.shape)
    for key, swapped in ((kinds, False), (kinds[::-1], True)):
        if key in pairs():
            return pairs()[key], swapped
    return None


def labels_of(a, b) -> list[str]:
    module, swapped = pair_of(a, b)
    return module.labels(*((b, a) if swapped else (a, b)))


def contact_points(k, a, b) -> list[ContactPoint]:
    module, swapped = pair_of(a, b)
    return module.points(k, *((b, a) if swapped else (a, b)))


def refuse_no_pair(contact) -> None:
    if pair_of(contact.a, contact.b) is None:
        named = lambda kind: kind.__name__.lower()
        known = sorted(f"{named(one)} and {named(other)}" for one, other in pairs())
        problem = f"{named(type(contact.a.shape))} and {named(type(contact.b.shape))} have no contact"
        raise ModelError(contact.part, problem, f"there are {', '.join(known)}")


def tangents_of_plane(k, side, normal):
    """Unit vectors along a plane of a body; in a planar model the one that lies in the plane of motion."""
    return [k.direction(side.body, t) for t in fixed_tangents(k.system, side.body, normal)]


def fixed_tangents(system, body, normal):
    if not system.plane:
        return perpendiculars(normal)
    across = plane_axes(system.plane)[:, 2]
    R = system.ground.R_NB if body == "ground" else system.bodies[body].R_NB
    return [unit(cross(tuple(R.T @ across), tuple(normal)))]


def point_on_plane(k, label, a_point, a_body, b):
    """A point of a body (world axes) above a plane."""
    from mekane.algebra.triples import dot, sub

    n = k.direction(b.body, b.shape.normal)
    gap = dot(n, sub(a_point, k.point((b.body, b.shape.at))))
    return ContactPoint(label, gap, sub(a_point, scale(gap, n)), tangents_of_plane(k, b, b.shape.normal))
