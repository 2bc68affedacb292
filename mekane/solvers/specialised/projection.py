"""The projection of a state onto the constraints as code of one model: the entries KINEMATICS, INERTIAS and
PROJECTION_STEP as `project` calls them.

The kernels of the three run one after the other in one workspace of symbols. Between them, what one leaves in the
workspace for the next is forgotten: an expression becomes the symbol of its place, while numbers stay numbers. Only
what a later one reads is written at all.
"""

import numpy as np

from mekane.algebra.scalar import select
from mekane.codegen.contact_symbols import branches_of, guards_in, in_any_mode
from mekane.codegen.entry_code import Entry, at, place_of
from mekane.codegen.llvm_writer import Place, literal
from mekane.codegen.specialise import active_rows, symbolic_workspace
from mekane.codegen.trace import objects
from mekane.expressions.graph import Expr, topological
from mekane.expressions.node import scalar
from mekane.kernels.contact_guards import write_guards
from mekane.kernels.projection import articulated_inertias, evaluate_kinematics, projection_step
from mekane.numba_backend.kernel import plain
from mekane.solvers.constraints.projection import FACTOR, factor_active_rows
from mekane.tables.columns import KIND, MIXED, Y_PHI, Y_RATE
from mekane.tables.tables import N_ACTIVE, N_ROWS

LEFT = (
    "body",
    "speed",
    "row",
    "term",
    "E",
    "D",
    "L",
    "vectors",
    "regularization",
)  # fields that one entry leaves for the next


def can_project(compiled, workspace):
    """True if all rows are active, which then stays so; and if projections of speeds are those of the state (F.2)."""
    rows = compiled.tables.count[N_ROWS]
    all_active = workspace.state[N_ACTIVE] == rows and not len(compiled.tables.contact_i)
    return rows > 0 and all_active and MIXED not in compiled.tables.primitive_i[:, KIND]


def kinematics_with_guards(compiled, like):
    """The entry KINEMATICS of a model with contact laws, whose rows are chosen and projected onto by the loops: all that it leaves is
    written. Of guards those of positions and speeds mean something; those of forces read what the last evaluation has left, and
    that of all contacts together, the last one, stays as it was."""
    T, W, n_q = compiled.tables, symbolic_workspace(compiled, like), compiled.n_q
    W.multiplier[:] = objects([at("multiplier", k) for k in range(len(W.multiplier))])
    y = objects([at("a", k) for k in range(n_q + compiled.n_u)])
    with in_any_mode(T):
        plain(evaluate_kinematics)(T, W, at("t"), y[:n_q], y[n_q:])
        plain(write_guards)(T, W)
    guards = dict(list(guards_in(T, W).items())[:-1])
    found = guards | W.modes.outputs() | forget(W)
    return Entry("kinematics", as_scalars(found), {}, "icmp eq i64 %address_b, 0", (), branches_of(T))


def projections(compiled, like):
    """The entries of a projection."""
    T, W, n_q = compiled.tables, symbolic_workspace(compiled, like), compiled.n_q
    y = objects([at("a", k) for k in range(n_q + compiled.n_u)])
    plain(evaluate_kinematics)(T, W, at("t"), y[:n_q], y[n_q:])
    rows = {(row, column): W.row[row, column] for row in range(compiled.n_rows) for column in (Y_PHI, Y_RATE)}
    kinematics = forget(W) | {Place("row", row * W.row.shape[1] + column): x for (row, column), x in rows.items()}
    plain(articulated_inertias)(T, W)
    plain(factor_active_rows)(T, W)
    diagonal = {Place("D", k - 1): W.D[k - 1] for k in T.d_start[1:]}
    inertias = forget(W) | diagonal
    x = np.zeros(compiled.n_u, object)
    for row in range(compiled.n_rows):  # the column is given at run time
        W.row[row, Y_PHI] = select(at("column") < 0.5 * (Y_PHI + Y_RATE), W.row[row, Y_PHI], W.row[row, Y_RATE])
    plain(projection_step)(T, W, Y_PHI, x)
    step = {Place("a", k): one for k, one in enumerate(x)}
    needed = read_by(step)
    inertias = {
        place: one
        for place, one in inertias.items()
        if place in needed or place in diagonal or place.array == "regularization"
    }
    needed |= read_by(inertias)
    kinematics = {
        place: one for place, one in kinematics.items() if place in needed or place.array == "row"
    } | W.modes.outputs()
    wanted = active_rows(compiled, like)
    return [
        Entry("kinematics", as_scalars(kinematics), wanted, "icmp eq i64 %address_b, 0"),
        Entry("inertias", as_scalars(inertias), wanted, f"fcmp oeq double %time, {literal(FACTOR)}"),
        Entry("projection_step", as_scalars(step), wanted),
    ]


def forget(W):
    """{Place: expression} of all that stands in the workspace, which from here on is read from its place."""
    found = {}
    for field in LEFT:
        numbers = getattr(W, field).reshape(-1)
        for k, x in enumerate(numbers):
            if isinstance(x, Expr) and not (x.op == "input" and place_of(x) == (field, k)):
                found[Place(field, k)] = x
                numbers[k] = at(field, k)
    return found


def read_by(outputs):
    """Places of the workspace that expressions read."""
    return {place_of(node) for node in topological(outputs.values()) if node.op == "input"}


def as_scalars(outputs):
    return {place: scalar(x) for place, x in outputs.items()}
