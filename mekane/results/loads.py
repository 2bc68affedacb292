"""Accelerations and forces at the sampled times: the right-hand side once more, with all it leaves behind.  THEORY §4, §6, §10."""

from dataclasses import replace

import numpy as np

from mekane.compile import layout as at
from mekane.compile.tables import N_ACTIVE

VECTOR_ACTIONS = (at.ACT_FORCE_WORLD, at.ACT_FORCE_BODY, at.ACT_TORQUE_WORLD, at.ACT_TORQUE_BODY)


class Loads:
    """At all samples; first axis: time. World axes."""

    def __init__(self, compiled, record):
        n, bodies, n_u = len(record.t), len(compiled.tables.body_i), compiled.n_u
        self.compiled = compiled
        self.alpha = np.zeros((n, bodies, 3))  # angular acceleration
        self.a = np.zeros((n, bodies, 3))  # acceleration of Bo
        self.wrench = np.zeros((n, bodies, 6))  # moment about Bo and force that a body receives through its link in the tree
        self.tau = np.zeros((n, n_u))  # forces of laws on speeds
        self.ud = np.zeros((n, n_u))  # how the speeds of the state change
        self._column, self._row_of_term, self._column_of_term = pushes_of_rows(compiled)
        self._held = np.zeros((n, len(self._column), 6))  # moment about Bo and force of a cut joint or constraint on a body
        self.multiplier, self.phi, self.rate = (np.zeros((n, compiled.n_rows)) for _ in range(3))  # of constraint rows
        self.totals = np.zeros((n, 8))  # kinetic energy, energy of gravity, momentum (3), angular momentum about the world's origin (3)
        self._kept = registers_to_keep(compiled)
        self.registers = np.zeros((n, len(self._kept)))
        self._fill(record)

    def _fill(self, record):
        compiled = self.compiled
        model = Model(compiled)
        W, n_y = model.workspace, len(record.y[0]) if len(record.y) else 0
        out, keep = np.zeros(n_y + 8), list(self._kept)
        for i, t in enumerate(record.t):
            model.derive(t, record.y[i], record.gauge[i], out)
            self.alpha[i] = W.body[:, at.B_AL : at.B_AL + 3]
            self.a[i] = W.body[:, at.B_A : at.B_A + 3] + compiled.system.gravity
            self.wrench[i], self.tau[i] = W.wrench, W.speed[:, at.S_TAU]
            self.ud[i] = out[compiled.n_q : compiled.n_q + compiled.n_u]
            rows = W.row[: compiled.n_rows]
            self.multiplier[i], self.phi[i], self.rate[i] = W.multiplier, rows[:, at.Y_PHI], rows[:, at.Y_RATE]
            np.add.at(self._held[i], self._column_of_term, W.multiplier[self._row_of_term, None] * W.term[: len(self._row_of_term)])
            self.totals[i], self.registers[i] = out[n_y:], W.r[keep]
        self._alive = model

    def held(self, name, body):
        """Moment about Bo and force that a cut joint or a constraint exerts on a body."""
        column = self._column.get((name, self.compiled.frames.row[body]))
        return np.zeros_like(self.wrench[:, 0]) if column is None else self._held[:, column]

    def register(self, number):
        """What stood in a register of the tape of laws."""
        return self.registers[:, self._kept[number]]

    def value(self, force, which=0):
        """Value of a force's law: a scalar, or three components (along B's axes if it was said in body axes). `which` of its actions."""
        action = self.compiled.tables.action_i[self.compiled.first_action[force] + which]
        size = 3 if action[at.ACTION_KIND] in VECTOR_ACTIONS else 1
        parts = [self.register(int(r)) for r in action[at.ACTION_R : at.ACTION_R + size]]
        return parts[0] if size == 1 else np.stack(parts, axis=1)


class Model:
    """A compiled model with a workspace of its own, which computes all forces state by state, in the order of the run."""

    def __init__(self, compiled):
        from mekane.kernels.callback import Callbacks
        from mekane.solvers import derived, entries

        private = replace(compiled, tables=compiled.tables._replace(count=compiled.tables.count.copy()))
        self.callbacks = Callbacks(private.program, private.tables)  # Python functions in laws, alive as long as this is
        self.n_rows, self._scratch = compiled.n_rows, np.zeros(compiled.n_u)
        self.workspace = compiled.workspace()
        self._motion = entries.open_model(private.tables, self.workspace)
        self._forces = derived.open_derived(private.tables, self.workspace)
        self._tables = private.tables
        self._entries, self._derived = entries, derived
        self._begun = False

    def derive(self, t, y, gauge, out):
        """Everything of this state into the workspace; its rate, energies and momenta into `out`."""
        y = np.array(y, float)
        self._choose_rows(float(t), y)
        self.workspace.gauge[:] = gauge
        self._derived.derive(self._forces, float(t), y, out)

    def _choose_rows(self, t, y):
        """As the time loop does: a largest independent set, and those in use are preferred."""
        W = self.workspace
        if not self._begun:
            self._entries.look_at(self._motion, t, y, W.gauge)
            self._entries.weigh(self._motion, 1.0, y)
            self._begun = True
        elif W.state[N_ACTIVE] < self.n_rows:
            self._entries.correct(self._motion, t, y.copy(), self._scratch)


def registers_to_keep(compiled):
    """Register → column: values and lengths of all forces, their energies, and places of constraint forces."""
    actions = compiled.tables.action_i
    values = actions[:, at.ACTION_R : at.ACTION_R + 3].ravel().tolist()
    lengths = [i for i, name in enumerate(compiled.program.inputs) if name.endswith((".length", ".length.rate"))]
    places = [register for place in compiled.places.values() for register in place]
    kept = {*values, *lengths, *places, *compiled.energy_registers.values()}
    return {register: column for column, register in enumerate(sorted(kept))}


def pushes_of_rows(compiled):
    """(joint or constraint, row of a body) → column; and for every term of a constraint row, its row and its column."""
    column, rows, columns = {}, [], []
    owner = {row: name for name, range_ in compiled.pairs.rows_of.items() for row in range_}
    for row in range(compiled.n_rows):
        for k in range(*compiled.pairs.row_i[row][at.ROW_TERM : at.ROW_TERM_END + 1]):
            key = (owner[row], compiled.pairs.term_i[k][at.TERM_BODY])
            rows.append(row)
            columns.append(column.setdefault(key, len(column)))
    return column, np.array(rows, np.int64), np.array(columns, np.int64)
