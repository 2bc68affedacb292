"""Surfaces that bodies touch and that have no volume: planes."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from mekane.model.record import Record, plain_numbers
from mekane.model.values.orientation import direction
from mekane.model.values.parameters import has_parameters, written
from mekane.model.values.units import vector


@dataclass(frozen=True, eq=False)
class Plane(Record):
    """The plane through `at` whose normal points to the side on which others are, both in the frame of its body."""

    at: Any = (0.0, 0.0, 0.0)
    normal: Any = "z"

    def __post_init__(self):
        if has_parameters([self.at, self.normal]):
            return  # the system that it is used in knows the numbers
        object.__setattr__(self, "at", plain_numbers(vector(self.at, "length", "plane", "at")))
        object.__setattr__(self, "normal", plain_numbers(direction(self.normal, "plane", "normal")))

    def arguments(self) -> dict:
        return {"at": self.at, "normal": self.normal}

    def with_arguments(self, number) -> "Plane":
        return type(self)(**{keyword: number(one, keyword) for keyword, one in self.arguments().items()})

    def to_dict(self) -> dict:
        """The file form."""
        at = {} if not has_parameters(self.at) and not np.any(np.asarray(self.at)) else {"at": written(self.at)}
        return {"plane": {**at, "normal": written(self.normal)}}


@dataclass(frozen=True, eq=False)
class Point(Record):
    """A point of a body, in its frame."""

    at: Any

    def to_dict(self):
        return list(self.at)
