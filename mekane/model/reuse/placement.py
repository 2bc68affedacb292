"""Where the parts of a sub-assembly come to be: its ground G fixed in a body H of the host, mirrored first if requested.

A reflection S changes a body's axes to S R S, which are right-handed again: a point x of the body becomes S x, an inertia
S I S. Frames of a joint become S R Q with a reflection Q of their own, chosen so that coordinates keep their values.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from mekane.errors import ModelError
from mekane.model.body import Body
from mekane.model.values.orientation import matrix_from
from mekane.model.values.units import shown, vector

AXES = ("x", "y", "z")
REFLECTIONS = [np.diag(signs) for signs in product((1.0, -1.0), repeat=3) if np.prod(signs) < 0]


@dataclass(frozen=True, eq=False)
class Placement:
    """Pose of G in H, and the reflection S (no reflection: the identity)."""

    host: Body
    p_HG: np.ndarray
    R_HG: np.ndarray
    S: np.ndarray

    @classmethod
    def read(cls, host: Body, at, orientation, mirrored, part: str) -> Placement:
        if mirrored is not None and (not isinstance(mirrored, str) or mirrored not in AXES):
            remedy = 'mirrored="y" changes the sign of y, in the frame of the sub-assembly.'
            raise ModelError(part, f"mirrored is {shown(mirrored)}", "x, y or z is expected", remedy)
        S = np.diag([-1.0 if axis == mirrored else 1.0 for axis in AXES])
        return cls(host, vector(at, "length", part, "at"), matrix_from(orientation, part), S)

    @property
    def is_mirrored(self) -> bool:
        return bool(np.trace(self.S) < 3.0)

    @property
    def handedness(self) -> float:
        return -1.0 if self.is_mirrored else 1.0

    @property
    def R_NG(self) -> np.ndarray:
        return self.host.R_NB @ self.R_HG

    @property
    def p_NG(self) -> np.ndarray:
        return self.host.position + self.host.R_NB @ self.p_HG

    @property
    def keeps_world(self) -> bool:
        """Whether world axes and origin of the sub-assembly are those of the host, at all times."""
        return self.keeps_axes and not self.p_HG.any()

    @property
    def keeps_axes(self) -> bool:
        return self.host.name == "ground" and np.array_equal(self.R_HG @ self.S, np.eye(3))

    def matrix(self, body: str) -> np.ndarray:
        """For vectors in the frame of a body of the sub-assembly, its ground included."""
        return self.R_HG @ self.S if body == "ground" else self.S

    def point(self, body: str, point) -> list[float]:
        moved = self.matrix(body) @ np.asarray(point, float)
        return (moved + self.p_HG if body == "ground" else moved).tolist()

    def direction(self, body: str, direction) -> list[float]:
        return (self.matrix(body) @ np.asarray(direction, float)).tolist()

    def frame(self, body: str, R, Q) -> list[list[float]]:
        """Axes fixed in a body; Q is the reflection of the frame itself."""
        return (self.matrix(body) @ R @ Q).tolist()

    def body_keywords(self, body: Body) -> dict:
        """Where a body is and how it moves at the start, and its mass properties."""
        moved = self.R_NG @ self.S
        position = self.p_NG + moved @ body.position
        spin, carried = self.host.angular_velocity, position - self.host.position
        return {
            "inertia": self.S @ body.inertia @ self.S,
            "com": self.S @ body.com,
            "position": position,
            "orientation": moved @ body.R_NB @ self.S,
            "velocity": moved @ body.velocity + self.host.velocity + np.cross(spin, carried),
            "angular_velocity": self.handedness * moved @ body.angular_velocity + spin,
        }

    def joint_reflection(self, joint) -> np.ndarray:
        """The reflection Q of a joint's frames that changes the sign of the fewest coordinates."""
        if not self.is_mirrored:
            return np.eye(3)
        options = [self.S, *REFLECTIONS]
        return min(options, key=lambda Q: sum(name in joint.coordinates for name in negated(joint, Q)))


def negated(joint, Q: np.ndarray) -> list[str]:
    """What a joint measures that changes its sign: rotations about axes that Q keeps, shifts along axes that it does not."""
    if np.linalg.det(Q) > 0.0:
        return []
    return [m.name for m in joint.measures() if (Q[m.e % 3, m.e % 3] > 0.0) == (m.kind == "rotated")]
