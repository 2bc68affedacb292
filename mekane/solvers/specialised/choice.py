"""The option `code=` of a run: its values, meant in `hand_over`."""

from mekane.errors import ModelError, did_you_mean

CODES = ("auto", "loops", "specialised")


def find_code(name):
    """`code=` as specified, checked."""
    if name not in CODES:
        remedy = did_you_mean(name, CODES) if isinstance(name, str) else ""
        raise ModelError("code", f"it is {name!r}", "'auto', 'loops' or 'specialised' is expected", remedy)
    return name
