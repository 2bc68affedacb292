"""An ellipsoid that rolls on a plane without slipping: a rattleback, an egg."""

from mekane.algebra.triples import add, dot, length, scale, sub
from mekane.constraints._rolling import rolling
from mekane.constraints._table import table
from mekane.model.constraint import Constraint, End, direction, end, lengths
from mekane.model.geometry.solid import placed
from mekane.model.values.orientation import AXES


class RollingEllipsoid(Constraint):
    """An ellipsoid that rolls without slip on a plane: its semi-axes are along the axes of the body, about a centre.

    axes: the three semi-axes. The plane goes through `on` and has the normal `normal` (towards the ellipsoid), both in
        that body's frame. Its reaction is the contact force on the ellipsoid.
    """

    example = 's.rolling_ellipsoid("egg", (wheel, (0, 0, 0)), axes=(0.2, 0.2, 0.3))'
    centre: End = end(meaning="centre of the ellipsoid: (body, point in its frame)")
    axes: tuple = lengths(meaning="semi-axes along the axes of the body")
    on: End = end(("ground", (0.0, 0.0, 0.0)), meaning="a point of the plane: (body, point in its frame)")
    normal: tuple = direction(
        "z", frame="on", meaning="normal of the plane towards the ellipsoid, in the frame of the body of `on`"
    )

    def place(self, k):
        """The lowest point: −A² n / |A n| from the centre, A the matrix of semi-axes."""
        n = k.direction(self.on.body, self.normal)
        along = [k.direction(self.centre.body, AXES[axis]) for axis in "xyz"]
        An = [a * dot(e, n) for a, e in zip(self.axes, along, strict=True)]
        x, y, z = (scale(a * component, e) for a, component, e in zip(self.axes, An, along, strict=True))
        return sub(k.point(self.centre), scale(1.0 / length(tuple(An)), add(x, add(y, z))))

    def equations(self, k):
        return rolling(k, self.centre.body, self.place(k), self.on, self.normal)

    def solids(self, system):
        yield self.centre.body, placed("ellipsoid", self.axes, self.centre.point)
        yield from table(system, self, max(self.axes))
