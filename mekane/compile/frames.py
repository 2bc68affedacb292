"""From the frames a user speaks of to the frames kernels use: a body's own frame B sits at the outer end of its tree joint."""

import numpy as np


class Frames:
    """Where the user's frame U of each body lies in the body's own frame B. Row 0 is the ground."""

    def __init__(self, links, dtype=float):
        self.dtype = dtype  # complex where numbers carry a slope, else float
        self.row = {"ground": 0} | {link.body: i for i, link in enumerate(links, 1)}
        self.R_BU = np.tile(np.eye(3, dtype=dtype), (len(links) + 1, 1, 1))
        self.p_BU = np.zeros((len(links) + 1, 3), dtype)

    def set(self, body, R_BU, p_BU):
        self.R_BU[self.row[body]], self.p_BU[self.row[body]] = R_BU, p_BU

    def point(self, body, p_U):
        """A point of the user's frame, in B."""
        i = self.row[body]
        return self.p_BU[i] + self.R_BU[i] @ np.asarray(p_U)

    def axes(self, body, R_U):
        """Axes given in the user's frame, in B."""
        return self.R_BU[self.row[body]] @ R_U
