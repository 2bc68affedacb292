"""A slider that was moved: the text with another number in that place."""

import math

from mekane.errors import ModelError
from mekane.importers.text_places import places, with_text, with_value
from mekane.view.studio.literals import literals_in, with_number

DIGITS = 7


ANGLES = [unit + per for unit in ("deg", "turn", "rev", "mrad") for per in ("", "/s")]


def with_slider_value(text: str, path: list, value: float, unit: str = "") -> str:
    """The text with this number there, in the unit that stands there, or in that of the slider where nothing does; the
    number that stands there already leaves it as it is."""
    path = checked(path)
    if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value):
        raise ModelError(
            "slider", f"its value is {value!r}", "a finite number is expected", "Type a number beside the slider."
        )
    place = places(text).get(path)
    if str(path[-1]).startswith("#"):
        return with_literal(text, path, value)
    given = place.number if place else None
    if given and given[0] == value:
        return text
    written = given[1] if given else unit if unit in ANGLES else ""
    return with_value(text, path, f"{shown(value)} {written}".strip())


def with_changes(text: str, changes) -> tuple[str, tuple]:
    """The text after sliders were moved one after the other, and what the last one moved."""
    if not isinstance(changes, list):
        raise ModelError("slider", f"the changes are {changes!r}", "a list of them is expected", "Load the page again.")
    moved = ()
    for change in changes:
        text, moved = with_change(text, change)
    return text, moved


def with_change(text: str, change) -> tuple[str, tuple]:
    """The text after a slider was moved, and what it moved."""
    if not isinstance(change, dict) or not {"path", "value"} <= set(change):
        raise ModelError("slider", f"it is {change!r}", "a path and a value are expected", "Load the page again.")
    return with_slider_value(text, change["path"], change["value"], change.get("unit", "")), tuple(change["path"])


def checked(path) -> tuple:
    if not isinstance(path, list) or len(path) < 2 or not all(isinstance(key, str | int) for key in path):
        raise ModelError(
            "slider", f"its place is {path!r}", "keywords of the model are expected", "Load the page again."
        )
    return tuple(path)


def with_literal(text, path, value) -> str:
    place = places(text).get(path[:-1])
    found = literals_in(place.text) if place else []
    k = int(path[-1][1:]) if path[-1][1:].isdecimal() else -1
    if not 0 <= k < len(found):
        problem = f"{' › '.join(map(str, path))} is not in the text"
        raise ModelError("slider", problem, "a number in an expression is expected", "Change it in the text.")
    if found[k].value == value:
        return text
    return with_text(text, path[:-1], with_number(place.text, k, shown(value)))


def shown(value: float) -> str:
    return repr(float(f"{value:.{DIGITS}g}")).removesuffix(".0")
