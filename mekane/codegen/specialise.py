"""A model's right-hand side as an entry of its own: the kernels run once on symbols for whatever may change during a
run.

Constants of the model (masses, places, table of the tree …) become numbers in the code. Not constants are: time and
state; parameters and the discrete state that laws read; measurements; scales and regularization of the constraint rows; outcomes of
comparisons while they are frozen; modes of contact laws and which of their rows are active (codegen.contact_symbols). The other
active rows are integers of the workspace: the code is made for one choice of them.
"""

import numpy as np

from mekane.codegen.contact_symbols import (
    branches_of,
    in_any_mode,
    left_by,
    refuse_loads,
    rows_of_contacts,
    tests_of,
    with_symbols,
)
from mekane.codegen.entry_code import Entry, at
from mekane.codegen.llvm_writer import Place
from mekane.codegen.trace import objects, refuse_callbacks
from mekane.errors import ModelError
from mekane.expressions.graph import select
from mekane.expressions.node import scalar
from mekane.kernels.rhs import rhs
from mekane.numba_backend.kernel import plain
from mekane.tables.columns import ACT_SPEED, ACTION_ELEMENT, ACTION_KIND, ACTION_ON, ACTION_R, ROW_W, Y_PHI, Y_RATE
from mekane.tables.tables import FOLLOWING, FROZEN, N_ACTIVE, N_EXPRESSION_ROWS, N_ROWS, REFINEMENTS, workspace

FIXED = (N_ACTIVE, REFINEMENTS)  # integers of Workspace.state that code is made for; the loops answer where they differ

plain_rhs = plain(rhs)


class Modes:
    """Outcomes of comparisons: as found, or as they were where they are frozen."""

    def __init__(self, n):
        self.values = [None] * n  # none yet

    def __getitem__(self, k):
        return at("modes", k) if self.values[k] is None else self.values[k]

    def __setitem__(self, k, outcome):
        self.values[k] = select(at("frozen"), at("modes", k), outcome)

    def outputs(self):
        return {Place("modes", k): x for k, x in enumerate(self.values) if x is not None}


def right_hand_side(compiled, like):
    """The entry RHS of a compiled model, for the active rows that the workspace `like` has: b = f(t, a)."""
    W, yd = evaluated(compiled, compiled.tables, symbolic_workspace(compiled, like))
    found = {Place("b", k): x for k, x in enumerate(yd)}
    found |= {Place("multiplier", k): x for k, x in enumerate(W.multiplier)}
    found |= W.modes.outputs()
    guards = [*compiled.program.event_registers, *compiled.program.discontinuity_registers]
    found |= {Place("r", k): W.r[k] for k in guards}  # where comparisons change sides, and other laws jump
    found |= {Place("r", k): W.r[k] for k in compiled.hybrid_registers} | left_by(compiled.tables, W)
    if compiled.tables.count[N_EXPRESSION_ROWS] > 0:  # whether a prescribed motion is missed
        rows = [(j, c) for j in range(compiled.tables.count[N_ROWS]) for c in (Y_PHI, Y_RATE)]
        found |= {Place("row", j * ROW_W + c): W.row[j, c] for j, c in rows}
    found = {place: scalar(x) for place, x in found.items()}
    return Entry("rhs", found, active_rows(compiled, like), "", tests_of(compiled.tables), branches_of(compiled.tables))


def accelerations(compiled, like):
    """An entry for forward dynamics: b = ud for a = (y, tau), tau being forces on speeds beside those of the laws."""
    refuse_contact_laws(compiled)
    n_y, n_u = compiled.n_q + compiled.n_u + compiled.n_work, compiled.n_u
    W, tables = symbolic_workspace(compiled, like), compiled.tables
    registers = Registers(W.r, [at("a", n_y + k) for k in range(n_u)])
    given = np.zeros((n_u, tables.action_i.shape[1]), np.int64)
    given[:, ACTION_KIND], given[:, ACTION_ON], given[:, ACTION_ELEMENT] = ACT_SPEED, np.arange(n_u), -1
    given[:, ACTION_R] = len(W.r) + np.arange(n_u)
    tables = tables._replace(action_i=np.concatenate([tables.action_i, given]))
    _, yd = evaluated(compiled, tables, W._replace(r=registers))
    return Entry("accelerations", {Place("b", k): scalar(yd[compiled.n_q + k]) for k in range(n_u)}, {})


class Registers:
    """The registers of the tape, and beyond them numbers that no law computes."""

    def __init__(self, r, more):
        self.r, self.more, self.shape = r, more, r.shape

    def __getitem__(self, k):
        return self.r[k] if k < len(self.r) else self.more[k - len(self.r)]

    def __setitem__(self, k, x):
        self.r[k] = x


def evaluated(compiled, tables, W):
    """The workspace after the right-hand side at the state `a`, and yd."""
    refuse_callbacks(compiled)
    refuse_loads(compiled)
    n = compiled.n_q + compiled.n_u + compiled.n_work
    yd = np.zeros(n, object)
    with in_any_mode(tables):
        plain_rhs(tables, W, at("t"), objects([at("a", k) for k in range(n)]), yd)
    return W, yd


def refuse_contact_laws(compiled):
    """Where there are no loops to hand over to."""
    for law in compiled.system.contact_laws.values():
        problem = "its rows change from phase to phase"
        raise ModelError(law.part, problem, "code is made for one set of rows", 'Use code="loops".')


def symbolic_workspace(compiled, like):
    """A workspace with symbols for what may change during a run."""
    registers = objects(compiled.workspace().r)
    for k in range(1, 1 + compiled.n_fixed):
        registers[k] = at("r", k)
    W = workspace(compiled.tables, registers, compiled.system.gravity, object)
    for field in ("scale", "regularization", "measurement", "measurement_rate"):
        array = getattr(W, field)
        array[:] = objects([at(field, k) for k in range(len(array))])
    W.measurement_time[0] = at("known")
    W.active[:] = like.active
    for k in FIXED:
        W.state[k] = like.state[k]
    # read when it runs, see Modes and `known`: made in mid-run, code is the same
    W.state[FROZEN], W.state[FOLLOWING] = 0, 1
    W = W._replace(modes=Modes(len(W.modes)))
    return with_symbols(compiled.tables, W) if len(compiled.tables.contact_i) else W


def active_rows(compiled, like):
    """{Place: integer} that code made for this workspace relies on."""
    if not len(like.active):
        return {}
    by_mode = rows_of_contacts(compiled.tables)
    wanted = {} if by_mode else {Place("state", k): int(like.state[k]) for k in FIXED}
    return wanted | {Place("active", k): int(x) for k, x in enumerate(like.active) if k not in by_mode}
