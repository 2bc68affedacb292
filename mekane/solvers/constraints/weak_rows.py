"""Constraint rows that nearly repeat others where a run begins: near a singular position, or wherever the mechanism goes?

Near a singular position rows are softened for as long as it takes to pass it (solvers.constraints.projection.regularize). Two
bearings side by side, or an axis that is nearly normal to a bar, leave the rows of some mechanisms near to one another all
the time: softened, their multipliers would be wrong by a part of their size in every step. So where rows are weak at the
start, the mechanism is moved a little, and they are judged beside their pivots there.
"""

import numpy as np

from mekane.kernels.projection import shift
from mekane.solvers.constraints.projection import FACTOR, ORDINARY, WEAK
from mekane.solvers.entries.calls import evaluate_inertias, evaluate_kinematics, project
from mekane.tables.columns import B_P, S_W, Y_PHI
from mekane.tables.tables import N_Q, N_ROWS, V_PIVOT

AWAY = 1e-6, 0.05  # of the mechanism, and radians: how far it is moved first, and at most
CLOSED = 1e-9  # of the mechanism, and radians: joints that stay open by more did not follow


def judge_weak_rows(handle, tables, W, t, y):
    """After the rows to activate were chosen at a state y: W.regularization[1] becomes what the weakest pivot is beside.
    Rows of contact laws that repeat others are active all the same and share their load by being soft: they stay so."""
    if not tables.count[N_ROWS] or len(tables.contact_i):
        return
    chosen = {name: getattr(W, name).copy() for name in ("state", "active", "regularization")}
    share = min(1.0, W.regularization[1] / ORDINARY)
    pivot = weakest_pivot(handle, W, t, y)
    for name, before in chosen.items():
        getattr(W, name)[:] = before
    if pivot < WEAK * share:
        W.regularization[1] = min(W.regularization[1], strongest_nearby(handle, tables, W, t, y, pivot))


def weakest_pivot(handle, W, t, y):
    """Of the active rows at a state, which are chosen and factored there."""
    evaluate_kinematics(handle, t, y, W.measurement.copy())
    evaluate_inertias(handle, FACTOR, y)
    return W.vectors[V_PIVOT].min(initial=1.0)


def strongest_nearby(handle, tables, W, t, y, pivot):
    """The largest value that the weakest pivot has where the mechanism can be moved to, to one side and to the other."""
    before, found = [array.copy() for array in W], [pivot]
    length = np.ptp(W.body[:, B_P : B_P + 3], axis=0).max()
    rotates = W.speed[:, S_W : S_W + 3].any(axis=1)
    size = np.where(rotates, 1.0, length) * np.random.default_rng(1).uniform(-1.0, 1.0, len(W.speed))
    W.regularization[1] = pivot  # nothing is soft on the way
    for sign in (1.0, -1.0):
        moved, way = y.copy(), AWAY[0]
        shift(tables.primitive_i, moved[: tables.count[N_Q]], sign * way * size)
        while way < AWAY[1] and follows(handle, tables, W, t, moved, CLOSED * max(1.0, length)):
            found.append(weakest_pivot(handle, W, t, moved))
            moved, way = 2.0 * moved - y, 2.0 * way
    for array, old in zip(W, before, strict=True):
        array[...] = old
    return max(found)


def follows(handle, tables, W, t, y, closed):
    """Close the joints; True if they could be."""
    project(handle, t, y, np.zeros(len(W.speed)))
    evaluate_kinematics(handle, t, y, W.measurement.copy())
    return np.abs(W.row[: tables.count[N_ROWS], Y_PHI]).max() <= closed
