"""Impulse: what an event does to the momentum of a body."""

from collections.abc import Mapping
from dataclasses import dataclass

from mekane.errors import ModelError
from mekane.model.attachments import AtPoint
from mekane.model.names import quoted
from mekane.model.values.expression import read_expressions
from mekane.model.values.parameters import numbers
from mekane.model.values.units import is_list, shown
from mekane.model.values.values import Value

KINDS = {"impulse": "impulse", "torque_impulse": "angular_impulse"}  # keyword → dimension


@dataclass(frozen=True)
class Impulse:
    """An impulse [N s] or angular impulse [N m s] on a body. With `opposite`, its negative acts on that body, at the
    same place in space, so that momentum and angular momentum of the two together do not change."""

    body: str
    components: tuple[Value, Value, Value]
    point: tuple[float, float, float]  # where it acts, in the body's frame [m]; an angular impulse: the mass centre
    is_torque: bool
    opposite: str | None
    frame: str  # axes of the components: "world" or "body"


def read_impulses(system, part: str, impulse, torque_impulse, at, between, frame) -> tuple[Impulse, ...]:
    """From the arguments of System.event."""
    pair = _pair(system, part, between)
    forces = _by_body(system, part, "impulse", impulse, pair)
    torques = _by_body(system, part, "torque_impulse", torque_impulse, pair)
    if not forces and not torques and (between is not None or not (isinstance(frame, str) and frame == "world")):
        what = "frame" if between is None else "between"
        raise ModelError(part, f"{what} is given without impulse", "it belongs to an impulse", "Add impulse=.")
    points = _points(system, part, at, forces)

    def made(what, body, given):
        acts = AtPoint.read(system, part, body, points.get(body), frame)
        components = read_expressions(system, given, KINDS[what], part, what, "an impulse is an expression")
        return Impulse(
            body, components, acts.point, what == "torque_impulse", _other(part, pair, body, what), acts.frame
        )

    return tuple(
        made(what, body, given)
        for what, found in (("impulse", forces), ("torque_impulse", torques))
        for body, given in found.items()
    )


def _pair(system, part: str, between) -> tuple[str, ...]:
    if between is None:
        return ()
    if not is_list(between) or len(between) != 2:
        remedy = 'Write between=("shell", "core").'
        raise ModelError(part, f"between is {shown(between)}", "two bodies are expected", remedy)
    pair = tuple(system.find_body(body, part).name for body in between)
    if "ground" in pair:
        remedy = 'Leave out between, and write impulse={"shell": (0, 0, 5)}.'
        raise ModelError(part, "one of its bodies is the ground", "two moving bodies are expected", remedy)
    if pair[0] == pair[1]:
        raise ModelError(part, f"both bodies are {pair[0]!r}", "two different bodies are expected")
    return pair


def _other(part: str, pair: tuple[str, ...], body: str, what: str) -> str | None:
    """The body that the opposite impulse acts on."""
    if not pair:
        return None
    if body not in pair:
        remedy = f"Name one of {quoted(pair)}, or leave out between."
        raise ModelError(part, f"{what} acts on {body!r}", f"it acts between {quoted(pair)}", remedy)
    return pair[0] if body == pair[1] else pair[1]


def _by_body(system, part: str, what: str, given, pair) -> dict:
    """Components by the name of the body: {body: (x, y, z)}, or (x, y, z) alone for the second of a pair."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        if not pair:
            remedy = f'Write {what}={{"shell": (0, 0, 5)}}.'
            raise ModelError(part, f"{what} is {shown(given)}", "bodies and components are expected", remedy)
        return {pair[1]: given}
    found = {system.find_body(body, part).name: components for body, components in given.items()}
    if not found or (pair and len(found) > 1):
        expected = "one body of the two is expected" if pair else "at least one body is expected"
        raise ModelError(part, f"{what} is {shown(given)}", expected, f'Write {what}={{"shell": (0, 0, 5)}}.')
    return found


def _points(system, part: str, at, forces: dict) -> dict:
    """Where impulses act, by body; the mass centre of those that are not here."""
    if at is None:
        return {}
    if not forces:
        raise ModelError(part, f"at is {shown(at)}, and there is no impulse", "at is where an impulse acts")
    at = numbers(system, at, part, "at")
    if not isinstance(at, Mapping):
        if len(forces) > 1:
            remedy = f'Write at={{"{next(iter(forces))}": (0, 0, 0.1)}}.'
            raise ModelError(part, f"at is one point for {quoted(forces)}", "one for each is expected", remedy)
        return {next(iter(forces)): at}
    found = {system.find_body(body, part).name: point for body, point in at.items()}
    for body in found:
        if body not in forces:
            raise ModelError(part, f"at has {body!r}", f"impulses act on {quoted(forces)}", "Leave it out.")
    return found
