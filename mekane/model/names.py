"""Names of parts: one name space for bodies, joints, forces and parameters, so that "arm.angle" can mean one thing
only."""

import re
from functools import cache

from mekane.errors import ModelError

RESERVED = {"ground": "the fixed frame", "t": "the time", "state": "the state in expressions"}
FORBIDDEN = ('"', ".", "\n", "\r", "\u2028", "\u2029")
FORBIDDEN_IN_PARAMETERS = ('"', "$", "\n", "\r", "\u2028", "\u2029")  # "arm.mass" may be one; it is read as $arm.mass


def check_name(name, what: str) -> str:
    """The name itself, if it is a good name for `what` ("body", "joint", …)."""
    part = f"{what} {name!r}"
    if not isinstance(name, str):
        raise ModelError(
            part, f"the name is a {type(name).__name__}", "a name is text", 'Write it in quotes, such as "crank".'
        )
    if not name.strip():
        raise ModelError(part, "the name is empty", "a name has at least one letter", 'Give a name such as "crank".')
    for sign in FORBIDDEN if what != "parameter" else FORBIDDEN_IN_PARAMETERS:
        if sign in name:
            remedy = f"Write {name.replace(sign, '_')!r} instead."
            raise ModelError(
                part, f"the name holds {sign!r}", "names have no dots, double quotes or line breaks", remedy
            )
    if name in RESERVED:
        raise ModelError(
            part, f"the name {name!r} is reserved for {RESERVED[name]}", "a name of your own", "Choose another name."
        )
    return name


@cache
def kind_of(record_class: type) -> str:
    """The kind of a class: PinSlider → "pin_slider"."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", record_class.__name__).lower()


def quoted(names) -> str:
    """'a', 'b' and 'c'."""
    keywords = [repr(name) for name in names]
    return keywords[0] if len(keywords) == 1 else ", ".join(keywords[:-1]) + " and " + keywords[-1]


def own_measures(joint) -> list:
    """Of all that a joint measures, its coordinates."""
    return [measure for measure in joint.measures() if measure.name in joint.coordinates]


def joint_coordinates(system) -> list[str]:
    """Names of all that joints measure: "hinge.angle", "bore.displacement" …"""
    return [f"{name}.{measure.name}" for name, joint in system.joints.items() for measure in joint.measures()]
