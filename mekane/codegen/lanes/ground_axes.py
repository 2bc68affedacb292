"""Speeds of balls as the recursions of a trace have them: angular velocities along the axes of the ground.

The state has them along those of the body. Along those of the ground partial velocities are ones and zeros, and leave few
operations behind. A change of basis: u_N = R u_B, forces on speeds likewise, and back for what is solved for.
"""

import numpy as np

from mekane.algebra.triples import add, dot, scale
from mekane.algebra.vectors import put, vec
from mekane.numba_backend.kernel import plain
from mekane.tables.columns import KIND, PRIMITIVE_U, PURE_ROTATION, QUATERNION, S_TAU, S_W

put, vec = plain(put), plain(vec)


class SpeedsInGround:
    """Turns the speeds of a workspace after its kinematics. axes: {first speed of a ball: axes of its body}; kinds: of
    these primitives."""

    def __init__(self, T, W):
        self.axes, self.kinds = {}, {}
        for kind, r in T.primitive_i[:, [KIND, PRIMITIVE_U]]:
            if kind >= QUATERNION and (T.speed_kind[r : r + 3] == PURE_ROTATION).all():
                self.axes[r], self.kinds[r] = [vec(W.speed, r + c, S_W) for c in range(3)], kind
                for c in range(3):
                    put(W.speed, r + c, S_W, tuple(np.eye(3)[c]))

    def turn_forces(self, W):
        """Forces on the speeds, after the laws have acted."""
        for r, axes in self.axes.items():
            total = (0.0, 0.0, 0.0)
            for c in range(3):
                total = add(total, scale(W.speed[r + c, S_TAU], axes[c]))
            W.speed[r : r + 3, S_TAU] = total

    def turn_back(self, x, without=None):
        """Changes or rates of speeds into those of the state; without: a kind whose speeds are there already."""
        for r, axes in self.axes.items():
            if self.kinds[r] != without:
                x[r : r + 3] = [dot(axis, x[r : r + 3]) for axis in axes]
