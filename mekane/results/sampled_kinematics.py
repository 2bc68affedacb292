"""Where everything is at the sampled times: bodies and joints, of the tree or cut, by their frames. No
forces.

The kernels of the time loop are used, on tables in which joints have rows and measurements, so that the values of a
joint do not depend on the formulation. Of the tree only the bodies between those requested and the ground are
evaluated.
"""

import numpy as np

from mekane.algebra.vector_arrays import cross
from mekane.compiler.constraint_rows import Pairs
from mekane.compiler.tree import path_to_ground
from mekane.results.sampling_model import Source
from mekane.tables import columns as at
from mekane.tables.tables import CONSTRAINT_CODE, CONSTRAINT_INPUTS, N_EXPRESSION_ROWS, N_READ, N_ROWS, workspace


class KinematicsEvaluator(Source):
    """Evaluates the kinematics of a model state by state; the workspace has the joints in the order of the
    system."""

    def __init__(self, compiled, bodies=None, pairs=None):
        """bodies: rows of the tree to evaluate; pairs: of joints. By default all."""
        self.pairs = every_joint(compiled) if pairs is None else pairs
        rows = (
            np.arange(len(compiled.tables.body_i)) if bodies is None else path_from_ground(compiled, bodies, self.pairs)
        )
        self.row = {int(row): number for number, row in enumerate(rows)}  # of the tree → here
        tables = kinematics_tables(compiled.tables, self.pairs, rows)
        registers = compiled.workspace().r if self.pairs.places else np.zeros(1)  # where joints close
        super().__init__(tables, workspace(tables, registers, compiled.system.gravity))

    def evaluate_kinematics(self, y):
        from mekane.solvers.entries.calls import evaluate_kinematics

        evaluate_kinematics(self.handle, 0.0, np.ascontiguousarray(y, float), self.workspace.measurement)
        return self.workspace

    def discrete(self, record, samples):
        """What says where joints close, if any is locked at its present position."""
        known = self.pairs.places and record.discrete.size
        return np.ascontiguousarray(record.discrete[samples] if known else np.zeros((len(record.t[samples]), 0)))

    def find(self, array, row):
        number = {"body": self.row, "pair": self.pairs.pair, "row": self.pairs.measurement}[array][row]
        return getattr(self.workspace, array), number


def evaluator_of(compiled, columns):
    """An evaluator that has what these columns read: bodies by row, pairs by joint, measurements by joint and
    coordinate."""
    pairs = measured_joints(compiled, (row for array, row, *_ in columns if array == "row"))
    for array, row, *_ in columns:
        if array == "pair":
            pairs.of(row)
    return KinematicsEvaluator(compiled, {row for array, row, *_ in columns if array == "body"}, pairs)


def measured_joints(compiled, coordinates):
    """Pairs of frames with measurements of these (joint, coordinate)."""
    pairs = Pairs(compiled.system, compiled.frames)
    for joint, coordinate in coordinates:
        pairs.measure(joint, coordinate)
    return pairs


def every_joint(compiled):
    """All joints as pairs of frames, with their constraint rows."""
    pairs = Pairs(compiled.system, compiled.frames)
    for name in compiled.system.joints:
        pairs.of(name)
        pairs.constrain(name)
    return pairs


def path_from_ground(compiled, bodies, pairs):
    """Rows of these bodies, those of the pairs, and all between them and the ground; parents first."""
    path = path_to_ground(
        compiled.tables.body_i, {*bodies, *(row for pair in pairs.pair_i for row in pair[: at.PAIR_PLACE])}
    )
    return np.array([0, *reversed(path)])


def kinematics_tables(tables, pairs, rows):
    """Of the tree these rows; the joints in `pairs`; no laws; no row is active, so that no space is reserved for
    multipliers."""
    number = np.zeros(len(tables.body_i), np.int64)
    number[rows] = np.arange(len(rows))
    body_i, frames = tables.body_i[rows], pairs.frame_tables()
    body_i[:, at.PARENT] = number[body_i[:, at.PARENT]]
    for name, columns in (("pair_i", [at.PAIR_A, at.PAIR_B]), ("term_i", [at.TERM_BODY])):
        frames[name][:, columns] = number[frames[name][:, columns]]
    count = tables.count.copy()
    count[[N_ROWS, CONSTRAINT_INPUTS, CONSTRAINT_CODE, N_EXPRESSION_ROWS]] = 0
    count[N_READ] = len(pairs.row_i)
    none, start = np.zeros(0, np.int64), np.zeros(1, np.int64)
    bare = dict(
        path_start=start, path=none, speed_start=start, path_speed=none, e_start=start, d_start=start, d_row=none
    )
    bare |= dict(l_start=start, l_row=none, point_i=none, point_f=np.zeros((0, 3)), line_i=np.zeros((0, 2), np.int64))
    bare |= dict(contact_i=tables.contact_i[:0])
    return tables._replace(**frames, **bare, body_i=body_i, body_f=tables.body_f[rows], count=count)


class SampledKinematics:
    """Positions and velocities over samples; first axis: time. World axes. `columns` delivers the numbers of a
    KinematicsEvaluator."""

    def __init__(self, compiled, columns):
        self.frames, self._columns = compiled.frames, columns

    # ---------------------------------------------------------------- bodies

    def origin(self, name):
        """p of Bo, the origin kernels use."""
        return self._body(name, at.B_P, 3)

    def arm(self, name, point=(0.0, 0.0, 0.0)):
        """From Bo to a point of the user's frame."""
        x, y, z = self.frames.point(name, point)
        R = self.R_NB(name)
        return R[:, :, 0] * x + R[:, :, 1] * y + R[:, :, 2] * z  # a product of matrices takes ten times as long

    def R(self, name):
        """Axes of the user's frame, as columns."""
        return self.R_NB(name) @ self.frames.R_BU[self.frames.row[name]]

    def position(self, name, point=(0.0, 0.0, 0.0)):
        return self.origin(name) + self.arm(name, point)

    def angular_velocity(self, name):
        return self._body(name, at.B_W, 3)

    def velocity(self, name, point=(0.0, 0.0, 0.0)):
        return self._body(name, at.B_V, 3) + cross(self.angular_velocity(name), self.arm(name, point))

    def R_NB(self, name):
        """Axes of B, the frame kernels use."""
        return np.reshape(self._body(name, at.B_R, 9), (-1, 3, 3))

    def of_bodies(self, rows, first, size):
        """Columns [first, first + size) of the bodies with these rows, a tuple: (samples, bodies, size)."""
        return self._columns.rows("body", rows, first, size)

    def _body(self, name, first, size):
        return self._columns("body", self.frames.row[name], first, size)

    # ---------------------------------------------------------------- joints

    def unit(self, joint, which):
        """Unit vector FX … MZ of a joint."""
        return self._columns("pair", joint, at.X_E + 3 * which, 3)

    def axes(self, joint):
        """Frame F of a joint, as columns."""
        return np.stack([self.unit(joint, which) for which in range(3)], axis=-1)

    def axes_on_b(self, joint):
        """Frame M of a joint, as columns."""
        return np.stack([self.unit(joint, which) for which in range(3, 6)], axis=-1)

    def point(self, joint):
        """Position of Mo, the joint's point on b."""
        return self._columns("pair", joint, at.X_PM, 3)

    def coordinate(self, joint, name):
        """A joint coordinate; angles between −π and π."""
        return self._columns("row", (joint, name), at.Y_PHI, 1)[:, 0]

    def coordinate_rate(self, joint, name):
        return self._columns("row", (joint, name), at.Y_RATE, 1)[:, 0]
