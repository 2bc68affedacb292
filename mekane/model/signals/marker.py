"""Marker: a point and axes fixed in a body."""

import numpy as np

from mekane.model.interface.kind_help import Argument
from mekane.model.named_part import NamedPart
from mekane.model.values.orientation import IDENTITY, matrix_from
from mekane.model.values.parameters import numbers
from mekane.model.values.units import vector


class Marker(NamedPart, collection="markers"):
    """A point and axes fixed in a body. Expressions and results have its position, velocity, acceleration, orientation
    and angular velocity: tip.position.x, tip.velocity.z …, world axes."""

    body: str
    at: np.ndarray  # in the body's frame [m]
    orientation: np.ndarray  # 3x3: the marker's axes in the body's frame

    takes = (
        Argument("body", "BodyLike", "body it is fixed in, or its name; s.ground is the world"),
        Argument("at", "VectorLike", "its point in the body's frame", "m", (0, 0, 0)),
        Argument("orientation", "OrientationLike", "its axes in the body's frame, as of a body", default=None),
    )
    dimensions = {"at": "length", "orientation": "angle"}
    example = 's.marker("tip", arm, at=(0, 0, -0.5))'

    @classmethod
    def read(cls, system, part, name, body, at, orientation):
        found = system.find_body(body, part)
        at, orientation = numbers(system, at, part, "at"), numbers(system, orientation, part, "orientation")
        return cls(name, found.name, vector(at, "length", part, "at"), matrix_from(orientation, part))

    def uses(self):
        return [self.body]

    @property
    def summary(self):
        return f"on {self.body} at ({', '.join(f'{x:g}' for x in self.at)})"

    def to_dict(self):
        turned = {} if np.array_equal(self.orientation, IDENTITY) else {"orientation": self.orientation.tolist()}
        return {"body": self.body, "at": self.at.tolist(), **turned}
