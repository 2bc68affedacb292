"""A knife edge on a plane."""

from mekane.constraints._edge import across, no_motion, refuse_upright
from mekane.model.constraint import Constraint, End, direction, end


class KnifeEdge(Constraint):
    """A skate: a point of a body does not move across its edge, whose direction `along` is fixed in the body.  side ·
    v = 0

    The plane goes through `on` and has the normal `normal`, both in that body's frame; `side` is normal × edge, a unit
    vector in the plane. It does not hold the point on the plane. Its reaction is the force on the edge.
    """

    point: End = end()
    along: tuple = direction("x", frame="point")
    on: End = end(("ground", (0.0, 0.0, 0.0)))
    normal: tuple = direction("z", frame="on")

    def initialized(self, system):
        refuse_upright(system, self)
        return self

    def equations(self, k):
        side, _ = across(k, self)
        return [no_motion(k, self.point, self.on.body, side)]
