"""Names of links and joints as names of parts: all parts of a system share one name space, and dots stand for channels."""

from mekane.importers.urdf.robot import Robot
from mekane.model.names import FORBIDDEN, RESERVED


class PartNames:
    """Names that are still free, and remarks about those that had to change."""

    def __init__(self, robot: Robot):
        self.taken, self.notes = set(), []
        self.joints = {name: self.unique(name, "joint", f"{name} joint") for name in robot.joints}
        self.links = {name: self.unique(name, "link", f"{name} link") for name in robot.links}

    def unique(self, name: str, what: str, otherwise: str) -> str:
        """The name of a part, or another one if it is taken, reserved or holds a sign that names do not have."""
        found = _without_signs(name)
        if found in self.taken or found in RESERVED or not found.strip():
            found = self.free(_without_signs(otherwise))
        if found != name:
            self.notes.append(f"{what} {name!r} is called {found!r}.")
        self.taken.add(found)
        return found

    def free(self, name: str) -> str:
        """A name that nothing has: this one, or with a number."""
        found, count = name, 1
        while found in self.taken or found in RESERVED:
            count += 1
            found = f"{name} {count}"
        self.taken.add(found)
        return found


def named(channel: str) -> str:
    """A channel of any letters as it is written in expressions."""
    return 'state["{}"]'.format(channel.replace("\\", "\\\\"))


def _without_signs(name: str) -> str:
    for sign in FORBIDDEN:
        name = name.replace(sign, "_")
    return name
