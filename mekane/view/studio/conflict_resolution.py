"""Conflict resolution: the slider moved last keeps its value. Initial positions and rates that contradict it are
removed from the text, the oldest first."""

import re

from mekane.errors import ModelError
from mekane.importers.text_places import places, without

PINS = re.compile(r"\bassemble\b|\bpin '")  # parts of errors about initial positions
RATES = "initial rates given"  # in messages about rates


def resolve_conflicts(text: str, path, compute):
    """(text, compute(text), names of the values removed in favour of the one at path). If nothing helps, the error of
    the last try."""
    tried, removed = text, []
    while True:
        try:
            return tried, compute(tried), removed
        except ModelError as error:
            conflict = next_conflict(tried, path, error) if path else None
            if conflict is None:
                raise
            tried = without(tried, conflict)
            removed.append(".".join(conflict[1:]))


def next_conflict(text: str, path: tuple, error: ModelError):
    """The path of the next value to remove; None if there is none or if it would not help."""
    if RATES in error.problem:
        given = [p for p in places(text) if len(p) == 3 and p[0] == "joints" and p[2] == "rate"]
    elif path[0] == "assemble" and PINS.search(error.part):
        given = [p for p in places(text) if len(p) == 2 and p[0] == "assemble"]
    else:
        return None
    return next((p for p in given if p != path[: len(p)]), None)
