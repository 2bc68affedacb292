"""Accelerations and forces at the sampled times: the right-hand side once more, with all it leaves behind.  THEORY §4,
§6, §10."""

import numpy as np

from mekane.results.sampling_model import Source
from mekane.tables import columns as at
from mekane.tables.columns import OUT
from mekane.tables.handle import DERIVE, ENERGY, KINEMATICS, RHS
from mekane.tables.tables import FIRST_INPUT

VECTOR_ACTIONS = (at.ACT_FORCE_WORLD, at.ACT_FORCE_BODY, at.ACT_TORQUE_WORLD, at.ACT_TORQUE_BODY)

# what can be read after an entry; the first that gives all that is needed costs least
LAWS, ENERGIES, ACCELERATIONS, WRENCHES = "laws", "energies", "accelerations", "wrenches"
GIVES = {
    KINEMATICS: set(), ENERGY: {LAWS, ENERGIES}, RHS: {LAWS, ACCELERATIONS}, DERIVE: {LAWS, ENERGIES, ACCELERATIONS, WRENCHES},
}  # fmt: skip


class Loads:
    """Over samples; first axis: time. World axes. `columns` delivers the numbers of a Model; `needs` lists which."""

    def __init__(self, compiled, columns):
        self.compiled, self._columns, self.needs = compiled, columns, set()

    def alpha(self, body):
        """Angular acceleration."""
        return self._read(ACCELERATIONS, "body", self._row(body), at.B_AL, 3)

    def a(self, body):
        """Acceleration of Bo."""
        return self._read(ACCELERATIONS, "body", self._row(body), at.B_A, 3) + self.compiled.system.gravity

    def wrench(self, body):
        """Moment about Bo and force that a body receives through its link in the tree."""
        return self._read(WRENCHES, "wrench", self._row(body), 0, 6)

    def tau(self, speed):
        """Force of laws on a speed, by its number."""
        return self._read(LAWS, "speed", speed, at.S_TAU, 1)[:, 0]

    def rotor_load(self, speed):
        """Force on a speed with which its rotors resist its acceleration."""
        here = self.compiled.tables.primitive_i[:, at.PRIMITIVE_U] == speed
        inertia = self.compiled.tables.primitive_f[here, at.ROTOR].sum()
        return -inertia * self.ud()[:, speed] if inertia else 0.0

    def ud(self):
        """How the speeds of the state change."""
        return self._read(ACCELERATIONS, "buffer", 0, self.compiled.n_q, self.compiled.n_u)

    def multipliers(self, rows):
        """Of consecutive constraint rows."""
        return self._read(ACCELERATIONS, "multiplier", 0, rows.start, len(rows))

    def row(self, row):
        """Residual, rate and bias of a constraint row."""
        return self._read(ACCELERATIONS, "row", row, 0, at.ROW_W)

    def constraint_wrench(self, name, body):
        """Moment about Bo and force that a cut joint or a constraint exerts on a body."""
        return self.wrench_of_rows(self.compiled.pairs.rows_of[name], body)

    def wrench_of_rows(self, rows, body):
        """Moment about Bo and force of some rows on a body."""
        pairs, total = self.compiled.pairs, 0.0
        factors = self.multipliers(rows)
        for j, row in enumerate(rows):
            for k in range(*pairs.row_i[row][at.ROW_TERM : at.ROW_TERM_END + 1]):
                if pairs.term_i[k][at.TERM_BODY] == self._row(body):
                    total = total + factors[:, j, None] * self._read(ACCELERATIONS, "term", k, 0, 6)
        return total if np.ndim(total) else np.zeros((len(factors), 6))

    def totals(self):
        """Kinetic energy, energy of gravity, momentum (3), angular momentum about the world's origin (3)."""
        return self._read(ENERGIES, "buffer", 0, self.compiled.n_q + self.compiled.n_u + self.compiled.n_work, OUT)

    def register(self, number):
        """What stands in a register of the tape of laws."""
        return self._read(LAWS, "r", 0, int(number), 1)[:, 0]

    def value(self, force, which=0):
        """Value of a force's law: a scalar, or three components (along B's axes if it was given in body axes). `which`
        of its actions."""
        action = self.compiled.tables.action_i[self.compiled.first_action[force] + which]
        size = 3 if action[at.ACTION_KIND] in VECTOR_ACTIONS else 1
        parts = [self.register(r) for r in action[at.ACTION_R : at.ACTION_R + size]]
        return parts[0] if size == 1 else np.stack(parts, axis=1)

    def _row(self, body):
        return self.compiled.frames.row[body]

    def _read(self, need, array, row, first, size):
        self.needs.add(need)
        return self._columns(array, row, first, size)


class Model(Source):
    """A compiled model which computes forces state by state, in the order of the run. needs: of LAWS, ENERGIES, …"""

    measurements = True

    def __init__(self, compiled, needs=()):
        from mekane.tables.callbacks import Callbacks

        tables = compiled.tables._replace(count=compiled.tables.count.copy())
        self.callbacks = Callbacks(compiled.program, tables)  # Python functions in laws, alive as long as this is
        super().__init__(
            tables, compiled.workspace(), next(which for which, given in GIVES.items() if set(needs) <= given)
        )
        self._chooses = ACCELERATIONS in GIVES[self.which]

    def begin(self, record):
        """As the time loop does: choose a largest independent set of constraint rows; from then on those in use are
        preferred."""
        super().begin(record)
        if record.discrete.size:
            first = self.tables.count[FIRST_INPUT] - record.discrete.shape[1]
            self.workspace.r[first : self.tables.count[FIRST_INPUT]] = record.discrete[0]
        if self._chooses and len(record.t):
            from mekane.solvers.constraints.weak_rows import judge_weak_rows
            from mekane.solvers.entries.calls import evaluate_inertias, evaluate_kinematics

            t, y = float(record.t[0]), np.array(record.y[0], float)
            self.workspace.regularization[1] = 1.0
            evaluate_kinematics(self.handle, t, y, self.workspace.measurement)
            evaluate_inertias(self.handle, 1.0, y)
            judge_weak_rows(self.handle, self.tables, self.workspace, t, y)

    def choose_from(self, samples):
        return max(0, 1 - samples.start) if self._chooses else samples.stop
