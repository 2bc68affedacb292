"""Targets of assembly and inverse kinematics: named positions and the values they shall have.

{"crank.angle": "30 deg", "rod.position.x": 0.1, "hand": {"position": (x, y, z), "orientation": ("z", "30 deg")}}
"""

from typing import NamedTuple

import numpy as np

from mekane.analyses.kinematics.named_positions import Attitude, Point, find
from mekane.errors import ModelError, did_you_mean
from mekane.model.values.orientation import quaternion_from_matrix
from mekane.model.values.units import is_list, shown, vector

KEYWORDS = ("position", "orientation", "point")


class Target(NamedTuple):
    """A named position and the value it shall have [m, rad or rotation matrix]; `given`: as the user wrote it."""

    position: object
    value: np.ndarray
    given: object = None

    @property
    def name(self):
        return self.position.name

    def scale(self, size):
        return 1.0 / size if self.position.dimension == "length" else 1.0

    def residual(self, here):
        """What a configuration misses it by, lengths in sizes of the mechanism."""
        return np.atleast_1d(self.position.residual(here, self.value)) * self.scale(here.of.size)

    def derivatives(self, here):
        """Of the residual along the speeds: a row for each component."""
        return np.atleast_2d(self.position.derivatives(here)) * self.scale(here.of.size)

    def wanted(self):
        """The value as results have it: a number, a point or a quaternion."""
        if isinstance(self.position, Attitude):
            return quaternion_from_matrix(self.value)
        return self.value if self.position.labels else float(self.value[0])

    def found(self, here):
        """The value in a configuration; of an angle with the whole turns of the wanted one, of a quaternion its
        sign."""
        if isinstance(self.position, Attitude):
            e = self.position.value(here)
            return e if e @ self.wanted() >= 0 else -e
        if self.position.labels:
            return self.position.value(here)
        return float(self.value[0] + self.position.residual(here, self.value)[0])


def position_target(system, name, given, part):
    """The Target of one name; its value may have units."""
    position = find(system, name, part)
    return Target(position, position.read(given, part), given)


def body_targets(system, name, given, part):
    """Targets of a body: {"position": …, "orientation": …, "point": …}, the point in its own frame."""
    body = system.find_body(name, part).name
    part = f"{part}, {body!r}"
    for keyword in given:
        if keyword not in KEYWORDS:
            hint = did_you_mean(keyword, KEYWORDS).strip()
            raise ModelError(part, f"unknown keyword {keyword!r}", f"it takes {', '.join(KEYWORDS)}", hint)
    if body == "ground" or not {"position", "orientation"} & set(given):
        raise ModelError(part, f"it is {shown(given)}", "a position or an orientation of a moving body is expected")
    place = tuple(vector(given["point"], "length", part, "point")) if is_list(given.get("point")) else (0.0, 0.0, 0.0)
    positions = {
        "position": Point(f"{body}.position", body, place),
        "orientation": Attitude(f"{body}.orientation", body),
    }
    return [
        Target(position, position.read(given[keyword], part), given[keyword])
        for keyword, position in positions.items()
        if keyword in given
    ]
