"""A sphere that rolls on a sphere without slipping."""

from mekane.algebra.triples import add, length, scale, sub, turned_along, unit
from mekane.constraints._rolling import no_slip
from mekane.errors import ModelError
from mekane.model.constraint import Constraint, End, end, flag, number, position, world
from mekane.model.geometry.solid import placed
from mekane.model.record import plain_numbers


class RollingSpheres(Constraint):
    """Sphere b rolls without slip on sphere a: outside, or inside a bowl (inside=True).  φ = |r| − (Ra ± Rb)

    a and b are the centres. It holds in both directions: b does not take off. Its reaction is the contact force on b.
    """

    example = 's.rolling_spheres("ball", (s.ground, (0, 0, -0.7)), (wheel, (0, 0, 0)), radius_a=0.7, radius_b=0.3)'
    a: End = end(meaning="centre of sphere a: (body, point in its frame)")
    b: End = end(meaning="centre of sphere b: (body, point in its frame)")
    radius_a: float = number("length", above_zero=True, meaning="radius of sphere a")
    radius_b: float = number("length", above_zero=True, meaning="radius of sphere b")
    inside: bool = flag(meaning="True if b rolls inside a")

    def check(self):
        if self.inside and self.radius_b.real >= self.radius_a.real:
            problem = f"radius_b is {self.radius_b:g} m and radius_a {self.radius_a:g} m"
            raise ModelError(
                self.part, problem, "a sphere that rolls inside must be the smaller one", "Exchange a and b."
            )

    def initialized(self, system):
        self.start(system)
        return self

    def start(self, system):
        """Direction from a to b in the initial positions."""
        r = world(system, self.b) - world(system, self.a)
        if abs(r).max() < 1e-12:
            raise ModelError(self.part, "the centres are at the same place", "the spheres must touch in one point")
        return tuple(unit(plain_numbers(r)))

    def normal(self, k):
        return unit(sub(k.point(self.b), k.point(self.a)))

    def place(self, k):
        return add(k.point(self.a), scale(self.radius_a, self.normal(k)))

    def equations(self, k):
        apart = self.radius_a + (-self.radius_b if self.inside else self.radius_b)
        touch = position(length(sub(k.point(self.b), k.point(self.a))) - apart)
        tangents = turned_along(self.normal(k), self.start(k.system))
        return [touch, *no_slip(k, self.b.body, self.a.body, self.place(k), tangents)]

    @property
    def acts_on(self):
        return self.b.body

    def solids(self, system):
        yield self.b.body, placed("sphere", (self.radius_b,), self.b.point)
        if not self.inside:
            yield self.a.body, placed("sphere", (self.radius_a,), self.a.point)
