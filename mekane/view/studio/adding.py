"""A body or a joint that was added by two places on the stage: the text with its line.

A new body is a rod from the first place to the second, held at the first one if that is wished. A joint holds the first
body to the second one, at the last place that is on a body.
"""

from dataclasses import dataclass
from statistics import median

import numpy as np

from mekane.errors import ModelError
from mekane.importers._yaml_text import read_data
from mekane.importers.text_places import places, quoted, with_part
from mekane.importers.yaml import described, from_dict
from mekane.model.names import RESERVED
from mekane.model.values.orientation import frame_with_z, quaternion_from_matrix

DIRECTIONS = {"pin": "axis", "slider": "axis", "pin_slider": "axis", "planar": "normal", "ball": "", "weld": ""}
ALIGNED = ("slider", "planar", "pin_slider", "weld")  # they hold directions, too: as they are shown
HOLDS = ("pin", "ball", "weld")  # of a new body at its first place
SAME = 1e-4  # of the mechanism: places and axes nearer than this are one
DIGITS = 7  # of a place, beside the mechanism: as many as points of a page have
SLENDER = 0.02  # radius of a new body beside its length
GROUND = "ground"


@dataclass(frozen=True)
class PickedPlace:
    """A point in the world [m] on a body (or the ground), and the pose of that body, both as shown at the start."""

    body: str
    point: np.ndarray
    position: np.ndarray
    R_NB: np.ndarray


def added(text: str, data: dict) -> dict:
    """The text with one part more, or with a body and the joint that holds it; `name`: that of the part."""
    kind, hold = str(data.get("kind")), str(data.get("hold") or "")
    if kind not in ("body", *DIRECTIONS) or hold not in ("", *HOLDS):
        expected = f"body, {', '.join(DIRECTIONS)} can be added; a body is held by {', '.join(HOLDS)}"
        raise ModelError("add", f"kind is {kind!r}, hold {hold!r}", expected, "Load the page again.")
    model = read_data(text, "YAML text", checked=True) or {}
    first, second = picked_places(data.get("places"), from_dict(model, "YAML text"))
    axis, system = unit_vector(data.get("axis")), described(model, "YAML text")
    if kind == "body":
        return with_body(text, system, first, second, hold, axis)
    name = free_name(text, kind)
    return {"text": with_part(text, "joints", name, joint_entry(system, kind, first, second, axis)), "name": name}


def with_body(text: str, system, first, second, hold: str, axis) -> dict:
    """A rod between two places; its axes are those of the world. Where the section `assemble` moves the body at the first
    place, it is described beside that one, and goes along."""
    size = size_of(system, first, second)
    shown_first = first
    first, end = (as_described(system, shown_first, one.point) for one in (first, second))
    along = end.point - first.point
    length = float(np.linalg.norm(along))
    if not length > SAME * size:
        problem, expected = "both places are the same", "a body reaches from one place to another"
        raise ModelError("add", problem, expected, "Click two places that are apart.")
    middle, name = (first.point + end.point) / 2, free_name(text, "body")
    radius = number_text(float(f"{SLENDER * length:.2g}"))  # so that it has an inertia about its axis, too
    shape = (
        f"{{rod: {number_text(*rounded([length], size))}, axis: {direction_text(along / length)}, radius: {radius}}}"
    )
    masses = [body.mass for body in system.bodies.values() if body.mass]
    mass = number_text(float(f"{median(masses) if masses else 1.0:.3g}"))
    entry = f"{{mass: {mass}, shape: {shape}, position: {vector_text(middle, size)}}}"
    new = with_part(text, "bodies", name, entry)
    if hold:
        near_end = PickedPlace(name, first.point, middle, np.eye(3))
        axis = as_described(system, shown_first, shown_first.position + axis).point - first.position
        new = with_part(new, "joints", free_name(new, hold), joint_entry(system, hold, first, near_end, axis))
    return {"text": new, "name": name}


def joint_entry(system, kind: str, first: PickedPlace, second: PickedPlace, axis) -> str:
    """By `at` where both bodies are shown as they are described; by points in their frames where the section `assemble`
    has moved one."""
    if first.body == second.body:
        remedy = "Click on another body, or beside the mechanism: that is the ground."
        raise ModelError("add", f"both places are on {first.body}", "a joint holds two bodies", remedy)
    size, keyword, place = size_of(system, first, second), DIRECTIONS[kind], second if second.body != GROUND else first
    entry = [f"{kind}: [{quoted(first.body)}, {quoted(second.body)}]"]
    if all(is_as_described(system, one, size) for one in (first, second)):
        entry += [f"at: {vector_text(place.point, size)}", *([f"{keyword}: {direction_text(axis)}"] if keyword else [])]
        return f"{{{', '.join(entry)}}}"
    # rounded on one of them, and exactly the same point on the other: there may be a loop that nothing else can close
    exact = place.position + place.R_NB @ rounded(place.R_NB.T @ (place.point - place.position), size)
    for side, end in (("a", first), ("b", second)):
        entry.append(f"on_{side}: {vector_text(end.R_NB.T @ (exact - end.position), size if end is place else None)}")
        if kind in ALIGNED:
            quaternion = quaternion_from_matrix(end.R_NB.T @ frame_with_z(axis))
            entry.append(f"frame_{side}: {vector_text(quaternion, None)}")
        elif keyword:
            entry.append(f"{keyword}_{side}: {direction_text(end.R_NB.T @ axis, exact=True)}")
    return f"{{{', '.join(entry)}}}"


