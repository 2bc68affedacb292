"""What is looked at when an event has changed speeds: constraints that contradict one another, and how soon a guard comes
back to zero."""

import numpy as np

from mekane.errors import SimulationError
from mekane.model.names import quoted
from mekane.solvers.entries.calls import rhs
from mekane.solvers.state import GUARD
from mekane.tables import columns as at

CONTRADICTION = 1e-6  # of the largest velocity or angular velocity: far beyond what redundant rows miss by
SHORT = 1e-5  # s: over so much guards are differentiated. It does not depend on the end, so that runs can go on
NEAR = 1e-9  # guards that begin so close to zero, by the size of their rates
ROUND_OFF = 1e-6  # of SHORT: a guard that is back so soon has not left
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
    dt = SHORT
    now, rates, yd = guard_rates(solver, solver.t, solver.y, dt)
    if not (np.abs(now) <= NEAR * np.abs(rates)).any():
        return np.inf
    _, later, _ = guard_rates(solver, solver.t + dt, solver.y + dt * yd, dt)
    acceleration = (later - rates) / dt
    returns = (np.abs(now) <= NEAR * np.abs(rates)) & (rates * acceleration < 0.0)
    returns &= np.abs(rates) > ROUND_OFF * dt * np.abs(acceleration)
    return float((PART * 2.0 * np.abs(rates[returns] / acceleration[returns])).min(initial=np.inf))


def guard_rates(solver, t, y, dt):
    """Guards, their rates by central differences along the motion, and its slope."""
    now, yd = guards_at(solver, t, y)
    (after, _), (before, _) = (guards_at(solver, t + d, y + d * yd) for d in (dt, -dt))
    return now, (after - before) / (2.0 * dt), yd


def guards_at(solver, t, y):
    yd = np.zeros(len(y))
    rhs(solver.handle, t, y, yd)
    return solver.workspace.r[solver.events[:, GUARD]], yd
