"""Guards just after an event: how they move on, and how soon one that has just left zero is back there. Compiled."""

import numpy as np

from mekane.numba_backend.kernel import kernel
from mekane.solvers.entries.calls import rhs
from mekane.solvers.state import GUARD

SHORT = 1e-5  # s: over so much guards are differentiated. It does not depend on the end, so that runs can go on
NEAR = 1e-9  # guards that begin so close to zero, by the size of their rates
ROUND_OFF = 1e-6  # of SHORT: a guard that is back so soon has not left


@kernel(exact=True)
def differentiate_guards(P, events, t, y, yd, stage, slope, rates):
    """Rates of guards along the motion, whose slope is yd, by central differences. stage, slope: the state SHORT later, and its
    slope."""
    for side in range(2):
        dt = -SHORT if side == 0 else SHORT
        for m in range(y.shape[0]):
            stage[m] = y[m] + dt * yd[m]
        rhs(P, t + dt, stage, slope)
        for k in range(events.shape[0]):
            g = P.r[events[k, GUARD]]
            rates[k] = g if side == 0 else (g - rates[k]) / (2.0 * SHORT)


@kernel(exact=True, outer=True)
def time_back_at_zero(P, events, t, y, vectors, guards):
    """The shortest time after which a guard that begins at zero is back there, by its rate and acceleration now; infinite if
    none is about to. vectors (4, states), guards (3, guards): scratch."""
    rhs(P, t, y, vectors[0])
    return time_back_from(P, events, t, y, vectors, guards)


@kernel(exact=True)
def time_back_from(P, events, t, y, vectors, guards):
    """The same where the last evaluation was that of this state, its slope in vectors[0]."""
    now, rates, later = guards[0], guards[1], guards[2]
    for k in range(events.shape[0]):
        now[k] = P.r[events[k, GUARD]]
    differentiate_guards(P, events, t, y, vectors[0], vectors[1], vectors[2], rates)
    begins, soonest = False, np.inf
    for k in range(events.shape[0]):
        begins = begins or abs(now[k]) <= NEAR * abs(rates[k])
    if not begins:
        return soonest
    differentiate_guards(P, events, t + SHORT, vectors[1], vectors[2], vectors[3], vectors[0], later)
    for k in range(events.shape[0]):
        acceleration = (later[k] - rates[k]) / SHORT
        if abs(now[k]) <= NEAR * abs(rates[k]) and rates[k] * acceleration < 0.0:
            if abs(rates[k]) > ROUND_OFF * SHORT * abs(acceleration):
                soonest = min(soonest, 2.0 * abs(rates[k] / acceleration))
    return soonest
