"""What a slider says last holds. Initial positions and rates that cannot be had beside it give way, the oldest
first."""

import re

from mekane.errors import ModelError
from mekane.importers.text_places import places, without

PINS = re.compile(r"\bassemble\b|\bpin '")  # parts of errors about initial positions
RATES = "initial rates given"  # of their words if they are about rates


def answered(text: str, path, ask):
    """(text, ask(text), names of what gave way to the value at path). If nothing helps, the error of the last try."""
    tried, gone = text, []
    while True:
        try:
            return tried, ask(tried), gone
        except ModelError as error:
            loser = next_loser(tried, path, error) if path else None
            if loser is None:
                raise
            tried = without(tried, loser)
            gone.append(".".join(loser[1:]))


def next_loser(text: str, path: tuple, error: ModelError):
    """The path of what is to give way; None if there is nothing or if it would not help."""
    if RATES in error.problem:
        told = [p for p in places(text) if len(p) == 3 and p[0] == "joints" and p[2] == "rate"]
    elif path[0] == "assemble" and PINS.search(error.part):
        told = [p for p in places(text) if len(p) == 2 and p[0] == "assemble"]
    else:
        return None
    return next((p for p in told if p != path[: len(p)]), None)
