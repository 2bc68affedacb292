"""Sides of a contact: a body with its shape, or a body and the shape, plane or point of it that touches."""

from dataclasses import fields
from typing import NamedTuple

from mekane.errors import ModelError, did_you_mean
from mekane.model.constraint import _field
from mekane.model.geometry.curved import CURVED, Curved, curved_from
from mekane.model.geometry.mesh import Mesh
from mekane.model.geometry.shapes import Shape, shape_from
from mekane.model.geometry.surfaces import Plane, Point
from mekane.model.record import plain_numbers
from mekane.model.values.units import is_list, shown, vector

REMEDY = 'Write a body with a shape, (body, mk.Sphere("5 cm")), (body, mk.Plane(normal="z")) or (body, (x, y, z)).'


class Side(NamedTuple):
    """What of a body touches, in its frame: a Shape, a Plane, a surface given by an expression or a Point."""

    body: str
    shape: Shape | Plane | Curved | Point


def side(meaning=""):
    """A field of that kind."""
    return _field(read_side, write_side, type="SideLike", meaning=meaning, unit="m")


def read_side(system, part, what, given) -> Side:
    if not is_list(given):
        body = system.find_body(given, part)
        if getattr(body, "shape", None) is None:
            problem = f"{what} is body {body.name!r}, which has no shape"
            raise ModelError(part, problem, "it must be known what of it touches", REMEDY)
        return Side(body.name, touching(system, body.shape, part))
    if len(given) != 2:
        raise ModelError(part, f"{what} is {shown(given)}", "a body and what of it touches are expected", REMEDY)
    return Side(system.find_body(given[0], part).name, read_surface(system, given[1], part, what))


def with_curves(given):
    """A side as it is, but for one from a file whose surface is given by an expression: that becomes its own object, which
    keeps the names of parameters."""
    if is_list(given) and len(given) == 2 and is_curve(given[1]):
        return given[0], curved_from(given[1], "contact")
    return given


def is_curve(given) -> bool:
    return isinstance(given, dict) and len(given) == 1 and set(given) <= set(CURVED)


def read_surface(system, given, part, what):
    if is_curve(given):
        given = curved_from(given, part)
    if isinstance(given, Curved):
        return given.read(system, part)
    if isinstance(given, Shape | Plane):
        return touching(system, given, part)
    if isinstance(given, dict) and set(given) == {"plane"}:
        return plane_from(given["plane"], part)
    if isinstance(given, dict):
        return touching(system, shape_from(given, part), part)
    return Point(plain_numbers(vector(given, "length", part, what)))


def touching(system, shape, part):
    """The shape that touches: of a mesh its convex hull, which is noted."""
    if not isinstance(shape, Mesh):
        return shape
    try:
        hull, remark = shape.convex_hull, f"{part}: {shape.hull_remark()}."
    except ModelError as error:
        raise type(error)(f"{part}, {error.part}", error.problem, error.expected, error.remedy) from None
    if remark not in system.notes:
        system.notes.append(remark)
    return hull


def plane_from(given, part) -> Plane:
    """From the file form, {"normal": …, "at": …} or the normal alone."""
    keywords = given if isinstance(given, dict) else {"normal": given}
    known = [f.name for f in fields(Plane)]
    for keyword in keywords:
        if keyword not in known:
            hint = did_you_mean(str(keyword), known)
            raise ModelError(f"{part}, plane", f"it has no {keyword!r}", f"it takes {', '.join(known)}", hint)
    return Plane(**keywords)


def write_side(one: Side, part, what):
    return [one.body, one.shape.to_dict()]
