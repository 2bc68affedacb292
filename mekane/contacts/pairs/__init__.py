"""Which shapes can touch, and where: one file for each pair of shapes. A file that is here is found.

A file defines `shapes`, the classes of its two sides, `labels(a, b)`, one for each point at which they can touch ("" if
there is one), and `points(k, a, b)`, a ContactPoint for each. a and b are the Sides, in the order of `shapes`. A pair
with other points in a planar model names them in `planar_labels(a, b)`.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from mekane.algebra.triples import add, cross, dot, length, perpendiculars, scale, sub, turned_along, unit
from mekane.errors import ModelError
from mekane.expressions.graph import evaluate
from mekane.expressions.traced_number import reals
from mekane.model.plane import plane_axes
from mekane.plugins import files_in, import_files

ALONG = 1e-9  # sine of the angle between a normal and the direction across the plane of a planar model


class ContactPoint(NamedTuple):
    label: str
    gap: object  # expression [m]: distance along the normal, negative where they enter each other
    place: tuple  # three expressions: where they touch, world axes
    tangents: tuple  # unit vectors along which they slide, world axes


@cache
def pairs() -> dict:
    """(class, class) → module"""
    import_files(__name__, __path__)
    modules = [globals()[name] for name in files_in(tuple(__path__))]
    return {module.shapes: module for module in modules}


def pair_of(a, b):
    """The module of two sides and whether they stand the other way round there; None if there is none."""
    kinds = type(a.shape), type(b.shape)
    for key, swapped in ((kinds, False), (kinds[::-1], True)):
        if key in pairs():
            return pairs()[key], swapped
    return None


def labels_of(a, b, system) -> list[str]:
    module, swapped = pair_of(a, b)
    labels = getattr(module, "planar_labels", module.labels) if system.plane else module.labels
    return labels(*((b, a) if swapped else (a, b)))


def contact_points(k, a, b) -> list[ContactPoint]:
    module, swapped = pair_of(a, b)
    return module.points(k, *((b, a) if swapped else (a, b)))


def refuse_no_pair(contact) -> None:
    if pair_of(contact.a, contact.b) is None:
        named = lambda kind: kind.__name__.lower()
        known = sorted(f"{named(one)} and {named(other)}" for one, other in pairs())
        problem = f"{named(type(contact.a.shape))} and {named(type(contact.b.shape))} have no contact"
        raise ModelError(contact.part, problem, f"there are {', '.join(known)}")


# ---------------------------------------------------------------- tangents


def tangents_of_plane(k, side, normal):
    """Unit vectors along a plane of a body; in a planar model the one that lies in the plane of motion."""
    return [k.direction(side.body, t) for t in fixed_tangents(k.system, side.body, normal)]


def fixed_tangents(system, body, normal):
    if not system.plane:
        return perpendiculars(normal)
    across = plane_axes(system.plane)[:, 2]
    R = system.ground.R_NB if body == "ground" else system.bodies[body].R_NB
    refuse_across(system, body, reals(R.T @ across), reals(normal))
    return [unit(cross(tuple(R.T @ across), tuple(normal)))]


def refuse_across(system, body, across, normal):
    """A plane that is parallel to that of a planar model: no motion leads to it or along it."""
    if np.linalg.norm(np.cross(across, normal)) < ALONG:
        part, problem = f"contact of body {body!r}", f"the normal of its plane is across the {system.plane} plane"
        expected = "others move towards it in the plane of the model"
        raise ModelError(part, problem, expected, "Turn it, or leave out planar=.")


def tangents_across(k, n):
    """Unit vectors across a normal that turns: smooth wherever it is not opposite to one direction, which lies beside
    all planes in which it is likely to turn."""
    if k.system.plane:
        return [unit(cross(tuple(plane_axes(k.system.plane)[:, 2]), n))]
    start = at_start(k, n)
    start = start if np.isfinite(start).all() else np.array([0.0, 0.0, 1.0])
    first, second = np.array(perpendiculars(start))
    beside = start + np.cos(0.7) * first + np.sin(0.7) * second
    return turned_along(n, tuple((beside / np.linalg.norm(beside)).tolist()))


def at_start(k, vector) -> np.ndarray:
    """Numbers that expressions have in the initial positions."""
    values = {"t": 0.0, **{name: float(reals(x)) for name, x in k.laws.constants.items()}}
    for name, B in k.bodies.items():
        if name != "ground":
            R, p = pose_at_start(k, name)
            symbols = [*(x for row in B.R for x in row), *B.p]
            values |= {x.name: float(one) for x, one in zip(symbols, [*R.ravel(), *p], strict=True)}
    return np.array([float(np.real(x)) for x in evaluate(list(vector), values)])


def pose_at_start(k, name):
    """R_NB and p_NB of the body's own frame."""
    body, row = k.system.bodies[name], k.frames.row[name]
    R = reals(body.R_NB) @ reals(k.frames.R_BU[row]).T
    return R, reals(body.position) - R @ reals(k.frames.p_BU[row])


# ---------------------------------------------------------------- what several pairs share


def centre_of(k, side):
    """The centre of a shape."""
    return k.point((side.body, tuple(side.shape.at)))


def axes_of(k, side):
    """The axes of a shape, as it lies in its body."""
    return [k.direction(side.body, column) for column in np.transpose(side.shape.R_BS)]


def ends_of(k, side):
    """The two ends of the axis of a shape that has a length."""
    half = scale(0.5 * side.shape.length, axes_of(k, side)[2])
    return [move(centre_of(k, side), half) for move in (sub, add)]


def point_on_plane(k, label, a_point, a_body, b):
    """A point of a body (world axes) above a plane."""
    return sphere_on_plane(k, label, a_point, 0.0, b)


def sphere_on_plane(k, label, centre, radius, b):
    """A sphere above a plane: it touches at its lowest point."""
    n = k.direction(b.body, b.shape.normal)
    height = dot(n, sub(centre, k.point((b.body, b.shape.at))))
    tangents = tangents_of_plane(k, b, b.shape.normal)
    return ContactPoint(label, height - radius, sub(centre, scale(height, n)), tangents)


def spheres_apart(k, label, one, other, radius_one, radius_other):
    """Two spheres, or points, about these centres."""
    apart = length(sub(one, other))
    n = scale(1.0 / apart, sub(one, other))
    place = add(other, scale(radius_other, n))
    return ContactPoint(label, apart - radius_one - radius_other, place, tangents_across(k, n))


def corners_on_plane(k, labels, a, b, corners):
    """Corners of a shape, in its own axes, above a plane."""
    fixed = [tuple(a.shape.at + a.shape.R_BS @ np.asarray(corner)) for corner in corners]
    where = zip(labels, (k.point((a.body, corner)) for corner in fixed), strict=True)
    return [point_on_plane(k, label, one, a.body, b) for label, one in where]


def numbered(count) -> list[str]:
    """Labels of so many points."""
    return [str(number) for number in range(1, count + 1)]
