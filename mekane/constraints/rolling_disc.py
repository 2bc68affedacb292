"""A disc, or a wheel with a round edge, that rolls on a plane without slipping."""

from mekane.algebra.triples import add, dot, scale, sub, unit
from mekane.constraints._rolling import rolling
from mekane.constraints._table import THICK, table
from mekane.errors import ModelError
from mekane.model.constraint import Constraint, End, direction, end, number
from mekane.model.geometry.solid import wheel


class RollingDisc(Constraint):
    """A disc that rolls without slip on a plane: radius and axis of the disc, a round edge (torus) of radius `tube` if
    there is one.

    The plane goes through `on` and has the normal `normal`, both in that body's frame. Its reaction is the contact
    force on the disc.
    """

    example = 's.rolling_disc("tyre", (wheel, (0, 0, 0)), radius=0.3, axis="y")'
    centre: End = end(meaning="centre of the disc: (body, point in its frame)")
    radius: float = number("length", above_zero=True, meaning="radius of the circle at the middle of the edge")
    axis: tuple = direction("y", frame="centre", meaning="axis of the disc, in its body's frame")
    tube: float = number("length", 0.0, meaning="radius of a round edge")
    on: End = end(("ground", (0.0, 0.0, 0.0)), meaning="a point of the plane: (body, point in its frame)")
    normal: tuple = direction("z", frame="on", meaning="normal of the plane, in the frame of the body of `on`")

    def check(self):
        if self.tube.real < 0.0:
            raise ModelError(
                self.part, f"tube is {self.tube:g} m", "it must not be negative", "Leave it out for a sharp edge."
            )

    def place(self, k):
        n, a = k.direction(self.on.body, self.normal), k.direction(self.centre.body, self.axis)
        down = unit(sub(scale(dot(n, a), a), n))  # in the disc's plane
        return sub(add(k.point(self.centre), scale(self.radius, down)), scale(self.tube, n))

    def equations(self, k):
        return rolling(k, self.centre.body, self.place(k), self.on, self.normal)

    def solids(self, system):
        thick = max(2 * self.tube, THICK * self.radius)
        yield self.centre.body, wheel(self.radius + self.tube, thick, self.centre.point, self.axis)
        yield from table(system, self, self.radius)
