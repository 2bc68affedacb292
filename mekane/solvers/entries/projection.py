"""Entries: which rows to activate, and the projection of a state onto the constraints."""

from mekane.kernels.projection import articulated_inertias
from mekane.numba_backend.kernel import entry
from mekane.solvers.constraints.projection import CHOOSE, FACTOR, choose_rows, factor_active_rows, project, set_scales
from mekane.tables.handle import SIGNATURE, floats1, unpack
from mekane.tables.tables import N_ACTIVE, N_Q, N_ROWS, N_U


@entry(SIGNATURE)
def inertias_entry(header, t, a, b):
    """After `evaluate_kinematics`: articulated inertias. t is CHOOSE: also choose the rows to activate anew; FACTOR:
    also factor D of the active rows."""
    T, W = unpack(header)
    articulated_inertias(T, W)
    if t == CHOOSE and T.count[N_ROWS] > 0:
        W.state[N_ACTIVE] = 0
        set_scales(T, W)
        choose_rows(T, W)
    elif t == FACTOR:
        factor_active_rows(T, W)
    return 0.0


@entry(SIGNATURE)
def project_entry(header, t, a, b):
    """Bring the state a onto the constraints; b is scratch over speeds. Returns the largest move of a coordinate."""
    T, W = unpack(header)
    return project(header, T, W, t, floats1(a, T.count[N_Q] + T.count[N_U]), floats1(b, T.count[N_U]))
