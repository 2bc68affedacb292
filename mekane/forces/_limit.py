"""Drives with a limit: what they can give is bounded on both sides."""

from mekane.algebra.scalar import maximum, minimum
from mekane.errors import ModelError
from mekane.forces._checks import refuse_negative
from mekane.model.values.values import is_zero

LIMIT = {"angle": "torque", "length": "force"}
MEANING = "largest force or torque, in either direction; left out, there is none"


def check_limit(force) -> None:
    refuse_negative(force, "limit", why="a limit is the largest size of a force, it has no sign")
    if force.limit is not None and is_zero(force.limit):
        raise ModelError(force.part, "limit is 0", "the drive could do nothing", "Leave limit out if there is none.")


def limited(force, wanted):
    """What is wanted, cut off at ±limit."""
    return wanted if force.limit is None else minimum(maximum(wanted, -force.limit), force.limit)
