"""A compiled model behind one small handle, so that time loops are compiled without the physics and call it by address.

All entries have the C signature  double f(int64 header, double t, int64 a, int64 b), the integers being addresses. The
header lists the addresses of the entries, then address and shape of every array of Tables and Workspace; `unpack` makes
arrays of it again.
"""

from typing import NamedTuple

import numpy as np
from numba import types

from mekane.errors import ModelError
from mekane.numba_backend.dual import dual
from mekane.numba_backend.views import HEAD, MAGIC, View, array_at, call_through, unpack_as
from mekane.tables.tables import V_PIVOT, Tables, Workspace

N_ENTRIES = 17
SIGNATURE = types.float64(types.int64, types.float64, types.int64, types.int64)
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


floats1, floats2, integers1, duals1 = (
    array_at(types.float64),
    array_at(types.float64, 2),
    array_at(types.int64),
    array_at(dual),
)


TABLES = View(Tables, HEAD + N_ENTRIES)
WORKSPACE = View(Workspace, TABLES.end)
DUAL_TABLES = View(Tables, HEAD + N_ENTRIES, dual)
DUAL_WORKSPACE = View(Workspace, TABLES.end, dual)


call = call_through(WORKSPACE.end)
unpack = unpack_as(TABLES, WORKSPACE)
unpack_duals = unpack_as(TABLES, DUAL_WORKSPACE)  # constants are floats
unpack_all_duals = unpack_as(DUAL_TABLES, DUAL_WORKSPACE)
