"""What is looked at when an event has changed speeds: constraints that contradict one another, and how soon a guard comes
back to zero."""

import numpy as np

from mekane.errors import SimulationError
from mekane.model.names import quoted
from mekane.solvers.hybrid.guard_rates import time_back_at_zero
from mekane.tables import columns as at

CONTRADICTION = 1e-6  # of the largest velocity or angular velocity: far beyond what redundant rows miss by
PART = 0.25  # of the time after which a guard is back: the next step


def refuse_contradiction(solver, event):
    """Rows that hold must not open, the redundant ones included. The workspace is at the new speeds."""
    W = solver.workspace
    size = max(np.abs(W.body[:, at.B_W : at.B_W + 6]).max(initial=0.0), np.abs(W.row[:, at.Y_RATE]).max(initial=0.0))
    on = solver.compiled.rows_on(W.r)
    for name, rows in solver.compiled.pairs.rows_of.items():
        opening = np.abs(W.row[[row for row in rows if on[row]], at.Y_RATE]).max(initial=0.0)
        if opening > CONTRADICTION * max(size, 1e-6):
            raise SimulationError(
                f"event {event.name!r} at t = {solver.t:.6g} s: a lock of {quoted(event.lock)} contradicts what holds besides it: "
                f"{name!r} would open at {opening:.3g} (m/s or rad/s). Release it first, or lock what is left free."
            )


def time_to_return(solver):
    """Part of the time after which a guard that has just left zero is back there; infinite if none is about to. From its
    rate and acceleration now: a ball that flies for a microsecond is not to be passed over by one step."""
    if not len(solver.events):
        return np.inf
    vectors, guards = np.zeros((4, len(solver.y))), np.zeros((3, len(solver.events)))
    return PART * time_back_at_zero(solver.handle, solver.events, solver.t, solver.y, vectors, guards)
