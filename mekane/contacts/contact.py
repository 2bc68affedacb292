"""Contact of two bodies."""

import numpy as np

from mekane.algebra.triples import add, cross, dot, scale, sub
from mekane.contacts.pairs import contact_points, labels_of, refuse_no_pair
from mekane.errors import ModelError
from mekane.expressions.traced_number import reals
from mekane.model.constraint import direction, number, position, value, velocity
from mekane.model.geometry.contact_side import Side, side, with_curves
from mekane.model.plane import plane_axes
from mekane.model.set_valued import LAWS, Element, SetValued, choice, refuse_friction, refuse_restitution
from mekane.model.values.values import Value, is_zero

RESISTANCES = ("rolling", "spinning")


def joined(label, what):
    return f"{label}.{what}" if label else what


class Contact(SetValued):
    """Two bodies that touch and do not enter each other, with Coulomb friction: |F_T| ≤ friction × F_N; what sticks does
    not move. They rebound with the coefficient of restitution that is given.

    Each side is a body (its shape), (body, shape), (body, mk.Plane(…)) or (body, point); the second may be (body,
    mk.HeightField(…)) or (body, mk.Cam(…)), too. A cylinder touches a plane with its rims while it is tilted or lies; one
    that stands, with the corners of a mk.Polygon.
    """

    at_points = True
    structural = ("across", "rolling", "spinning")
    example = 's.contact("floor", (arm, (0, 0, -0.5)), (s.ground, mk.Plane(at=(0, 0, -2), normal="z")), friction=0.3)'
    a: Side = side(meaning="a body, (body, shape) or (body, point in its frame)")
    b: Side = side(meaning="the other: a body, (body, shape) or (body, mk.Plane(…))")
    friction: Value = value("number", 0.0, meaning="coefficient of friction while it slides")
    static: Value | None = value("number", None, meaning="coefficient while it sticks; by default as sliding")
    restitution: float = number("number", 0.0, meaning="0: no rebound, 1: no loss")
    law: str = choice(LAWS, "poisson", meaning="law of restitution: poisson, stronge, newton or phases")
    across: float = number(
        "number", 1.0, above_zero=True, meaning="friction across the direction `along`, over that along it"
    )
    along: tuple = direction(
        "x", meaning="where friction is not the same in all directions: one of them, in the frame of b"
    )

    rolling: float = number("length", 0.0, meaning="resistance to rolling: a torque of at most this length × F_N")
    spinning: float = number("length", 0.0, meaning="the same to spinning about the normal")

    @classmethod
    def create(cls, system, name, *args, **keywords):
        keywords = {keyword: with_curves(one) for keyword, one in keywords.items()}
        made = super().create(system, name, *map(with_curves, args), **keywords)
        made.refuse_in_plane(system)
        return made

    def check(self):
        if self.a.body == self.b.body:
            raise ModelError(self.part, f"both sides are on body {self.a.body!r}", "two different bodies are expected")
        refuse_no_pair(self)
        refuse_restitution(self, self.restitution)
        refuse_friction(self, self.friction, self.static)
        for what in RESISTANCES:
            refuse_friction(self, getattr(self, what), None, (what, "static"))

    def refuse_in_plane(self, system):
        if reals(self.across) != 1.0 and system.plane:
            problem = f"across is {float(reals(self.across)):g} in a planar model"
            raise ModelError(self.part, problem, "all motion is along one direction there", "Leave it out.")

    def labels(self, system):
        found = labels_of(self.a, self.b, system)
        return found + [joined(label, one) for label in found for one in self.resistances(system)]

    def resistances(self, system):
        """Names of what is resisted besides sliding."""
        return [
            one for one in RESISTANCES if reals(getattr(self, one)) > 0.0 and not (one == "spinning" and system.plane)
        ]

    @property
    def acts_on(self):
        return self.a.body if self.a.body != "ground" else self.b.body

    def touched(self, system):
        return [self.a.body, self.b.body]

    def body_pairs(self):
        return [(self.a.body, self.b.body)]

    def elements(self, k):
        points = contact_points(k, self.a, self.b)
        found = [self.element(k, point) for point in points]
        return found + [self.resistance(k, point, one) for point in points for one in self.resistances(k.system)]

    def resistance(self, k, point, what):
        """Of rolling or spinning of the bodies relative to each other: their angular velocities along or across the surface."""
        turning = sub(k.angular_velocity(self.a.body), k.angular_velocity(self.b.body))
        if k.system.plane:
            axes = [tuple(plane_axes(k.system.plane)[:, 2])]
        else:
            axes = point.tangents if what == "rolling" else [cross(*point.tangents)]
        rates = tuple(velocity(dot(axis, turning)) for axis in axes)
        return Element(joined(point.label, what), None, rates, getattr(self, what), pressed_by=point.label)

    def element(self, k, point):
        slip = sub(k.velocity_at(self.a.body, point.place), k.velocity_at(self.b.body, point.place))
        rough = self.static is not None or not is_zero(self.friction)
        tangents = tuple(velocity(dot(t, slip)) for t in self.tangents(k, point)) if rough else ()
        return Element(
            point.label,
            position(point.gap),
            tangents,
            self.friction,
            self.static,
            self.restitution,
            self.law,
            point.place,
            across=self.across,
        )

    def tangents(self, k, point):
        """Of the point, or along and across the direction in which friction is another: stretched by how much it is, so that
        the ellipse of friction is a disc. What slides dissipates the most that it can."""
        if reals(self.across) == 1.0:
            return point.tangents
        first, second = point.tangents
        x, y = (dot(k.direction(self.b.body, self.along), t) for t in point.tangents)
        size = np.sqrt(x * x + y * y)
        along = add(scale(x / size, first), scale(y / size, second))
        across = sub(scale(x / size, second), scale(y / size, first))
        return along, scale(self.across, across)
