"""Stops of a joint."""

from mekane.algebra.scalar import less, maximum, select
from mekane.errors import ModelError
from mekane.forces._checks import refuse_negative
from mekane.model.force import Force, JointCoordinate, given
from mekane.model.values.values import Value, is_zero

WHERE = {"angle": "angle", "length": "length"}


class Stop(Force):
    """Elastic stops that keep a coordinate of a joint between `lower` and `upper`, or on one side of one of them.

    At a depth p behind a stop it pushes back with k p²/2w while p < w, and with k (p − w/2) from there on: force and
    stiffness begin at zero, and the full stiffness is reached at the depth `width` (1 mm or 1 mrad by default).
    Damping grows to its full value over the same depth; a stop never pulls, however fast the coordinate leaves it.
    """

    example = 's.stop("bumper", "hinge", stiffness=2e3, upper="60 deg")'
    between = JointCoordinate
    appearance = "stop"
    stiffness: Value = given(
        {"angle": "angular_stiffness", "length": "stiffness"}, meaning="reached at the depth `width`"
    )
    lower: Value | None = given(WHERE, None, meaning="least value of the coordinate")
    upper: Value | None = given(WHERE, None, meaning="largest value of the coordinate")
    damping: Value = given(
        {"angle": "angular_damping", "length": "damping"}, 0.0, dissipative=True, meaning="reached at the depth `width`"
    )
    width: Value = given(WHERE, 1e-3, meaning="depth over which the stop comes on")

    def check(self):
        if self.lower is None and self.upper is None:
            raise ModelError(
                self.part, "neither lower nor upper is given", "a stop is somewhere", "Give lower=, upper= or both."
            )
        limits = [
            value.graph for value in (self.lower, self.upper) if value is not None and isinstance(value.graph, float)
        ]
        if len(limits) == 2 and not limits[0] < limits[1]:
            raise ModelError(
                self.part,
                f"lower is {self.lower.given} and upper is {self.upper.given}",
                "lower must be less than upper",
            )
        refuse_negative(self, "stiffness", "damping", "width", why="a stop pushes back")
        if is_zero(self.width):
            raise ModelError(
                self.part, "width is 0", "a stop comes on over some depth", "Give a small width, such as 1e-4."
            )

    def law(self, q, u):
        force = 0.0
        if self.upper is not None:
            force = force - self.push(q - self.upper, u)
        if self.lower is not None:
            force = force + self.push(self.lower - q, -u)
        return force

    def energy(self, q):
        depths = [] if self.upper is None else [q - self.upper]
        depths += [] if self.lower is None else [self.lower - q]
        return sum(self.stiffness * self.by_depth(p, p**3 / (6.0 * self.width), self.stored(p)) for p in depths)

    def push(self, p, pd):
        """Positive against the stop; p is the depth and pd its rate."""
        w = self.width
        elastic = self.stiffness * self.by_depth(p, p * p / (2.0 * w), p - 0.5 * w)
        if is_zero(self.damping):
            return elastic
        return maximum(elastic + self.damping * self.by_depth(p, p / w, 1.0) * pd, 0.0)

    def stored(self, p):
        """Energy over stiffness at a depth beyond the width: 0.5 (p − w/2)² + w²/24."""
        return 0.5 * (p - 0.5 * self.width) ** 2 + self.width**2 / 24.0

    def by_depth(self, p, touching, deep):
        return select(less(p, self.width), select(less(p, 0.0), 0.0, touching), deep)
