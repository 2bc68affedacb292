"""A point that follows a given path."""

from mekane.algebra.triples import dot, sub
from mekane.errors import ModelError
from mekane.model.constraint import Constraint, End, end, position, value
from mekane.model.values.orientation import AXES
from mekane.model.values.values import Value


class Path(Constraint):
    """A point of a body follows functions of time: x, y and z from `on`, along the axes of that body; those left out
    stay free.

    Its reaction is the force that drives the point.  φ = e·r − f(t)
    """

    example = 's.path("hand", (arm, (0, 0, 0)), x="0.1*sin(2*t)")'
    is_drive = True
    point: End = end(meaning="point that is driven: (body, point in its frame)")
    x: Value = value("length", None, meaning="coordinate along x, a law of t; free if left out")
    y: Value = value("length", None, meaning="coordinate along y, a law of t; free if left out")
    z: Value = value("length", None, meaning="coordinate along z, a law of t; free if left out")
    on: End = end(("ground", (0.0, 0.0, 0.0)), meaning="where x, y, z are counted from: (body, point in its frame)")

    def check(self):
        if self.x is self.y is self.z is None:
            raise ModelError(
                self.part, "none of x, y and z is given", "at least one is expected", 'Write x="0.1*sin(t)".'
            )

    def equations(self, k):
        r = sub(k.point(self.point), k.point(self.on))
        given = {axis: getattr(self, axis) for axis in "xyz" if getattr(self, axis) is not None}
        return [position(dot(k.direction(self.on.body, AXES[axis]), r) - f) for axis, f in given.items()]
