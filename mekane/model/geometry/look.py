"""How a body is drawn, where that is not its shape or made from its joints: a colour, and simple solids.

It changes nothing of the motion. In a file: look: {colour: "#b5452c", solids: [{box: [1, 0.2, 0.1], at: [0.5, 0, 0]},
{sphere: 5 cm, colour: black}]}; or only a colour: look: teal.
"""

import re
from dataclasses import dataclass, replace

from mekane.errors import ModelError, did_you_mean
from mekane.model.geometry.shapes import Shape, shape_from
from mekane.model.geometry.solid import Solid
from mekane.model.record import Record
from mekane.model.values.units import is_list, shown

NAMED = {
    "black": "#1c2733", "grey": "#9aa0a6", "silver": "#c9ced4", "white": "#f4f6f8", "red": "#c8372d", "orange": "#e07b28",
    "yellow": "#e3b52c", "green": "#2f8f4e", "teal": "#2a8f8f", "blue": "#2f6fb5", "purple": "#7a5bb0", "brown": "#8a5a2b",
}  # fmt: skip
KEYWORDS = ("colour", "solids")
EXAMPLE = 'Write look={"colour": "teal", "solids": [{"box": [1, 0.2, 0.1]}]}.'


@dataclass(frozen=True, eq=False)
class Look(Record):
    """A colour, "" for that of the palette, and solids with a colour of their own or ""."""

    colour: str
    solids: tuple[tuple[Shape, str], ...]

    def drawn(self, thin: float) -> list[Solid]:
        """Its solids in the frame of the body, with `thin` in place of a size that is zero."""
        return [replace(shape.solid(thin), colour=colour) for shape, colour in self.solids]

    def to_dict(self) -> dict:
        """The file form."""
        result = {"colour": self.colour} if self.colour else {}
        solids = [{**shape.to_dict(), **({"colour": colour} if colour else {})} for shape, colour in self.solids]
        return result | ({"solids": solids} if solids else {})


def look_from(value, part: str) -> Look | None:
    """A look as it is, or from its file form."""
    if value is None or isinstance(value, Look):
        return value
    if isinstance(value, str):
        return Look(colour_from(value, part), ())
    if not isinstance(value, dict) or not value or {*value} - {*KEYWORDS}:
        hints = "".join(did_you_mean(str(key), KEYWORDS) for key in value) if isinstance(value, dict) else ""
        raise ModelError(part, f"look is {shown(value)}", "it has colour and solids", EXAMPLE + hints)
    solids = value.get("solids", ())
    if not is_list(solids):
        raise ModelError(part, f"solids of look are {shown(solids)}", "a list of shapes is expected", EXAMPLE)
    colour = value.get("colour", "")
    return Look(colour_from(colour, part) if colour else "", tuple(solid_from(one, part) for one in solids))


def solid_from(value, part: str) -> tuple[Shape, str]:
    if isinstance(value, Shape):
        return value, ""
    colour = value.get("colour") if isinstance(value, dict) else None
    given = {key: item for key, item in value.items() if key != "colour"} if colour is not None else value
    shape = shape_from(given, f"{part}, look")
    if shape is None:
        raise ModelError(part, "a solid of look is None", "a shape is expected", EXAMPLE)
    return shape, "" if colour is None else colour_from(colour, part)


def colour_from(value, part: str) -> str:
    """As #rrggbb."""
    if isinstance(value, str) and re.fullmatch(r"#[0-9a-fA-F]{6}", value):
        return value.lower()
    if value in NAMED:
        return NAMED[value]
    hint = did_you_mean(str(value), NAMED)
    expected = f"a colour is #rrggbb or one of {', '.join(NAMED)}"
    raise ModelError(part, f"colour is {shown(value)}", expected, f'Write colour: "#2a8f8f".{hint}')
