"""Where in the text an error is."""

import re

from mekane.errors import ModelError
from mekane.importers.text_places import places
from mekane.model import construction_log

PARTS = (*(construction_log.SECTIONS.get(one, one) for one in construction_log.PARTS), "parameters", "speeds")
OUTER = ((), *((section,) for section in PARTS))
LINE = re.compile(r"line (\d+)(?:, column (\d+))?")


def located(error, text: str) -> dict:
    """The error as plain data, with line and column (from 1 on; 0 where the place is not known)."""
    fields = {name: str(getattr(error, name, "")) for name in ("part", "problem", "expected", "remedy")}
    line, column = place_of(error, text) if isinstance(error, ModelError) else (0, 0)
    return {**fields, "text": str(error), "line": line, "column": column}


def place_of(error: ModelError, text: str) -> tuple[int, int]:
    found = LINE.search(error.problem)
    if found and error.part.endswith(("YAML text", ".yaml", ".yml")):
        return int(found[1]), int(found[2] or 1)
    try:
        known = places(text)
    except Exception:  # the text cannot be read: nothing in it has a place
        return 0, 0
    place = named_in(error, known)
    if place is None:
        return 0, 0
    at = place.key if place.kind in ("mapping", "list") and "\n" in text[place.key : place.begin] else place.begin
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def named_in(error, known):
    """The smallest thing that the error names: "joints › hinge: axis", an option, a part in quotes, or a section."""
    if "system '" in error.part:  # errors of the whole system name its parts
        return quoted_in(error, known) or in_section(error, known) or first_keyword(error, known)
    return (
        known.get(("simulate", error.part))
        or in_section(error, known)
        or quoted_in(error, known)
        or first_keyword(error, known)
    )


def in_section(error, known):
    where = [path for path in known if path and names(error, path)]
    if not where:
        return None
    path = max(where, key=len)
    keywords = re.findall(r"\w+", error.part.partition(" › ".join(path))[2] + " " + error.problem)
    return (
        next((known[*path, keyword] for keyword in keywords if (*path, keyword) in known), None)
        or value_in(error, known, path)
        or known[path]
    )


def value_in(error, known, path):
    """ "'bog' is not a body": where that value is."""
    quoted = re.match(r"'([^']+)'", error.problem)
    return next(
        (place for inner, place in known.items() if quoted and place.text == quoted[1] and inner[: len(path)] == path),
        None,
    )


def names(error, path) -> bool:
    if len(path) > 2 or not isinstance(path[-1], str) or path[-1] not in error.part:
        return False
    if re.search(rf"(^|, |: ){re.escape(' › '.join(path))}($|[:,])", error.part):
        return True
    return (
        len(path) == 2
        and path[0] in PARTS
        and re.search(rf"(?<!system )(?<!motion of ){re.escape(repr(path[1]))}", error.part) is not None
    )


def quoted_in(error, known):
    """The last part, or section, that the problem names in quotes; where it is about rates, its rate."""
    found = [path for path in known if path and path[:-1] in OUTER and repr(path[-1]) in error.problem]
    if not found:
        return None
    return known.get((*found[-1], "rate"), known[found[-1]]) if "rates" in error.problem else known[found[-1]]


def first_keyword(error, known):
    """ "gravity is 'down'" """
    return known.get((re.match(r"\w*", error.problem)[0],))
