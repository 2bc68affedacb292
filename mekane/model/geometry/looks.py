"""How a body is drawn in place of its shape: shapes, each in a colour of its own or in that of the body."""

from collections.abc import Mapping

from mekane.errors import ModelError, did_you_mean
from mekane.model.geometry.colours import colour_from
from mekane.model.geometry.shapes import Shape, shape_from
from mekane.model.values.units import is_list, shown

KEYS = ("colour", "solids")
EXAMPLE = 'Write look=[mk.Box(1, 0.2, 0.1)], color="orange".'


def look_from(look, color, part: str) -> tuple[tuple[Shape, ...] | None, str | None]:
    """The shapes, None if those of the body are drawn, and the colour. look: a shape, several, a colour, or
    {colour: …, solids: […]}."""
    colour = colour_from(color, part)
    if isinstance(look, str):
        return None, colour or colour_from(look, part)
    if isinstance(look, Mapping) and ("solids" in look or set(look) == {"colour"}):
        _check_keys(look, part)
        return look_from(look.get("solids"), colour or look.get("colour"), part)
    if look is None:
        return None, colour
    several = list(look) if is_list(look) else [look]
    return tuple(_shape(one, part) for one in several), colour


def _check_keys(look: Mapping, part: str) -> None:
    for key in look:
        if key not in KEYS:
            hint = did_you_mean(str(key), KEYS)
            raise ModelError(part, f"look is {shown(look)}", f"it has {' and '.join(KEYS)}", EXAMPLE + hint)


def _shape(given, part: str) -> Shape:
    """From any form; in a file the colour of a shape may be called `colour`."""
    if isinstance(given, Mapping) and "colour" in given:
        given = {("color" if key == "colour" else key): one for key, one in given.items()}
    made = shape_from(given, f"{part}, look")
    if made is None:
        raise ModelError(part, "a shape of look is None", "a shape is expected", EXAMPLE)
    return made
