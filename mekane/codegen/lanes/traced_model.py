"""The right-hand side of a model and its projection onto the constraints, traced for lanes.

The active rows and their scales are those of one workspace; lanes have no regularization and no refinement, so the
smallest pivot is an output: where it is small, a run must leave its lane. Rows that repeated others there are watched:
where they are missed, they do not repeat them here.
"""

import numpy as np

from mekane.codegen.entry_code import at
from mekane.codegen.llvm_writer import Place
from mekane.codegen.trace import objects
from mekane.expressions.graph import Expr, absolute, maximum, minimum, select
from mekane.expressions.node import scalar
from mekane.kernels.projection import articulated_inertias, evaluate_kinematics, make_unit, projection_step, shift
from mekane.kernels.rhs import factor_rows, rhs
from mekane.numba_backend.kernel import plain
from mekane.tables.columns import KIND, QUATERNION, Y_PHI, Y_RATE
from mekane.tables.tables import FOLLOWING, N_ACTIVE, N_ROWS, REFINEMENTS, V_PIVOT, workspace

LARGEST = 0.1  # a projection moves no coordinate by more, so that it cannot change to another branch
# what a projection writes after the state
RESIDUAL, PIVOT, MISSED = range(3)
N_AFTER = 3


class TracedModel:
    """Outputs {Place: expression} of the functions of a model, of t, y and parameters.

    symbolic: SymbolicTables; like: a workspace at the start of a run."""

    def __init__(self, symbolic, like):
        self.symbolic, self.like, self.compiled, self.tables = symbolic, like, symbolic.compiled, symbolic.tables
        c = self.compiled
        self.n_q, self.n_u, self.n = c.n_q, c.n_u, c.n_q + c.n_u + c.n_work
        self.t, self.y = at("t"), objects([at("y", k) for k in range(self.n)])

    def functions(self, stride):
        """{name: outputs}. stride: of the numbers that `rhs` writes, which are one slope among several."""
        found = {"rhs": self.right_hand_side(stride)}
        if self.has_projection:
            found |= {"project_positions": self.projection(Y_PHI), "project_speeds": self.projection(Y_RATE)}
        return found

    @property
    def has_projection(self):
        return bool(self.compiled.n_rows or (self.tables.primitive_i[:, KIND] >= QUATERNION).any())

    def workspace(self, tables=None):
        """Symbols of parameters in the registers, the active rows of `like`."""
        gravity = [-x for x in self.symbolic.base]
        W = workspace(tables or self.tables, self.symbolic.registers, objects(gravity), object)
        W.scale[:], W.active[:], W.state[:] = self.like.scale, self.like.active, self.like.state
        W.regularization[0], W.state[REFINEMENTS], W.state[FOLLOWING] = 0.0, 0, 1
        return W

    def right_hand_side(self, stride):
        """out = f(t, y), and then the smallest pivot."""
        W, yd = self.workspace(), np.zeros(self.n, object)
        plain(rhs)(self.tables, W, self.t, self.y, yd)
        return placed([*yd, self.smallest_pivot(W)], stride)

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
            plain(articulated_inertias)(T, W)
            plain(factor_rows)(T, W)
            plain(projection_step)(T, W, column, x)
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
            if W.active[row] == active:
                worst = maximum(worst, absolute(W.row[row, column]))
        return worst


def limited(x):
    """A change of coordinates, shortened where it is too large."""
    size = 0.0
    for one in x:
        size = maximum(size, absolute(one))
    return x * select(LARGEST < size, LARGEST / size, 1.0) if isinstance(size, Expr) else x


def placed(values, stride=1):
    return {Place("out", k * stride): scalar(x) for k, x in enumerate(values)}
