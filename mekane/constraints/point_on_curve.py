"""A point that stays on a curve or a surface: a bead on a wire, a cam."""

import numpy as np

from mekane.algebra.triples import dot, length, sub
from mekane.constraints._cam import cam
from mekane.errors import ModelError
from mekane.expressions.graph import atan2, differentiate, evaluate, inputs, substitute, symbol
from mekane.expressions.traced_number import reals
from mekane.model.constraint import Constraint, End, axes_of, end, position, values, world
from mekane.model.values.orientation import AXES

LOCAL = {axis: symbol(axis) for axis in "xyz"}
POLAR = {"r": np.sqrt(LOCAL["x"] ** 2 + LOCAL["y"] ** 2), "theta": atan2(LOCAL["y"], LOCAL["x"])}


class PointOnCurve(Constraint):
    """A point of a body stays on a curve carried by another: each equation is an expression that is zero there.  φ = g
    / |grad g|

    In `curve` the names x, y and z are the coordinates of the point from `on`, along the axes of that body; r and theta
    (between −π and π) are the polar ones of x and y. Two equations are a curve in space; one is a surface, or a curve
    for what moves in a plane. Other names are t, parameters, joint coordinates … A cam: curve="r - (0.1 +
    0.02*cos(2*theta))". Its reaction is the force on the point.
    """

    example = 's.point_on_curve("track", (arm, (0, 0, 0)), curve="x**2 + z**2 - 0.25")'
    point: End = end(meaning="point that follows: (body, point in its frame)")
    curve: tuple = values(
        None, meaning="one or two expressions of x, y, z [m], r [m] and theta [rad] that are zero on it"
    )
    on: End = end(("ground", (0.0, 0.0, 0.0)), meaning="origin of these coordinates: (body, point in its frame)")

    def check(self):
        if len(self.curve) > 2:
            raise ModelError(
                self.part, f"curve has {len(self.curve)} equations", "one (a surface) or two (a curve) are expected"
            )
        for one in self.curve:
            if not {*LOCAL, *POLAR}.intersection(one.names()):
                problem = f"none of x, y, z, r and theta is in the equation {one.given!r}"
                raise ModelError(self.part, problem, "an expression of them that is zero on the curve is expected")

    def initialized(self, system):
        """Raise an error for an equation that has no direction where the point is at the start."""
        R = np.array([axes_of(system, self.on.body, AXES[axis]) for axis in "xyz"])
        start = dict(zip("xyz", R @ (world(system, self.point) - world(system, self.on)), strict=True))
        known = {**system.constants, "t": 0.0, **start}
        for one in self.curve:
            g = substitute(one.expr(), POLAR)
            gradient = [differentiate(g, x) for x in LOCAL.values()]
            if set(inputs([g])) <= set(known):
                found = reals(evaluate([g, *gradient], known))
                if not np.isfinite(found).all() or np.abs(found[1:]).max() == 0.0:
                    problem = f"{one.given!r} is {found[0]:g} where the point is, with the gradient {tuple(found[1:].tolist())}"
                    raise ModelError(self.part, problem, "it must be smooth there, with a gradient that is not zero")
        return self

    def resolve(self, lookup):
        return self  # its names are worked out below, where x, y, z are known

    def equations(self, k):
        away = sub(k.point(self.point), k.point(self.on))
        local = {axis: dot(k.direction(self.on.body, AXES[axis]), away) for axis in "xyz"}
        return [position(self.from_curve(k, one, local)) for one in self.curve]

    def from_curve(self, k, one, local):
        """Distance from the curve, to first order: its multiplier is a force."""
        g = k.expression(one, LOCAL | POLAR)
        distance = g / length(tuple(differentiate(g, x) for x in LOCAL.values()))
        return substitute(distance, local)

    def solids(self, system):
        return cam(system, self)
