"""Where everything is at the sampled times: every body and every joint, tree or cut, seen through its frames. No forces.

The kernels of the time loop are used, on tables in which every joint has its rows and gauges, so that what is said about a joint does
not depend on the formulation.
"""

import numpy as np

from mekane.compile import layout as at
from mekane.compile.pairs import Pairs
from mekane.compile.tables import N_READ, N_ROWS, RULE_CHANNELS, RULE_CODE, workspace

BODY = at.B_V + 3  # columns of a body that follow from the state alone: R_NB, p_NB, w_NB, v_NB


class Observer:
    """Looks at a model state by state; `look` gives a workspace with all joints in it, in the order of the system."""

    def __init__(self, compiled):
        from mekane.solvers.entries import look_at, open_model

        self.pairs = every_joint(compiled)
        self.tables = observing_tables(compiled.tables, self.pairs)
        self.workspace = workspace(self.tables, np.zeros(1), compiled.system.gravity)
        self._handle, self._look = open_model(self.tables, self.workspace), look_at
        self._gauge = np.zeros(len(self.tables.row_i))

    def look(self, y):
        self._look(self._handle, 0.0, np.ascontiguousarray(y, float), self._gauge)
        return self.workspace


def every_joint(compiled):
    """All joints as pairs of frames; their constraint rows, then their gauges."""
    pairs = Pairs(compiled.system, compiled.frames)
    for name in compiled.system.joints:
        pairs.of(name)
    for name in compiled.system.joints:
        pairs.hold(name)
    for name, joint in compiled.system.joints.items():
        for measure in joint.measures():
            pairs.measure(name, measure.name)
    return pairs


def observing_tables(tables, pairs):
    """The same tree; all joints; nothing is held, so that no room is made for multipliers."""
    count = tables.count.copy()
    count[[N_ROWS, N_READ, RULE_CHANNELS, RULE_CODE]] = 0
    none, start = np.zeros(0, np.int64), np.zeros(1, np.int64)
    bare = dict(e_start=start, d_start=start, d_row=none, l_start=start, l_row=none)
    return tables._replace(**pairs.tables(tables.body_i), **bare, count=count)


class Observation:
    """Places and motions at all samples; first axis: time. World axes."""

    def __init__(self, compiled, record):
        observer = Observer(compiled)
        self.frames, self.pairs, W = compiled.frames, observer.pairs, observer.workspace
        n = len(record.t)
        self.body = np.zeros((n, len(W.body), BODY))
        self.pair = np.zeros((n, len(W.pair), at.X_R))
        self.phi, self.rate = np.zeros((n, len(W.row))), np.zeros((n, len(W.row)))
        for i, y in enumerate(record.y):
            observer.look(y)
            self.body[i], self.pair[i] = W.body[:, :BODY], W.pair[:, : at.X_R]
            self.phi[i], self.rate[i] = W.row[:, at.Y_PHI], W.row[:, at.Y_RATE]

    # ---------------------------------------------------------------- bodies

    def origin(self, name):
        """p of Bo, the origin kernels use."""
        return self.body[:, self.frames.row[name], at.B_P : at.B_P + 3]

    def arm(self, name, point=(0.0, 0.0, 0.0)):
        """From Bo to a point of the user's frame."""
        return self._R_NB(name) @ self.frames.point(name, point)

    def R(self, name):
        """Axes of the user's frame, as columns."""
        return self._R_NB(name) @ self.frames.R_BU[self.frames.row[name]]

    def position(self, name, point=(0.0, 0.0, 0.0)):
        return self.origin(name) + self.arm(name, point)

    def spin(self, name):
        return self.body[:, self.frames.row[name], at.B_W : at.B_W + 3]

    def velocity(self, name):
        v = self.body[:, self.frames.row[name], at.B_V : at.B_V + 3]
        return v + np.cross(self.spin(name), self.arm(name))

    def _R_NB(self, name):
        return self.body[:, self.frames.row[name], at.B_R : at.B_R + 9].reshape(-1, 3, 3)

    # ---------------------------------------------------------------- joints

    def unit(self, joint, which):
        """Unit vector FX … MZ of a joint."""
        first = at.X_E + 3 * which
        return self.pair[:, self.pairs.pair[joint], first : first + 3]

    def axes(self, joint):
        """Frame F of a joint, as columns."""
        return np.stack([self.unit(joint, which) for which in range(3)], axis=-1)

    def axes_on_b(self, joint):
        """Frame M of a joint, as columns."""
        return np.stack([self.unit(joint, which) for which in range(3, 6)], axis=-1)

    def point(self, joint):
        """Position of Mo, the joint's point on b."""
        return self.pair[:, self.pairs.pair[joint], at.X_PM : at.X_PM + 3]
