"""Commands of the command line, one file each. A file in this folder is found by being there: `@register` declares each
of its commands. What a command needs it imports when it is called, so that the program starts quickly."""

from collections.abc import Callable
from typing import NamedTuple

from mekane.plugins import import_files


class Command(NamedTuple):
    place: int  # in the list of `mekane --help`, from the top
    name: str
    function: Callable
    hidden: bool


_registered: dict[str, Command] = {}


def register(name: str, place: int, hidden: bool = False):
    """Decorator: the function is the command `mekane NAME`.

    place: its place in the list of `mekane --help`, from the top.  hidden: it is not listed."""

    def declare(function):
        _registered[name] = Command(place, name, function, hidden)
        return function

    return declare


def commands() -> list[Command]:
    """All commands of this folder, in the order of the help."""
    import_files(__name__, __path__)
    return sorted(_registered.values())
