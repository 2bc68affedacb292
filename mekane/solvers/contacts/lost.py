"""Contacts that end because there is nothing left to touch: a corner that has passed the edge of a face. Their gaps jump."""

import numpy as np

from mekane.solvers.entries.from_python import evaluate_kinematics
from mekane.tables import columns as at
from mekane.tables.columns import OPEN

LOST = 1e-4  # m or rad: a gap of a closed contact beyond it has jumped; others drift by less


def open_lost(state):
    """Open the elements of a ContactState whose gaps have jumped."""
    closed = (np.rint(state.solver.workspace.r[state.in_mode]) != OPEN) & (state.table[:, at.C_NORMAL] >= 0)
    if not closed.any():
        return
    solver = state.solver
    evaluate_kinematics(solver.handle, solver.t, solver.y, solver.workspace.measurement.copy())
    for e in np.flatnonzero(closed & (np.array(state.gaps()) > LOST)).tolist():
        state.write(e, OPEN)
