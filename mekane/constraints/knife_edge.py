"""A knife edge on a plane."""

from mekane.constraints._edge import across, no_motion, refuse_upright
from mekane.model.constraint import Constraint, End, direction, end


class KnifeEdge(Constraint):
    """A skate: a point of a body does not move across its edge, whose direction `along` is fixed in the body.  side ·
    v = 0

    The plane goes through `on` and has the normal `normal`, both in that body's frame; `side` is normal × edge, a unit
    vector in the plane. It does not hold the point on the plane. Its reaction is the force on the edge.
    """

    example = 's.knife_edge("skate", (arm, (0, 0, -0.5)), along="x")'
    point: End = end(meaning="point of the edge: (body, point in its frame)")
    along: tuple = direction("x", frame="point", meaning="direction of the edge, in the body's frame")
    on: End = end(("ground", (0.0, 0.0, 0.0)), meaning="a point of the plane: (body, point in its frame)")
    normal: tuple = direction("z", frame="on", meaning="normal of the plane, in the frame of the body of `on`")

    def initialized(self, system):
        refuse_upright(system, self)
        return self

    def equations(self, k):
        side, _ = across(k, self)
        return [no_motion(k, self.point, self.on.body, side)]
