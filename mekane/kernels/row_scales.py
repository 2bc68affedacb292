"""Scales of rows: by which the diagonal of D is about one.

Those of joints and constraints are set between steps (solvers.constraints.projection): a row that vanishes in a singular position
must be seen to vanish. Those of contact laws decide how a load is shared that could be shared in many ways (kernels.shared_loads), so
they follow from the state alone, and from what joints and constraints leave of the motion, in whatever coordinates it is: whatever has
led there, the same state has the same forces.
"""

import numpy as np

from mekane.algebra.scalar import less, maximum, select, zero_like
from mekane.kernels.multipliers import clear, eliminate_row, factor_rows, overlap, scatter, solve
from mekane.numba_backend.kernel import kernel
from mekane.tables.columns import (
    B_D,
    B_P,
    C_NORMAL,
    C_TANGENT,
    C_TANGENTS,
    PAIR_B,
    PURE_ROTATION,
    ROW_PATH,
    ROW_TERM,
    ROW_TERM_END,
    S_DI,
    S_V,
    S_W,
    X_PM,
    Z_F,
)
from mekane.tables.tables import REFINEMENTS, V_LAM, V_PIVOT, V_RESIDUAL, V_RIGHT

VANISHING = 1e-8  # of the largest of its kind: a row this small is not scaled up further
CONSTRAINED = 1e-4  # of what it is without joints and constraints: likewise


@kernel
def measure_contact_scales(T, W, every):
    """W.scale of the active rows of contact laws, or of every one (1): the root of one over their own diagonal elements of D, joints
    and constraints being kept.  (N.8)"""
    others, (force, torque) = set_contacts_aside(T, W), possible_diagonals(T, W)
    if others > 0:
        factor_rows(T, W)
    for e in range(T.contact_i.shape[0]):
        normal, first = T.contact_i[e, C_NORMAL], T.contact_i[e, C_TANGENT]
        if normal >= 0:
            measure_scale(T, W, normal, force, torque, others, every)
        for i in range(T.contact_i[e, C_TANGENTS]):
            measure_scale(T, W, first + i, force, torque, others, every)
    for y in range(W.active.shape[0]):
        W.active[y] = W.order[0, y]


@kernel
def set_contacts_aside(T, W):
    """Which rows are active, in W.order[0]; in W.active those of joints and constraints alone. Returns their number."""
    for y in range(W.active.shape[0]):
        W.order[0, y] = W.active[y]
    for e in range(T.contact_i.shape[0]):
        if T.contact_i[e, C_NORMAL] >= 0:
            W.active[T.contact_i[e, C_NORMAL]] = 0
        for y in range(T.contact_i[e, C_TANGENT], T.contact_i[e, C_TANGENT] + T.contact_i[e, C_TANGENTS]):
            W.active[y] = 0
    count = 0
    for y in range(W.active.shape[0]):
        count += 1 if W.active[y] != 0 else 0
    return count


@kernel
def measure_scale(T, W, y, force, torque, others, every):
    if every == 1 or W.order[0, y] != 0:
        d = diagonal(T, W, y)
        possible = select(less(0.0, pushing(T.row_i, W.term, y)), force, torque)
        least = maximum(VANISHING * possible, 1e-100 + zero_like(d))
        kept = d - taken_by_others(T, W, y) if others > 0 else d
        W.scale[y] = 1.0 / np.sqrt(maximum(maximum(kept, CONSTRAINED * d), least))


@kernel
def diagonal(T, W, y):
    """Σ_r E_yr² / D_r of a row that is not scaled. E stays in its place."""
    first, j, total = T.e_start[y], T.row_i[y, ROW_PATH], zero_like(W.scale[y])
    eliminate_row(
        y, T.path_start, T.path, T.body_i, T.row_i, T.term_i, T.speed_kind, W.body, W.speed, W.term, W.wrench, W.E, first
    )  # fmt: skip
    for s in range(T.speed_start[j], T.speed_start[j + 1]):
        e = W.E[first + s - T.speed_start[j]]
        total = total + e * e * W.speed[T.path_speed[s], S_DI]
    return total


@kernel
def taken_by_others(T, W, y):
    """By how much joints and constraints that are kept make it less. Their rows are factored, and E of this one is in its place."""
    G, right, answer = W.force[1], W.vectors[V_RIGHT], W.vectors[V_LAM]
    scatter(T.row_i, T.e_start, T.speed_start, T.path_speed, W.speed, 1.0, W.E, G, y)
    for j in range(right.shape[0]):
        right[j] = zero_like(W.scale[y])
        if W.active[j] != 0:
            right[j] = overlap(T.row_i, T.e_start, T.speed_start, T.path_speed, W.E, G, j)
    clear(T.row_i, T.speed_start, T.path_speed, G, y)
    solve(
        W.active, T.d_start, T.d_row, T.l_start, T.l_row, W.D, W.L, W.vectors[V_PIVOT], W.state[REFINEMENTS], right, answer,
        W.vectors[V_RESIDUAL],
    )  # fmt: skip
    total = zero_like(W.scale[y])
    for j in range(right.shape[0]):
        total = total + right[j] * answer[j]
    return total


@kernel
def pushing(row_i, term, y):
    """Σ of the squares of the forces by which a row pushes; 0: with torques only."""
    total = zero_like(term[row_i[y, ROW_TERM], Z_F])
    for k in range(row_i[y, ROW_TERM], row_i[y, ROW_TERM_END]):
        for c in range(3):
            total = total + term[k, Z_F + c] * term[k, Z_F + c]
    return total


@kernel
def possible_diagonals(T, W):
    """Diagonal elements of D that a unit force and a unit torque could have in this mechanism: rows of a kind may all
    vanish."""
    arm, force, torque = zero_like(W.scale[0]), zero_like(W.scale[0]), zero_like(W.scale[0])  # arm: squared
    for i in range(1, W.body.shape[0]):
        for c in range(3):
            arm = maximum(arm, W.body[i, B_D + c] * W.body[i, B_D + c])
    for j in range(W.pair.shape[0]):
        for c in range(3):
            x = W.pair[j, X_PM + c] - W.body[T.pair_i[j, PAIR_B], B_P + c]
            arm = maximum(arm, x * x)
    for r in range(W.speed.shape[0]):
        rotation, translation = zero_like(arm), zero_like(arm)
        for c in range(3):
            rotation = rotation + W.speed[r, S_W + c] * W.speed[r, S_W + c]
            if T.speed_kind[r] != PURE_ROTATION:
                translation = translation + W.speed[r, S_V + c] * W.speed[r, S_V + c]
        force = maximum(force, (translation + rotation * arm) * W.speed[r, S_DI])
        torque = maximum(torque, rotation * W.speed[r, S_DI])
    return force, torque
