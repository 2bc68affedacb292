"""Loop kernels on lanes in the place of straight-line code: for models so large that straight-line code takes long to
make and falls out of the cache. The functions have the same arguments,  void name(ptr t, ptr y, ptr p, ptr out).
"""

import numpy as np

from mekane.codegen.machine_code import Machine
from mekane.codegen.specialise import refuse_contact_laws
from mekane.codegen.trace import refuse_callbacks
from mekane.expressions.graph import Expr, evaluate
from mekane.solvers.entries.addresses import lane_addresses
from mekane.tables import columns as at
from mekane.tables.lane_tables import LaneTables
from mekane.tables.tables import FOLLOWING, REFINEMENTS, workspace

STRAIGHT_SPEEDS = 60  # at most, of models that are straight-line code: measured, see docs/theory.md
THUNK = """define void @{name}(ptr %t, ptr %y, ptr %p, ptr %out) nounwind {{
  %entry = inttoptr i64 {entry} to ptr
  %header = inttoptr i64 {header} to ptr
  call void %entry(ptr %t, ptr %y, ptr %p, ptr %header, ptr %out)
  ret void
}}"""


class LoopModel:
    """A model for loop kernels on lanes, with expressions where runs differ.

    symbolic: SymbolicTables; like: a workspace at the start of a run, whose active rows and scales all runs share;
    measured: rows whose measurements, then their rates, then the time they were known, stand first in p."""

    def __init__(self, symbolic, like, measured=()):
        self.measured = measured
        refuse_callbacks(symbolic.compiled)
        refuse_contact_laws(symbolic.compiled)
        self.given = {}  # {(field, index): expression}
        number = lambda field, array: self.numbers(field, array, symbolic.values)
        tables = {field: number(field, x) for field, x in symbolic.tables._asdict().items() if x.dtype == object}
        self.tables = symbolic.tables._replace(**tables)
        ground = np.zeros(at.BODY_W, object)
        ground[at.B_A : at.B_A + 3] = symbolic.base
        gravity = -number("W.body", ground)[at.B_A : at.B_A + 3]
        self.workspace = workspace(self.tables, number("W.r", symbolic.registers), gravity)
        self.begin_like(like)

    def begin_like(self, like):
        """No regularization and no refinement: the smallest pivot tells where a run must leave its lane."""
        W = self.workspace
        W.scale[:], W.active[:], W.state[:] = like.scale, like.active, like.state
        W.regularization[0], W.state[REFINEMENTS], W.state[FOLLOWING] = 0.0, 0, 1

    def numbers(self, field, array, values):
        """An array of floats for one of expressions and floats; the expressions are noted."""
        found = np.zeros(array.shape)
        for index, x in enumerate(array.flat):
            if isinstance(x, Expr):
                self.given[field, index] = x
            found.flat[index] = evaluate(x, values) if isinstance(x, Expr) else float(x)
        return found

    def places(self, p):
        """(k, field, index) of what is read at p[k]. p: {expression: k}"""
        n, measured = len(self.measured), self.measured
        found = [(k, "W.measurement", row) for k, row in enumerate(measured)]
        found += [(n + k, "W.measurement_rate", row) for k, row in enumerate(measured)]
        found += [(2 * n, "W.measurement_time", 0)] if n else []
        return found + [(p[x], field, index) for (field, index), x in self.given.items()]


class LoopCode:
    """Functions of a LoopModel, by name, for one thread: `rhs`, and `project_positions` and `project_speeds`.

    p: {expression: k of p[k]}; stride: distance of the rates that `rhs` writes, in numbers."""

    def __init__(self, model, lanes, p, stride=1, projection=False):
        self.tables = LaneTables(model.tables, model.workspace, lanes, model.places(p), stride)
        header = self.tables.header.ctypes.data
        self.entries = entries = lane_addresses(lanes, projection)
        texts = [THUNK.format(name=name, entry=entry, header=header) for name, entry in entries.items()]
        self.machine = Machine("\n".join(texts), keep=False)

    def address(self, name):
        return self.machine.address(name)
