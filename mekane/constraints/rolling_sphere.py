"""A sphere that rolls on a plane without slipping."""

from mekane.algebra.triples import scale, sub
from mekane.constraints._rolling import rolling
from mekane.constraints._table import table
from mekane.model.constraint import Constraint, End, direction, end, number
from mekane.model.geometry.solid import placed


class RollingSphere(Constraint):
    """A sphere that rolls without slip on a plane; it may spin about the normal.

    The plane goes through `on` and has the normal `normal` (towards the sphere), both in that body's frame.
    Its reaction is the contact force on the sphere.
    """

    example = 's.rolling_sphere("ball", (wheel, (0, 0, 0)), radius=0.3)'
    centre: End = end(meaning="centre of the sphere: (body, point in its frame)")
    radius: float = number("length", above_zero=True, meaning="radius of the sphere")
    on: End = end(("ground", (0.0, 0.0, 0.0)), meaning="a point of the plane: (body, point in its frame)")
    normal: tuple = direction(
        "z", frame="on", meaning="normal of the plane towards the sphere, in the frame of the body of `on`"
    )

    def place(self, k):
        return sub(k.point(self.centre), scale(self.radius, k.direction(self.on.body, self.normal)))

    def equations(self, k):
        return rolling(k, self.centre.body, self.place(k), self.on, self.normal)

    def solids(self, system):
        yield self.centre.body, placed("sphere", (self.radius,), self.centre.point)
        yield from table(system, self, self.radius)
