"""The right-hand side of a model and its projection onto the constraints, traced for lanes.

The active rows and their scales are those of one workspace; lanes have no regularization and no refinement, so the
smallest pivot is an output: where it is small, a run must leave its lane. Rows that repeated others there are watched:
where they are missed, they do not repeat them here.
"""

import numpy as np

from mekane.codegen.entry_code import at
from mekane.codegen.lanes import body_axes
from mekane.codegen.lanes.ground_axes import SpeedsInGround
from mekane.codegen.llvm_writer import Place
from mekane.codegen.trace import objects
from mekane.expressions.graph import Expr, absolute, count, maximum, minimum, select
from mekane.expressions.node import cancelled_reciprocals, scalar
from mekane.kernels.articulated_body import outward_pass
from mekane.kernels.constraint_rows import write_rows
from mekane.kernels.forces import expected, unwrapped
from mekane.kernels.inverse_dynamics import driving_power
from mekane.kernels.kinematics import forward_kinematics, state_rates
from mekane.kernels.multipliers import factor_rows
from mekane.kernels.projection import articulated_inertias, evaluate_kinematics, make_unit, projection_step, shift
from mekane.kernels.rhs import apply_laws, evaluate_measurements, rhs, solve_multipliers
from mekane.kernels.tape import COMPARISONS
from mekane.numba_backend.kernel import plain
from mekane.tables.columns import ANGLE, KIND, MIXED, QUATERNION, ROW_KIND, Y_PHI, Y_RATE
from mekane.tables.tables import FOLLOWING, FROZEN, N_ACTIVE, N_READ, N_ROWS, REFINEMENTS, V_PIVOT, workspace

LARGEST = 0.1  # a projection moves no coordinate by more, so that it cannot change to another branch
# what a projection writes after the state
RESIDUAL, PIVOT, MISSED = range(3)
N_AFTER = 3


