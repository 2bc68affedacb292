"""The functions of a model between events, for programs that integrate it themselves (FMUs, live pages), as the time loop
has them: comparisons keep the outcomes that they are given, so that all is smooth, and near singular positions the rows
are regularized."""

import numpy as np

from mekane.codegen.entry_code import at
from mekane.codegen.lanes.traced_model import TracedModel
from mekane.expressions.node import scalar, symbol
from mekane.expressions.opcodes import LESS_EQUAL
from mekane.kernels.rhs import rhs
from mekane.numba_backend.kernel import plain
from mekane.tables.tables import FROZEN, REFINEMENTS, REGULAR


class FrozenModel(TracedModel):
    """A TracedModel of t, y, parameters, outcomes and a regularization."""

    def __init__(self, symbolic, like):
        super().__init__(symbolic, like)
        self.t, self.regularization = symbol("t"), at("regularization")
        self.outcomes = [at("outcome", k) for k in range(len(self.compiled.program.comparisons))]

    def workspace(self, tables=None):
        W = super().workspace(tables)
        W.state[FROZEN] = 1
        W.modes[: len(self.outcomes)] = self.outcomes
        if self.compiled.n_rows:
            W.regularization[0], W.state[REFINEMENTS] = self.regularization, REGULAR[1]
        return W

    def rates_and_guards(self):
        """yd and then the smallest pivot; left − right of every comparison."""
        W, yd = self.workspace(), np.zeros(self.n, object)
        plain(rhs)(self.tables, W, self.t, self.y, yd)
        self.registers = W.r
        guards = [scalar(W.r[k]) for k in self.compiled.program.event_registers]
        return [*map(scalar, yd), self.smallest_pivot(W)], guards


def or_equal(program) -> list[bool]:
    """Of every comparison: whether it holds where both sides are equal."""
    return [bool(program.code[k, 0] == LESS_EQUAL) for k in program.comparisons]
