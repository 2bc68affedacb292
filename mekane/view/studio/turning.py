"""A knob that is turned: the text with another number in that place."""

import math

from mekane.errors import ModelError
from mekane.importers.text_places import places, with_value
from mekane.view.studio.knobs import LITERAL

DIGITS = 7


def turned(text: str, path: list, value: float) -> str:
    """The text with this number there, in the unit that stands there."""
    path = checked(path)
    if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value):
        raise ModelError("slider", f"its value is {value!r}", "a finite number is expected")
    number, known = shown(value), places(text)
    if str(path[-1]).startswith("#"):
        return with_literal(text, known, path, number)
    unit = known[path].number[1] if path in known and known[path].number else ""
    return with_value(text, path, f"{number} {unit}".strip())


def checked(path) -> tuple:
    if not isinstance(path, list) or len(path) < 2 or not all(isinstance(key, str | int) for key in path):
        raise ModelError("slider", f"its place is {path!r}", "words of the model are expected")
    return tuple(path)


def with_literal(text, known, path, number) -> str:
    place = known.get(path[:-1])
    found = list(LITERAL.finditer(text, place.begin, place.end)) if place else []
    k = int(path[-1][1:]) if path[-1][1:].isdigit() else -1
    if not 0 <= k < len(found):
        raise ModelError("slider", f"{' › '.join(map(str, path))} is not in the text", "a number in an expression is expected")
    if number.startswith("-"):
        number = f"({number})"
    return text[: found[k].start()] + number + text[found[k].end() :]


def shown(value: float) -> str:
    return repr(float(f"{value:.{DIGITS}g}")).removesuffix(".0")
