"""Friction of sliding elements of contact laws, solved with the multipliers; and the guards of all elements.

    λ = λ⁰ + Σ_j z_j λ^j,    z_i = c_i(λ)                                                                     (N.4)

z_j is the size of friction j, λ^j what all multipliers answer to it at unit size: one more back-substitution each. c = μ λ_N
for Coulomb friction, or a given number. D and its factor stay symmetric. The friction force of a sliding element stands
as the multipliers of its tangential rows, so that reactions, power and wrenches know it as they know constraints.
"""

import numpy as np

from mekane.algebra.scalar import less, select, zero_like
from mekane.kernels.multipliers import eliminate_row, overlap, solve
from mekane.numba_backend.kernel import kernel
from mekane.tables.columns import (
    BY_NORMAL,
    C_BY,
    C_DIRECTION,
    C_FRICTION,
    C_GUARD,
    C_MODE,
    C_NORMAL,
    C_RATE,
    C_STATIC,
    C_TANGENT,
    C_TANGENTS,
    OPEN,
    ROW_PATH,
    S_DI,
    SLIDING,
    STICKING,
    Y_PHI,
    Y_RATE,
)
from mekane.tables.tables import N_SLIDING, REFINEMENTS, V_LAM, V_PIVOT, V_RESIDUAL, V_RIGHT

STILL = 1e-10  # speed below which a direction of sliding is the last known one [m/s]


@kernel(exact=True)
def mark_modes(T, W):
    """Modes of all elements from the discrete state, and how many slide with friction; forces of the others are zero."""
    count = 0
    for e in range(T.contact_i.shape[0]):
        r = W.r[T.contact_i[e, C_MODE]]
        mode = OPEN
        if r > 0.5:
            mode = SLIDING if r < 1.5 else STICKING
        W.contact[e] = mode
        if mode == SLIDING and T.contact_i[e, C_TANGENTS] > 0:
            count += 1
    if T.contact_i.shape[0] > 0:
        for y in range(W.multiplier.shape[0]):
            W.multiplier[y] = 0.0
    W.state[N_SLIDING] = count


@kernel
def rubs(T, W, e):
    """Whether an element slides with friction."""
    return W.contact[e] == SLIDING and T.contact_i[e, C_TANGENTS] > 0


@kernel
def direction(T, W, e):
    """Unit vector of sliding along the tangents, continued through rest: its side is that of the direction known, which
    changes only between steps."""
    first, d = T.contact_i[e, C_TANGENT], T.contact_i[e, C_DIRECTION]
    a, b = W.r[d], W.r[d + 1]
    if T.contact_i[e, C_TANGENTS] == 1:
        return a, b
    x, y = W.row[first, Y_RATE], W.row[first + 1, Y_RATE]
    squared = x * x + y * y
    still = less(squared, STILL * STILL)
    size = np.sqrt(select(still, 1.0 + zero_like(squared), squared))
    side = select(less(x * a + y * b, 0.0), -1.0, 1.0)
    return select(still, a, side * x / size), select(still, b, side * y / size)


@kernel
def rub(T, W, e, G):
    """G_r: what unit friction of an element does to the speeds, E_r / D_r; after it, E of its tangential rows, not scaled."""
    first, d = T.contact_i[e, C_TANGENT], direction(T, W, e)
    for i in range(T.contact_i[e, C_TANGENTS]):
        y = first + i
        eliminate_row(
            y, T.path_start, T.path, T.body_i, T.row_i, T.term_i, T.speed_kind, W.body, W.speed, W.term, W.wrench, W.E, T.e_start[y]
        )  # fmt: skip
        j, along = T.row_i[y, ROW_PATH], d[0] if i == 0 else d[1]
        for s in range(T.speed_start[j], T.speed_start[j + 1]):
            r = T.path_speed[s]
            G[r] = G[r] - along * W.E[T.e_start[y] + s - T.speed_start[j]] * W.speed[r, S_DI]


@kernel
def respond(T, W, e, G):
    """W.response[e]: scaled multipliers that unit friction of an element calls up."""
    right, answer = W.vectors[V_RIGHT], W.response[e]
    for y in range(right.shape[0]):
        right[y] = zero_like(W.scale[y])
        if W.active[y] == 1:
            right[y] = -overlap(T.row_i, T.e_start, T.speed_start, T.path_speed, W.E, G, y)
    solve(
        T.d_start, T.d_row, T.l_start, T.l_row, W.D, W.L, W.vectors[V_PIVOT], W.state[REFINEMENTS], right, answer, W.vectors[V_RESIDUAL]
    )  # fmt: skip


@kernel
def sliding_friction(T, W):
    """After `solve_rows`: multipliers with friction in V_LAM, and the forces on speeds of both in W.force[0]. (N.4)"""
    G, n = W.force[1], T.contact_i.shape[0]
    for e in range(n):
        if rubs(T, W, e):
            rub(T, W, e, G)
            respond(T, W, e, G)
            for r in range(G.shape[0]):
                G[r] = zero_like(G[r])
    write_size_equations(T, W)
    solve_sizes(T, W)
    lam = W.vectors[V_LAM]
    for e in range(n):
        if rubs(T, W, e):
            for y in range(lam.shape[0]):
                lam[y] = lam[y] + W.sizes[e, n] * W.response[e, y]