def is_as_described(system, place: PickedPlace, size: float) -> bool:
    body = system.bodies.get(place.body)
    if body is None:  # the ground, or the body that is added
        return True
    moved = np.abs(np.asarray(body.position, float) - place.position).max()
    return bool(moved < SAME * size and np.abs(np.asarray(body.R_NB, float) - place.R_NB).max() < SAME)


def as_described(system, place: PickedPlace, point) -> PickedPlace:
    """A point of the world that goes along with the body of this place, and that body, where the text describes them."""
    body = system.bodies.get(place.body)
    if body is None:
        return PickedPlace(place.body, point, place.position, place.R_NB)
    position, R_NB = np.asarray(body.position, float), np.asarray(body.R_NB, float)
    return PickedPlace(place.body, position + R_NB @ place.R_NB.T @ (point - place.position), position, R_NB)


def size_of(system, *picked: PickedPlace) -> float:
    """Of the mechanism: the farthest coordinate of anything [m]."""
    points = [*(one.point for one in picked), *(body.position for body in system.bodies.values())]
    return float(np.abs(np.array(points, float)).max())


def free_name(text: str, kind: str) -> str:
    """pin, pin2, pin3 …: the first that no part has."""
    taken = {*RESERVED, *(path[1] for path in places(text) if len(path) == 2)}
    return next(name for k in range(1, len(taken) + 2) if (name := kind if k == 1 else f"{kind}{k}") not in taken)


# ---------------------------------------------------------------- what the page sends


def picked_places(given, shown) -> list[PickedPlace]:
    """shown: the system at its start."""
    if not isinstance(given, list) or len(given) != 2 or not all(isinstance(one, dict) for one in given):
        raise ModelError("add", f"the places are {given!r}", "two places are expected", "Load the page again.")
    return [picked_place(one, shown) for one in given]


def picked_place(given: dict, shown) -> PickedPlace:
    name, point = str(given.get("body")), numbers(given.get("point"), 3, "a place")
    if name == GROUND:
        return PickedPlace(name, point, np.zeros(3), np.eye(3))
    if name not in shown.bodies:
        raise ModelError(
            "add",
            f"there is no body {name!r} in the text",
            "a body of it is expected",
            "Wait for the run of the new text.",
        )
    body = shown.bodies[name]
    return PickedPlace(name, point, np.asarray(body.position, float), np.asarray(body.R_NB, float))


def unit_vector(given):
    axis = numbers(given, 3, "the axis")
    if not np.linalg.norm(axis) > 0:
        raise ModelError("add", "the axis is zero", "a direction is expected", "Choose x, y or z.")
    return axis / np.linalg.norm(axis)


def numbers(given, count: int, what: str):
    good = (
        isinstance(given, list)
        and len(given) == count
        and all(type(x) in (int, float) and abs(x) < 1e50 for x in given)
    )
    if not good:
        raise ModelError(
            "add", f"{what} is {given!r}", f"{count} numbers are expected", "Type numbers, as in 0.1, 0, 2."
        )
    return np.array(given, float)


# ---------------------------------------------------------------- as a model file has it


def rounded(v, size: float):
    """To seven digits beside `size`."""
    unit = 10.0 ** (np.floor(np.log10(size)) - DIGITS + 1) if size > 0 else 1.0
    return np.array([float(f"{round(float(x) / unit) * unit:.12g}") for x in v])


def number_text(x: float) -> str:
    return repr(float(x) + 0.0).removesuffix(".0")


def vector_text(v, size: float | None) -> str:
    """Rounded beside a size, if there is one."""
    return f"[{', '.join(number_text(x) for x in (v if size is None else rounded(v, size)))}]"


def direction_text(v, exact: bool = False) -> str:
    """x, "-y" or three numbers; exact: all their digits."""
    k = int(np.argmax(np.abs(v)))
    if np.abs(np.delete(v, k)).max() < (1e-15 if exact else SAME):
        return "xyz"[k] if v[k] > 0 else f'"-{"xyz"[k]}"'
    return vector_text(v, None if exact else 1.0)
