"""The doors between time loops and physics: what a loop may ask of a model, compiled once and called by address."""

from mekane.algebra.kernel import entry, kernel
from mekane.compile.layout import ANGLE, ROW_KIND, Y_PHI
from mekane.compile.tables import N_ACTIVE, N_Q, N_READ, N_ROWS, N_U, N_WORK
from mekane.kernels.handle import SIGNATURE, call, floats1, handle, unpack
from mekane.kernels.laws import unwrapped
from mekane.kernels.projection import look, weigh_and_eliminate
from mekane.kernels.rhs import rhs as physics
from mekane.kernels.rows import write_rows
from mekane.solvers.correction import choose_rows
from mekane.solvers.correction import correct as correction


@entry(SIGNATURE)
def rhs_entry(header, t, a, b):
    """b = f(t, a)"""
    T, W = unpack(header)
    n = T.count[N_Q] + T.count[N_U] + T.count[N_WORK]
    physics(T, W, t, floats1(a, n), floats1(b, n))
    return 0.0


@entry(SIGNATURE)
def correct_entry(header, t, a, b):
    """Bring the state a onto the constraints; b is scratch over speeds. Returns the largest move of a coordinate."""
    T, W = unpack(header)
    return correction(T, W, floats1(a, T.count[N_Q] + T.count[N_U]), floats1(b, T.count[N_U]))


@entry(SIGNATURE)
def look_entry(header, t, a, b):
    """Everything that follows from the state a without forces: places, motions, all rows. b: every gauge, turns counted."""
    T, W = unpack(header)
    n_q, n_u = T.count[N_Q], T.count[N_U]
    y, gauge = floats1(a, n_q + n_u), floats1(b, T.row_i.shape[0])
    look(T, W, y[:n_q], y[n_q:])
    write_rows(T.pair_i, T.row_i, T.row_f, W.body, W.pair, W.row, T.count[N_READ], T.row_i.shape[0])
    for k in range(T.row_i.shape[0]):
        gauge[k] = unwrapped(W.row[k, Y_PHI], W.gauge[k], int(T.row_i[k, ROW_KIND] == ANGLE))
    return 0.0


@entry(SIGNATURE)
def weigh_entry(header, t, a, b):
    """After `look`: articulated inertias; with t = 1, the rows to hold are chosen anew."""
    T, W = unpack(header)
    weigh_and_eliminate(T, W)
    if t == 1.0 and T.count[N_ROWS] > 0:
        W.state[N_ACTIVE] = 0
        choose_rows(T, W)
    return 0.0


RHS, CORRECT, LOOK, WEIGH = range(4)
ENTRIES = (rhs_entry, correct_entry, look_entry, weigh_entry)


def open_model(tables, workspace):
    """A handle on a compiled model and its workspace."""
    return handle(tables, workspace, [e.address for e in ENTRIES])


@kernel(exact=True, outer=True)
def rhs(P, t, y, yd):
    """yd = f(t, y)"""
    call(P.entries[RHS], P.header, t, y, yd)


@kernel(exact=True, outer=True)
def correct(P, y, x):
    """Bring y onto the constraints; the largest move of a coordinate is returned."""
    return call(P.entries[CORRECT], P.header, 0.0, y, x)


@kernel(exact=True, outer=True)
def look_at(P, y, gauge):
    """Places, motions and rows of a state, without forces; all gauges into `gauge`."""
    call(P.entries[LOOK], P.header, 0.0, y, gauge)


@kernel(exact=True, outer=True)
def weigh(P, choose, y):
    """After `look_at`: articulated inertias. choose = 1.0 also chooses the rows to hold."""
    call(P.entries[WEIGH], P.header, choose, y, y)