@kernel
def write_size_equations(T, W):
    """z_i − μ_i Σ_j z_j λ^j_N,i = μ_i λ⁰_N,i, or z_i = its number."""
    n, lam = T.contact_i.shape[0], W.vectors[V_LAM]
    for e in range(n):
        if not rubs(T, W, e):
            continue
        mu, N = W.r[T.contact_i[e, C_FRICTION]], T.contact_i[e, C_NORMAL]
        by_normal = T.contact_i[e, C_BY] == BY_NORMAL
        W.sizes[e, n] = mu * W.scale[N] * lam[N] if by_normal else mu
        for j in range(n):
            W.sizes[e, j] = zero_like(mu)
            if by_normal and rubs(T, W, j):
                W.sizes[e, j] = -mu * W.scale[N] * W.response[j, N]
        W.sizes[e, e] = W.sizes[e, e] + 1.0


@kernel
def solve_sizes(T, W):
    """Gauss without exchange: where a pivot is not positive, there is no motion or more than one, and a guard tells."""
    n = T.contact_i.shape[0]
    for e in range(n):
        if not rubs(T, W, e):
            continue
        for i in range(e + 1, n):
            if rubs(T, W, i):
                x = W.sizes[i, e] / W.sizes[e, e]
                for j in range(e + 1, n):
                    W.sizes[i, j] = W.sizes[i, j] - x * W.sizes[e, j]
                W.sizes[i, n] = W.sizes[i, n] - x * W.sizes[e, n]
    for e in range(n - 1, -1, -1):
        if not rubs(T, W, e):
            continue
        for j in range(e + 1, n):
            if rubs(T, W, j):
                W.sizes[e, n] = W.sizes[e, n] - W.sizes[e, j] * W.sizes[j, n]
        W.sizes[e, n] = W.sizes[e, n] / W.sizes[e, e]


@kernel
def add_friction(T, W):
    """The friction forces as multipliers of the tangential rows, and on speeds in W.force[0]. Needs E as `rub` left it."""
    n = T.contact_i.shape[0]
    for e in range(n):
        if rubs(T, W, e):
            first, d = T.contact_i[e, C_TANGENT], direction(T, W, e)
            for i in range(T.contact_i[e, C_TANGENTS]):
                y = first + i
                f, j = -(d[0] if i == 0 else d[1]) * W.sizes[e, n], T.row_i[y, ROW_PATH]
                W.multiplier[y] = f
                for s in range(T.speed_start[j], T.speed_start[j + 1]):
                    r = T.path_speed[s]
                    W.force[0, r] = W.force[0, r] + f * W.E[T.e_start[y] + s - T.speed_start[j]]


# ---------------------------------------------------------------- guards


@kernel
def write_guards(T, W):
    """What stays positive while the modes hold, in the registers of guards.  (N.6)"""
    n = T.contact_i.shape[0]
    least = 1.0 + zero_like(W.r[0])
    for e in range(n):
        g = T.contact_i[e, C_GUARD]
        W.r[g] = normal_guard(T, W, e)
        W.r[g + 1] = friction_guard(T, W, e)
        if rubs(T, W, e):
            least = select(less(W.sizes[e, e], least), W.sizes[e, e], least)
    if n > 0:
        W.r[T.contact_i[n - 1, C_GUARD] + 2] = least


@kernel
def normal_guard(T, W, e):
    """Open: the gap, or its rate; closed: the force."""
    N = T.contact_i[e, C_NORMAL]
    if N < 0:
        return 1.0 + zero_like(W.r[0])
    if W.contact[e] != OPEN:
        return W.multiplier[N]
    return W.row[N, Y_RATE if T.contact_i[e, C_RATE] == 1 else Y_PHI]


@kernel
def friction_guard(T, W, e):
    """Sliding: the speed in the direction known; sticking: how much more could be held, in squares."""
    first, count, d = T.contact_i[e, C_TANGENT], T.contact_i[e, C_TANGENTS], T.contact_i[e, C_DIRECTION]
    if count == 0 or W.contact[e] == OPEN:
        return 1.0 + zero_like(W.r[0])
    if W.contact[e] == SLIDING:
        slip = W.r[d] * W.row[first, Y_RATE]
        return slip + W.r[d + 1] * W.row[first + 1, Y_RATE] if count == 2 else slip
    most = W.r[T.contact_i[e, C_STATIC]]
    if T.contact_i[e, C_BY] == BY_NORMAL:
        most = most * W.multiplier[T.contact_i[e, C_NORMAL]]
    margin = most * most - W.multiplier[first] * W.multiplier[first]
    return margin - W.multiplier[first + 1] * W.multiplier[first + 1] if count == 2 else margin
