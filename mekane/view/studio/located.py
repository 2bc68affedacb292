"""Where in the text an error is."""

import re

from mekane.errors import ModelError
from mekane.importers.text_places import places

LINE = re.compile(r"line (\d+)(?:, column (\d+))?")


def told(error, text: str) -> dict:
    """The error as plain data, with line and column (from 1 on; 0 where the place is not known)."""
    words = {word: str(getattr(error, word, "")) for word in ("part", "problem", "expected", "remedy")}
    line, column = place_of(error, text) if isinstance(error, ModelError) else (0, 0)
    return {**words, "text": str(error), "line": line, "column": column}


def place_of(error: ModelError, text: str) -> tuple[int, int]:
    found = LINE.search(error.problem)
    if found and error.part.endswith(("YAML text", ".yaml", ".yml")):
        return int(found[1]), int(found[2] or 1)
    try:
        known = places(text)
    except Exception:  # the text cannot be read: nothing in it has a place
        return 0, 0
    place = named_in(error, known)
    return (place.line + 1, place.column + 1) if place else (0, 0)


def named_in(error, known):
    """The smallest thing that the error names: "joints › hinge: axis", or a part in quotes."""
    where = [path for path in known if len(path) >= 1 and says(error, path)]
    if not where:  # "gravity is 'down'"
        return next(
            (place for path, place in known.items() if len(path) == 1 and re.match(rf"{re.escape(str(path[0]))}\b", error.problem)), None
        )
    path = max(where, key=len)
    word = re.match(r"\W*(\w+)", error.part.partition(" › ".join(map(str, path)))[2] or error.problem)
    inner = (*path, word[1]) if word else path
    return known.get(inner, known[path])


def says(error, path) -> bool:
    if len(path) > 2 or not all(isinstance(key, str) for key in path):
        return False
    joined = " › ".join(path)
    if re.search(rf"(^|, ){re.escape(joined)}($|[:,])", error.part):
        return True
    return len(path) == 2 and re.search(rf"\w+ {re.escape(repr(path[1]))}", error.part) is not None
