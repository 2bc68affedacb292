"""Colours of bodies and shapes: given by name, as "#rrggbb" or as red, green, blue from 0 to 1; "#rrggbb" from then on."""

import re

import numpy as np

from mekane.errors import ModelError, did_you_mean
from mekane.model.values.units import is_list, shown

NAMES = {
    "black": "#1c1c1c", "white": "#f2f2f2", "grey": "#8c8c8c", "gray": "#8c8c8c", "silver": "#c0c0c0", "red": "#cc3333",
    "green": "#2e8b3d", "blue": "#3366cc", "yellow": "#e6c229", "orange": "#e8821e", "purple": "#7d4fa8", "brown": "#8b5a2b",
    "pink": "#e389b9", "teal": "#2a8f8f", "cyan": "#35b5c4", "magenta": "#c03aa6", "steel": "#8a949e", "brass": "#b5a642",
    "copper": "#b87333",
}  # fmt: skip
EXPECTED = 'a name such as "orange", "#rrggbb" or three numbers from 0 to 1 are expected'


def colour_from(given, part: str) -> str | None:
    """The colour as "#rrggbb"; None if none is given."""
    if given is None:
        return None
    if isinstance(given, str):
        return _from_text(given.strip().lower(), given, part)
    if is_list(given) and len(given) == 3:
        return colour_of_shares(_shares(given, part))
    raise ModelError(part, f"color is {shown(given)}", EXPECTED)


def colour_of_shares(shares) -> str:
    """Red, green and blue, each from 0 to 1, as "#rrggbb"."""
    return "#" + "".join(f"{round(255 * float(np.clip(x, 0.0, 1.0))):02x}" for x in shares)


def _from_text(text: str, given: str, part: str) -> str:
    if re.fullmatch("#[0-9a-f]{6}", text):
        return text
    if re.fullmatch("#[0-9a-f]{3}", text):
        return "#" + "".join(2 * digit for digit in text[1:])
    if text in NAMES:
        return NAMES[text]
    hint = did_you_mean(text, NAMES).strip() or f"Names are {', '.join(NAMES)}."
    raise ModelError(part, f"color is {shown(given)}", EXPECTED, hint)


def _shares(given, part: str) -> list[float]:
    try:
        shares = [float(x) for x in given]
    except (TypeError, ValueError):
        shares = [np.nan]
    if not all(0.0 <= x <= 1.0 for x in shares):
        raise ModelError(part, f"color is {shown(given)}", EXPECTED)
    return shares
