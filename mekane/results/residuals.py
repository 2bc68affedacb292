"""By how much joints and constraints are missed at the sampled times, and how fast: rows of every joint, those of the tree included."""

import numpy as np

from mekane.compile import layout as at
from mekane.results.labels import dataset


class Residuals:
    """Plain arrays. A joint without rows has residual zero."""

    def __init__(self, run):
        seen, joints = run.observed, run.system.joints
        self.names = [*joints, *run.system.constraints]
        shape = (len(run.t), len(self.names))
        self.position, self.rate = np.zeros(shape), np.zeros(shape)  # [m or rad], [m/s or rad/s]
        self.share = np.zeros(shape)  # lengths divided by the size of the mechanism
        size = mechanism_size(run)
        for k, name in enumerate(joints):
            rows = list(seen.pairs.rows_of[name])
            turning = np.array([seen.pairs.row_i[row][at.ROW_KIND] == at.PERPENDICULAR for row in rows], bool)
            phi = np.abs(seen.phi[:, rows])
            self.position[:, k] = phi.max(axis=1, initial=0.0)
            self.share[:, k] = (phi / np.where(turning, 1.0, size)).max(axis=1, initial=0.0)
            self.rate[:, k] = np.abs(seen.rate[:, rows]).max(axis=1, initial=0.0)
        for k, name in enumerate(run.system.constraints, len(joints)):
            rows = list(run.compiled.pairs.rows_of[name])
            self.position[:, k] = np.abs(run.loads.phi[:, rows]).max(axis=1, initial=0.0)
            self.share[:, k] = self.position[:, k] / max(1.0, size)
            self.rate[:, k] = np.abs(run.loads.rate[:, rows]).max(axis=1, initial=0.0)

    @property
    def largest(self):
        return float(self.position.max(initial=0.0))

    @property
    def largest_rate(self):
        return float(self.rate.max(initial=0.0))

    @property
    def largest_share(self):
        return float(self.share.max(initial=0.0))


def mechanism_size(run):
    """Largest extent of joints and bodies at the start [m]."""
    seen = run.observed
    if not len(run.t):
        return 1.0
    points = np.concatenate([seen.body[0, :, at.B_P : at.B_P + 3], seen.pair[0, :, at.X_PM : at.X_PM + 3]])
    return float(np.ptp(points, axis=0).max()) or 1.0


def residual(run):
    r = run.residuals
    variables = {
        "position": ((), r.position.max(axis=1, initial=0.0), "m or rad", "largest residual of any joint or constraint"),
        "rate": ((), r.rate.max(axis=1, initial=0.0), "m/s or rad/s", "largest rate of a residual of any joint or constraint"),
        "position_of": (("joint",), r.position, "m or rad", "largest residual of each joint and constraint"),
        "rate_of": (("joint",), r.rate, "m/s or rad/s", "largest rate of a residual of each joint and constraint"),
    }
    return dataset(run.t, variables, {"joint": np.array(r.names, dtype=object)})
