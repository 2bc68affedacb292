"""Names of a model as identifiers of a programming language: readable, none twice, the same every time."""

import re
import unicodedata

from mekane.errors import ModelError

# C99 and MATLAB distinguish names by their first 63 letters; some are left for what is put before and after
LONGEST = 48
INTERMEDIATE = re.compile(r"z\d+")
IDENTIFIER = re.compile(r"[A-Za-z]\w*", re.ASCII)


def identifiers(names, reserved):
    """An identifier for each name, in order: "hinge.angle" → hinge_angle; what is taken gets a number."""
    found, taken = [], set(reserved)
    for name in names:
        found.append(free(cleaned(name), taken))
        taken.add(found[-1])
    return found


def free(identifier, taken):
    """The identifier itself, or with the first number that makes it new."""
    candidate, number = identifier, 2
    while candidate in taken or INTERMEDIATE.fullmatch(candidate):
        candidate, number = f"{identifier}_{number}", number + 1
    return candidate


def cleaned(name):
    """ASCII letters, digits and underscores, beginning with a letter."""
    identifier = "".join(map(letter, unicodedata.normalize("NFKD", name)))
    identifier = re.sub(r"_+", "_", identifier).strip("_")[:LONGEST].strip("_") or "x"
    return identifier if identifier[0].isalpha() else f"x_{identifier}"


def letter(sign):
    """In ASCII: Greek by name, accents left out, any other letter by its number, all else an underscore."""
    if sign.isascii():
        return sign if sign.isalnum() else "_"
    if unicodedata.combining(sign):
        return ""
    parts = unicodedata.name(sign, "").split()
    if parts[:1] == ["GREEK"] and parts[2:3] == ["LETTER"]:
        return parts[3].lower() if parts[1] == "SMALL" else parts[3].capitalize()
    return f"u{ord(sign):x}" if sign.isalnum() else "_"


def checked(name, language, part):
    """The name itself, if functions of this language can be called so."""
    expected = "letters, digits and underscores are expected, a letter first"
    if not isinstance(name, str) or not IDENTIFIER.fullmatch(name):
        offered = free(cleaned(str(name)), language.reserved)
        raise ModelError(
            part, f"the name is {name!r}, which is no name in {language.title}", expected, f"Write {offered!r}."
        )
    if name in language.reserved:
        offered = free(name, language.reserved)
        raise ModelError(
            part, f"the name {name!r} means something in {language.title}", "a name of your own", f"Write {offered!r}."
        )
    return name
