"""The relative pose of two frames as expressions: where frame M on body b is and how it is rotated, seen from frame F on
body a.

    z = (x, y, z, α, β, γ)   shift of M's origin along the axes of F [m], and Bryan angles [rad]: F rotated by α about
    its x, then by β about
                             its new y, then by γ about its new z has the axes of M. Regular while |β| is below a
                             quarter turn.

For small turns the angles are the components of one small rotation, about the axes of F. Forces and torques conjugate
to z give the same power as the wrenches made of them here, term by term; so a law that is the gradient of an energy in
z is one in space.
"""

from typing import NamedTuple

import numpy as np

from mekane.algebra import triples
from mekane.algebra.scalar import atan2


class MovingFrame(NamedTuple):
    """A frame fixed in a body: arrays of expressions, world axes."""

    p: np.ndarray  # position of its origin
    R: np.ndarray  # its axes, as columns
    v: np.ndarray  # velocity of its origin
    w: np.ndarray  # angular velocity of its body


class RelativePose:
    """Where frame M is and how it is turned, seen from frame F; and how both change."""

    def __init__(self, F, M):
        R_F, self.R_F, self.arm = F.R, F.R, M.p - F.p
        R = R_F.T @ M.R  # = X(α) Y(β) Z(γ)
        cos_b, angles = cosine_between(R), bryan_angles(R)
        self.sin_a, self.cos_a, self.sin_b, self.cos_b = -R[1, 2] / cos_b, R[2, 2] / cos_b, R[0, 2], cos_b
        self.z = [*(R_F.T @ self.arm), *angles]
        seen_from_a = M.v - F.v - cross(F.w, self.arm)
        self.zd = [*(R_F.T @ seen_from_a), *self.angle_rates(R_F.T @ (M.w - F.w))]

    def angle_rates(self, w):
        """w = α̇ x + β̇ y' + γ̇ z'', solved for the rates of the angles; w of M in F, along the axes of F."""
        rate_c = (self.cos_a * w[2] - self.sin_a * w[1]) / self.cos_b
        return w[0] - self.sin_b * rate_c, self.cos_a * w[1] + self.sin_a * w[2], rate_c

    def wrench(self, forces):
        """Force at M's origin and torque on b, world axes, that do the work of six forces conjugate to z."""
        m_a, m_b, m_c = forces[3:]
        across = (m_c - self.sin_b * m_a) / self.cos_b
        torque = np.array(
            [m_a, self.cos_a * m_b - self.sin_a * across, self.sin_a * m_b + self.cos_a * across], dtype=object
        )
        return self.R_F @ np.array(forces[:3], dtype=object), self.R_F @ torque

    def reaction(self, force, torque):
        """The opposite wrench on a: force at F's origin, and torque. The force on a acts where that on b does, at M's
        origin."""
        return -force, -torque - cross(self.arm, force)


def bryan_angles(R):
    """α, β, γ with R = X(α) Y(β) Z(γ) and cos β > 0; on numbers or on expressions."""
    return atan2(-R[1, 2], R[2, 2]), atan2(R[0, 2], cosine_between(R)), atan2(-R[0, 1], R[0, 0])


def cosine_between(R):
    """cos β: where it vanishes the other two angles are not determined."""
    return np.sqrt(R[0, 0] * R[0, 0] + R[0, 1] * R[0, 1])


def cross(a, b):
    return np.array(triples.cross(a, b), dtype=object)
