"""A compiled model behind one small handle, so that time loops are compiled without the physics and call it by address.

All entries have the C signature  double f(int64 header, double t, int64 a, int64 b), the integers being addresses. The
header lists the addresses of the entries, then address and shape of every array of Tables and Workspace; `unpack` makes
arrays of it again.
"""

from typing import NamedTuple

import numpy as np

from mekane.errors import ModelError
from mekane.numba_backend.deferred import Deferred
from mekane.numba_backend.header import HEAD, MAGIC, Layout
from mekane.tables.tables import V_PIVOT, Tables, Workspace

N_ENTRIES = 17
SIGNATURE = "float64(int64, float64, int64, int64)"
(
    RHS,
    PROJECT,
    KINEMATICS,
    FOLLOW,
    INERTIAS,
    PROJECTION_STEP,
    DERIVE,
    INVERSE,
    MULTIPLIERS,
    PARTITION,
    EQUATION_DERIVATIVES,
    MASS,
    DERIVATIVES,
    ENERGY,
    CONTACT_PROBLEM,
    ANSWER,
    MOREAU,
) = range(HEAD, HEAD + N_ENTRIES)  # the entries


class Handle(NamedTuple):
    """What a time loop holds of a model."""

    header: np.ndarray  # int  where the compiled functions and the arrays of the model are
    count: np.ndarray  # Tables.count
    state: np.ndarray  # Workspace.state
    r: np.ndarray  # Workspace.r
    measurement_rate: np.ndarray  # Workspace.measurement_rate
    row: np.ndarray  # Workspace.row
    modes: np.ndarray  # Workspace.modes
    active: np.ndarray  # Workspace.active
    primitive_i: np.ndarray  # Tables.primitive_i
    contact_i: np.ndarray  # Tables.contact_i
    incipient: np.ndarray  # Workspace.incipient
    pivots: np.ndarray  # Workspace.vectors[V_PIVOT]

    def __reduce__(self):
        """The addresses would be those of other arrays, or of another process: what holds a handle must open the model
        anew."""
        raise ModelError(
            "handle", "it holds addresses of memory", "it cannot be copied or sent elsewhere", "Open the model there."
        )


def handle(tables, workspace, addresses):
    """addresses: of those entries that will be called. The arrays must stay alive as long as the handle is used."""
    header = [MAGIC, WORKSPACE.end, *(addresses.get(which, 0) for which in range(HEAD, HEAD + N_ENTRIES))]
    for array, (_, axes) in zip((*tables, *workspace), (*Tables.kinds(), *Workspace.kinds()), strict=True):
        assert array.flags.c_contiguous
        header += [array.ctypes.data, array.shape[0], array.shape[1] if axes == 2 else 1]
    T, W = tables, workspace
    return Handle(
        np.array(header, np.int64), T.count, W.state, W.r, W.measurement_rate, W.row, W.modes, W.active, T.primitive_i,
        T.contact_i, W.incipient, W.vectors[V_PIVOT],
    )  # fmt: skip


TABLES = Layout(Tables, HEAD + N_ENTRIES)
WORKSPACE = Layout(Workspace, TABLES.end)

floats1, floats2 = Deferred("numbers_at", "float64"), Deferred("numbers_at", "float64", 2)
integers1, integers2 = Deferred("numbers_at", "int64"), Deferred("numbers_at", "int64", 2)
duals1 = Deferred("numbers_at", "dual")
call = Deferred("call_through", WORKSPACE.end)
unpack = Deferred("unpack_layouts", (TABLES, "float64"), (WORKSPACE, "float64"))
unpack_duals = Deferred("unpack_layouts", (TABLES, "float64"), (WORKSPACE, "dual"))  # constants are floats
unpack_all_duals = Deferred("unpack_layouts", (TABLES, "dual"), (WORKSPACE, "dual"))
