"""From the frames a user speaks of to the frames kernels use: a body's own frame B sits at the outer end of its tree
joint."""

import numpy as np

from mekane.expressions.traced_number import reals

ROUND_OFF = 1e-15


class Frames:
    """Where the user's frame U of each body lies in the body's own frame B. Row 0 is the ground."""

    def __init__(self, links, dtype=float):
        self.dtype = dtype  # complex where numbers carry a derivative, object where they carry expressions, else float
        self.row = {"ground": 0} | {link.body: i for i, link in enumerate(links, 1)}
        self.R_BU = np.tile(np.eye(3, dtype=dtype), (len(links) + 1, 1, 1))
        self.p_BU = np.zeros((len(links) + 1, 3), dtype)

    def set(self, body, R_BU, p_BU):
        self.R_BU[self.row[body]], self.p_BU[self.row[body]] = self.tidy(R_BU), p_BU

    def point(self, body, p_U):
        """A point of the user's frame, in B."""
        i = self.row[body]
        return self.p_BU[i] + self.R_BU[i] @ np.asarray(p_U)

    def axes(self, body, R_U):
        """Axes given in the user's frame, in B."""
        return self.tidy(self.R_BU[self.row[body]] @ R_U)

    def tidy(self, R):
        """Among expressions, a rotation without round-off beside 0 and ±1: it would be multiplied by every symbol, and
        be read."""
        return tidied(R) if self.dtype == object else R


def tidied(R):
    near = np.round(reals(R))
    is_round_off = (np.abs(reals(R) - near) <= ROUND_OFF) & np.array(
        [isinstance(x, float) for x in np.ravel(R)]
    ).reshape(np.shape(R))
    return np.where(is_round_off, near, R)
