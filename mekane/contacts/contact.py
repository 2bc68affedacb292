"""Contact of two bodies."""

from mekane.algebra.triples import dot, sub
from mekane.contacts.pairs import contact_points, labels_of, refuse_no_pair
from mekane.errors import ModelError
from mekane.model.constraint import number, position, value, velocity
from mekane.model.geometry.contact_side import Side, side, with_curves
from mekane.model.set_valued import LAWS, Element, SetValued, choice, refuse_friction, refuse_restitution
from mekane.model.values.values import Value, is_zero


class Contact(SetValued):
    """Two bodies that touch and do not enter each other, with Coulomb friction: |F_T| ≤ friction × F_N; what sticks does
    not move. They rebound with the coefficient of restitution that is given.

    Each side is a body (its shape), (body, shape), (body, mk.Plane(…)) or (body, point); the second may be (body,
    mk.HeightField(…)) or (body, mk.Cam(…)), too. A cylinder touches a plane with its rims while it is tilted or lies; one
    that stands, with the corners of a mk.Polygon.
    """

    example = 's.contact("floor", (arm, (0, 0, -0.5)), (s.ground, mk.Plane(at=(0, 0, -2), normal="z")), friction=0.3)'
    a: Side = side(meaning="a body, (body, shape) or (body, point in its frame)")
    b: Side = side(meaning="the other: a body, (body, shape) or (body, mk.Plane(…))")
    friction: Value = value("number", 0.0, meaning="coefficient of friction while it slides")
    static: Value | None = value("number", None, meaning="coefficient while it sticks; by default as sliding")
    restitution: float = number("number", 0.0, meaning="0: no rebound, 1: no loss")
    law: str = choice(LAWS, "poisson", meaning="law of restitution: poisson, stronge, newton or phases")

    @classmethod
    def create(cls, system, name, *args, **keywords):
        keywords = {keyword: with_curves(one) for keyword, one in keywords.items()}
        return super().create(system, name, *map(with_curves, args), **keywords)

    def check(self):
        if self.a.body == self.b.body:
            raise ModelError(self.part, f"both sides are on body {self.a.body!r}", "two different bodies are expected")
        refuse_no_pair(self)
        refuse_restitution(self, self.restitution)
        refuse_friction(self, self.friction, self.static)

    def labels(self, system):
        return labels_of(self.a, self.b)

    @property
    def acts_on(self):
        return self.a.body if self.a.body != "ground" else self.b.body

    def elements(self, k):
        return [self.element(k, point) for point in contact_points(k, self.a, self.b)]

    def element(self, k, point):
        slip = sub(k.velocity_at(self.a.body, point.place), k.velocity_at(self.b.body, point.place))
        rough = self.static is not None or not is_zero(self.friction)
        tangents = tuple(velocity(dot(t, slip)) for t in point.tangents) if rough else ()
        return Element(
            point.label,
            position(point.gap),
            tangents,
            self.friction,
            self.static,
            self.restitution,
            self.law,
            point.place,
        )
