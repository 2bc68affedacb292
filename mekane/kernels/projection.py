"""Back onto the constraints, in the mass metric and in the tangent space.  THEORY (C.3)."""

import numpy as np

from mekane.algebra.kernel import kernel
from mekane.compile.layout import BLOCK_Q, BLOCK_U, KIND, QUATERNION
from mekane.compile.tables import V_RIGHT
from mekane.kernels.kane import eliminate, respond, weigh
from mekane.kernels.motion import move
from mekane.kernels.rhs import observe, solve_rows


@kernel
def look(T, W, t, q, u):
    """Where everything is and how it moves, rows included."""
    move(T.body_i, T.body_f, T.block_i, T.block_f, T.speed_kind, q, u, W.body, W.speed)
    observe(T, W, t, q, u)


@kernel
def weigh_and_eliminate(T, W):
    weigh(T.body_f, W.body)
    eliminate(T.body_i, T.speed_kind, W.body, W.speed)


@kernel
def pull(T, W, column, x):
    """x = −M⁻¹Bᵀ D⁻¹ (what stands in this column of the rows in use: residual or rate). Needs `factor_rows`."""
    for y in range(W.held.shape[0]):
        W.vectors[V_RIGHT, y] = 0.0
        if W.held[y] == 1:
            W.vectors[V_RIGHT, y] = -W.scale[y] * W.row[y, column]
    solve_rows(T, W)
    respond(T.body_i, T.speed_kind, W.wrench, W.speed, W.body, W.force[0], x)


@kernel(outer=True)
def shift(block_i, q, x):
    """q moved by x, a small change expressed in speeds; Euler parameters are left of unit length."""
    for s in range(block_i.shape[0]):
        iq, iu = block_i[s, BLOCK_Q], block_i[s, BLOCK_U]
        if block_i[s, KIND] == QUATERNION:
            a, b, c = 0.5 * x[iu], 0.5 * x[iu + 1], 0.5 * x[iu + 2]
            e1, e2, e3, e4 = q[iq], q[iq + 1], q[iq + 2], q[iq + 3]
            q[iq] = e1 + e4 * a - e3 * b + e2 * c  # (K.8)
            q[iq + 1] = e2 + e3 * a + e4 * b - e1 * c
            q[iq + 2] = e3 - e2 * a + e1 * b + e4 * c
            q[iq + 3] = e4 - e1 * a - e2 * b - e3 * c
        else:
            q[iq] += x[iu]
    make_unit(block_i, q)


@kernel
def make_unit(block_i, q):
    for s in range(block_i.shape[0]):
        if block_i[s, KIND] == QUATERNION:
            iq = block_i[s, BLOCK_Q]
            n = 1.0 / np.sqrt(q[iq] * q[iq] + q[iq + 1] * q[iq + 1] + q[iq + 2] * q[iq + 2] + q[iq + 3] * q[iq + 3])
            for c in range(4):
                q[iq + c] = q[iq + c] * n