class TracedModel:
    """Outputs {Place: expression} of the functions of a model, of t, y and parameters.

    symbolic: SymbolicTables; like: a workspace at the start of a run. frozen: in the right-hand side comparisons have the
    outcomes that stand before the parameters, after what is measured, so that it is smooth."""

    def __init__(self, symbolic, like, frozen=False):
        self.symbolic, self.like, self.compiled, self.tables = symbolic, like, symbolic.compiled, symbolic.tables
        c = self.compiled
        self.n_q, self.n_u, self.n = c.n_q, c.n_u, c.n_q + c.n_u + c.n_work
        self.t, self.y = at("t"), objects([at("y", k) for k in range(self.n)])
        self.n_frozen = len(self.compiled.program.comparisons) if frozen else 0
        self.switched_rows = frozenset()  # of contact laws, which nobody expects to repeat others
        self.measured = []  # rows of measurements that are followed: where laws, or a channel, read them
        if self.tables.count[N_READ] > c.n_rows:
            self.follow_measurements()

    def follow_measurements(self):
        self.measured = list(range(self.compiled.n_rows, len(self.tables.row_i)))

    @property
    def n_measured(self):
        """Numbers that stand before the parameters: measurements, rates, the time at which they were known."""
        return 2 * len(self.measured) + 1 if self.measured else 0

    def functions(self, stride):
        """{name: outputs}. stride: of the numbers that `rhs` writes, which are one slope among several."""
        found = {"rhs": self.right_hand_side(stride)}
        if self.has_projection:
            found |= {"project_positions": self.projection(Y_PHI), "project_speeds": self.projection(Y_RATE)}
        return found | self.functions_beside_loops()

    def functions_beside_loops(self):
        """Those that loop kernels do not have."""
        found = {"measure": self.measurements()} if self.measured else {}
        found |= {"ticks": self.formulas()} if self.compiled.controllers else {}
        found |= {"conditions": self.conditions(), "sets": self.new_values()} if self.compiled.events else {}
        return found | ({"guards": self.guards(), "outcomes": self.outcomes()} if self.n_frozen else {})

    @property
    def has_projection(self):
        return bool(self.compiled.n_rows or (self.tables.primitive_i[:, KIND] >= QUATERNION).any())

    def workspace(self, tables=None):
        """Symbols of parameters in the registers, the active rows of `like`."""
        gravity = [-x for x in self.symbolic.base]
        W = workspace(tables or self.tables, self.symbolic.registers, objects(gravity), object)
        W.scale[:], W.active[:], W.state[:] = self.like.scale, self.like.active, self.like.state
        W.regularization[0], W.state[REFINEMENTS], W.state[FOLLOWING] = 0.0, 0, 1
        for k, row in enumerate(self.measured):
            W.measurement[row], W.measurement_rate[row] = at("p", k), at("p", len(self.measured) + k)
            W.measurement_time[0] = at("p", 2 * len(self.measured))
        return W

    def right_hand_side(self, stride):
        """out = f(t, y), and then the smallest pivot."""
        T, W, yd = self.tables, self.frozen_workspace(), np.zeros(self.n, object)
        q, u, controller = self.parts(self.y)
        qd, ud, power = self.parts(yd)
        plain(forward_kinematics)(T.body_i, T.body_f, T.primitive_i, T.primitive_f, T.speed_kind, q, u, W.body, W.speed)
        plain(evaluate_measurements)(T, W, self.t, q, u)
        plain(apply_laws)(T, W, self.t, q, u, controller, power)
        with cancelled_reciprocals():
            in_body_axes = body_axes.accelerations(T, W, q, u) if body_axes.is_possible(T, W) else None
            self.accelerations(W, ud, power)
        if in_body_axes is not None and count(in_body_axes) < count(ud):
            ud[:] = in_body_axes
        plain(state_rates)(T.body_i, T.primitive_i, W.body, q, u, qd, ud)
        return placed([*yd, self.smallest_pivot(W)], stride)

    def parts(self, y):
        """Of a state or its rates: coordinates, speeds, integrals and work."""
        return np.split(y, [self.n_q, self.n_q + self.n_u])

    def accelerations(self, W, ud, power):
        """As `rhs` has them, with the speeds of balls in the axes of the ground."""
        T, turned = self.tables, SpeedsInGround(self.tables, W)
        turned.turn_forces(W)
        plain(articulated_inertias)(T, W)
        plain(outward_pass)(T.body_i, T.speed_kind, W.body, W.speed, ud)
        if W.state[N_ACTIVE]:
            plain(solve_multipliers)(T, W)
            plain(outward_pass)(T.body_i, T.speed_kind, W.body, W.speed, ud)
            plain(driving_power)(T.row_i, T.term_i, W.body, W.term, W.multiplier, power)
        turned.turn_back(ud)

    def evaluated(self, W):
        """A workspace after the right-hand side, and yd."""
        yd = np.zeros(self.n, object)
        plain(rhs)(self.tables, W, self.t, self.y, yd)
        return W, yd

    def frozen_workspace(self):
        """A workspace with outcomes of comparisons as inputs."""
        W = self.workspace()
        if self.n_frozen:
            W.state[FROZEN] = COMPARISONS
            W.modes[: self.n_frozen] = objects([at("p", self.n_measured + k) for k in range(self.n_frozen)])
        return W

    def guards(self):
        """out = left − right of every comparison; it holds where that is negative."""
        W, _ = self.evaluated(self.frozen_workspace())
        return placed([W.r[k] for k in self.compiled.program.event_registers])

    def formulas(self):
        """out = what sampled controllers compute, in the order of what they write."""
        W, _ = self.evaluated(self.frozen_workspace())
        return placed([W.r[k] for one in self.compiled.controllers for k in one.expressions])

    def conditions(self):
        """out = what conditions of events come to."""
        W, _ = self.evaluated(self.frozen_workspace())
        return placed([W.r[one.condition] for one in self.compiled.events])

    def new_values(self):
        """out = what events set, comparisons being decided there."""
        W, _ = self.evaluated(self.workspace())
        return placed([W.r[k] for one in self.compiled.events for k in one.set.values()])

    def outcomes(self):
        """out = 1 for every comparison that holds, else 0."""
        W, _ = self.evaluated(self.workspace())
        return placed(W.modes[: self.n_frozen])

    def smallest_pivot(self, W):
        least = 1.0
        for row in np.flatnonzero(W.active):
            least = minimum(least, W.vectors[V_PIVOT, row])
        return least

    def projection(self, column):
        """out = y after one Newton step of positions (Y_PHI) or speeds (Y_RATE) onto the constraints (C.3), and RESIDUAL
        … of before."""
        W, T, y, x = self.workspace(), self.tables, self.y.copy(), np.zeros(self.n_u, object)
        q, u, after = y[: self.n_q], y[self.n_q : self.n_q + self.n_u], [0.0, 1.0, 0.0]
        plain(make_unit)(T.primitive_i, q)
        if W.state[N_ACTIVE]:
            plain(evaluate_kinematics)(T, W, self.t, q, u)
            turned = SpeedsInGround(T, W)
            with cancelled_reciprocals():
                plain(articulated_inertias)(T, W)
                plain(factor_rows)(T, W)
                plain(projection_step)(T, W, column, x)
            turned.turn_back(x, MIXED if column == Y_RATE else None)
            after = self.largest(W, column, 1), self.smallest_pivot(W), self.largest(W, column, 0)
        if column == Y_PHI:
            plain(shift)(T.primitive_i, q, limited(x))
        else:
            u[:] = u + x
        return placed([*y, *after])

    def largest(self, W, column, active):
        """Largest residual or rate of the rows that are active, or of those that are not."""
        worst = 0.0
        for row in range(self.tables.count[N_ROWS]):
            if W.active[row] == active and row not in self.switched_rows:
                worst = maximum(worst, absolute(W.row[row, column]))
        return worst

    def measurements(self):
        """out = measurements with turns counted, their rates, the time."""
        W = self.measured_workspace()
        rates = [W.row[row, Y_RATE] for row in self.measured]
        return placed([*self.measurement_of(W)[self.measured], *rates, self.t])

    def measured_workspace(self):
        """A workspace with all rows and measurements of the state."""
        W, T = self.workspace(), self.tables
        plain(evaluate_kinematics)(T, W, self.t, self.y[: self.n_q], self.y[self.n_q : self.n_q + self.n_u])
        plain(write_rows)(T.pair_i, T.row_i, T.row_f, W.body, W.pair, W.row, W.term, T.count[N_READ], len(T.row_i))
        return W

    def measurement_of(self, W):
        """Every measurement with its turns counted, as `entries.kinematics` has it."""
        found, elapsed = np.zeros(len(self.tables.row_i), object), self.t - W.measurement_time[0]
        for k in self.measured:
            near = plain(expected)(W.measurement, W.measurement_rate, W.row, k, elapsed)
            found[k] = plain(unwrapped)(W.row[k, Y_PHI], near, int(self.tables.row_i[k, ROW_KIND] == ANGLE))
        return found


def counted(compiled):
    """Joint coordinates that are measured, turns counted, because they are none of the tree."""
    return set(compiled.pairs.measurement) - set(compiled.tree_coordinate)


def limited(x):
    """A change of coordinates, shortened where it is too large."""
    size = 0.0
    for one in x:
        size = maximum(size, absolute(one))
    return x * select(LARGEST < size, LARGEST / size, 1.0) if isinstance(size, Expr) else x


def placed(values, stride=1):
    return {Place("out", k * stride): scalar(x) for k, x in enumerate(values)}
