"""The mechanism as its contacts see it at one instant.

    γ⁺ = γ⁻ + D P  (impulses P),    γ̇ = γ̇⁰ + D λ  (forces λ),    D = W M⁻¹ Wᵀ, loops and locks kept        (N.3), (N.8)

W: rows of partial velocities of all elements that touch, each its normal and its tangents.
"""

import math
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

TOUCHING = 1e-9  # m or rad: a gap that counts as closed
STILL = 1e-10  # m/s or rad/s: a speed that counts as zero
FLAT = 1e-11  # of the largest: a direction in which nothing can move
ONE, BOTH = np.eye(1), np.eye(2)  # axes along the tangents


@dataclass
class Load:
    """Load of a joint that limits friction: affine in the forces of all rows."""

    free: np.ndarray  # (components,)  without them
    response: np.ndarray  # (components, rows of D)
    sums: bool  # magnitudes are summed
    sides: np.ndarray  # (components,)  then: their signs; 0: not known
    in_joint: bool = True  # False: the normal force of a contact

    def at(self, forces):
        return self.free + self.response @ forces

    def direction(self, forces):
        """Its size is this times `at`."""
        now = self.at(forces)
        if self.sums:
            return np.where(self.sides == 0.0, np.where(now >= 0.0, 1.0, -1.0), self.sides)
        return now / max(float(np.linalg.norm(now)), 1e-300)

    def size(self, forces):
        return float(self.direction(forces) @ self.at(forces))


@dataclass(eq=False)
class LocalElement:
    """An element that touches: where it stands in D, and its set."""

    index: int  # among all elements of the model
    name: str
    normal: int  # row in D, -1: none
    tangents: np.ndarray  # rows in D; one for each direction in which the mechanism can slide there
    axes: np.ndarray  # (len(tangents), tangential rows of the element): these directions
    friction: float
    static: float
    restitution: float
    law: str
    gap: float
    mode: int  # before this instant
    direction: np.ndarray  # likewise, along `tangents`
    load: Load | None = None
    stopped: bool = False  # its sliding has just ended: what is left of its speed is error of the integration

    @property
    def rough(self):
        return len(self.tangents) > 0 and (self.static > 0.0 or self.friction > 0.0)

    @property
    def by_normal(self):
        return self.normal >= 0

    @cached_property
    def rows(self):
        return np.concatenate([[self.normal], self.tangents]).astype(int) if self.by_normal else self.tangents


@dataclass
class Local:
    """D, and velocity and free acceleration of every row."""

    D: np.ndarray
    velocity: np.ndarray
    acceleration: np.ndarray  # γ̇⁰: without any force of these elements
    elements: list[LocalElement] = field(default_factory=list)
    scale: np.ndarray = field(
        default_factory=lambda: np.zeros(0)
    )  # of every row: where rows repeat others, scaled forces are smallest

    spaces: dict = field(default_factory=dict)  # arrays for compiled code, by size: of all Locals of a motion

    def __post_init__(self):
        self.usual_scale = self.scale.copy()

    @property
    def space(self):
        """For the compiled choice of modes, with these numbers."""
        from mekane.solvers.contacts.mode_space import space_for

        return space_for(self)

    @property
    def problem(self):
        """For the compiled solution of given modes."""
        return self.space.problem

    def slip(self, e):
        return self.velocity[e.tangents]

    def speed(self, e):
        return math.hypot(*self.slip(e).tolist()) if len(e.tangents) and not e.stopped else 0.0


def movable_axes(D):
    """Directions along two tangents in which the mechanism can move, as rows: two, one or none."""
    if len(D) == 1:
        return ONE
    (a, b), (_, c) = D.tolist()
    size = max(a + c, 1e-300)  # squares of a tiny body's would be too large
    if (a / size) * (c / size) - (b / size) * (b / size) > 1e3 * FLAT:  # far from singular
        return BOTH
    sizes, axes = np.linalg.eigh(D)
    return axes.T[sizes > FLAT * max(sizes[-1], 1e-300)] if sizes[0] <= FLAT * sizes[-1] else BOTH
