"""Friction of sliding elements of contact laws, solved with the multipliers.

    λ = λ⁰ + Σ_j z_j λ^j,    z_i = c_i(λ)                                                                     (N.4)

z_j is the size of friction j, λ^j what all multipliers answer to it at unit size: one more back-substitution each. c = μ λ_N
for Coulomb friction, or a given number. D and its factor stay symmetric. The friction force of a sliding element stands
as the multipliers of its tangential rows, so that reactions, power and wrenches know it as they know constraints.

Elements whose sliding is incipient add two unknowns each, see kernels.incipient_sliding: unknown e of n is the size of
friction or the acceleration along the direction of sliding, unknown n + e the turn of that direction.
"""

from mekane.algebra.scalar import zero_like
from mekane.kernels.contact_modes import direction, is_incipient, is_unknown, push_friction, rubs, where_rubs
from mekane.kernels.incipient_sliding import (
    begin_along,
    keep_friction,
    measure_turning,
    per_unit,
    respond_to_tangents,
    turn,
    write_direction_equations,
)
from mekane.kernels.joint_loads import load_direction, measure_loads
from mekane.kernels.multipliers import eliminate_row, overlap_from, solve
from mekane.numba_backend.kernel import kernel
from mekane.tables.columns import (
    BY_LOAD,
    BY_NORMAL,
    C_BY,
    C_FRICTION,
    C_NORMAL,
    C_PRESSED,
    C_TANGENT,
    C_TANGENTS,
    I_X,
    I_Y,
    ROW_ALIKE,
    ROW_PATH,
    S_DI,
)
from mekane.tables.tables import N_LOADS, REFINEMENTS, V_LAM, V_PIVOT, V_RESIDUAL, V_RIGHT

ITERATIONS = 8  # of Newton for friction by the loads of joints, and for directions of incipient sliding


@kernel
def rub(T, W, e, G):
    """G_r: what unit friction of an element does to the speeds, E_r / D_r; after it, E of its tangential rows, not scaled, and
    its direction in W.incipient."""
    first, d = T.contact_i[e, C_TANGENT], direction(T, W, e)
    W.incipient[e, I_X] = where_rubs(W, e, d[0], W.incipient[e, I_X])
    W.incipient[e, I_Y] = where_rubs(W, e, d[1], W.incipient[e, I_Y])
    there = is_eliminated(T, W, e)
    for i in range(T.contact_i[e, C_TANGENTS]):
        y = first + i
        if not there:
            eliminate_row(
                y, T.path_start, T.path, T.body_i, T.row_i, T.term_i, T.speed_kind, W.body, W.speed, W.term, W.wrench, W.E, T.e_start[y]
            )  # fmt: skip
        j, along = T.row_i[y, ROW_PATH], d[0] if i == 0 else d[1]
        for s in range(T.speed_start[j], T.speed_start[j + 1]):
            r = T.path_speed[s]
            G[r] = G[r] - along * W.E[T.e_start[y] + s - T.speed_start[j]] * W.speed[r, S_DI]


@kernel
def is_eliminated(T, W, e):
    """Whether E of the tangential rows, not scaled, was found: together with that of the normal, see multipliers.eliminate_from; or
    in a trace, where they may be active."""
    normal, first = T.contact_i[e, C_NORMAL], T.contact_i[e, C_TANGENT]
    if W.active[first] != 0:
        return True
    return normal >= 0 and T.row_i[normal, ROW_ALIKE] != 0 and W.active[normal] != 0 and W.active[first + 1] == 0


@kernel
def respond(T, W, e, G):
    """W.response[e]: scaled multipliers that unit friction of an element calls up."""
    right, answer, y = W.vectors[V_RIGHT], W.response[e], 0
    while y < right.shape[0]:
        y += overlap_from(T, W, y, G, right, y)
    for y in range(right.shape[0]):
        right[y] = -right[y]
    solve(
        W.active, T.d_start, T.d_row, T.l_start, T.l_row, W.D, W.L, W.vectors[V_PIVOT], W.state[REFINEMENTS], right, answer,
        W.vectors[V_RESIDUAL],
    )  # fmt: skip
    for y in range(right.shape[0]):
        answer[y] = where_rubs(W, e, answer[y], zero_like(answer[y]))


@kernel
def sliding_friction(T, W):
    """After `solve_rows`: multipliers with friction in V_LAM.  (N.4), (N.5)"""
    iterations = ITERATIONS if T.count[N_LOADS] > 0 else 1
    for e in range(T.contact_i.shape[0]):
        answer_to_friction(T, W, e)
        if is_incipient(W, e):
            iterations = ITERATIONS
    if T.count[N_LOADS] > 0:
        measure_loads(T, W)
    for _ in range(iterations):
        write_size_equations(T, W)
        solve_sizes(T, W)
        turn(T, W)
    measure_turning(T, W)
    add_answers(T, W)


@kernel
def answer_to_friction(T, W, e):
    """W.response of an element that slides. Newton begins without friction."""
    G, n = W.force[1], T.contact_i.shape[0]
    W.sizes[e, 2 * n] = zero_like(W.sizes[e, 2 * n])
    if is_incipient(W, e):
        begin_along(T, W, e)
        respond_to_tangents(T, W, e)
    elif rubs(T, W, e):
        rub(T, W, e, G)
        respond(T, W, e, G)
        for r in range(G.shape[0]):
            G[r] = zero_like(G[r])


@kernel
def add_answers(T, W):
    """What friction calls up, added to the multipliers."""
    n, lam = T.contact_i.shape[0], W.vectors[V_LAM]
    for e in range(n):
        if rubs(T, W, e) or is_incipient(W, e):
            for y in range(lam.shape[0]):
                lam[y] = lam[y] + W.sizes[e, 2 * n] * per_unit(T, W, e, y)


@kernel
def write_size_equations(T, W):
    """z_i − μ_i Σ_j z_j λ^j_N,i = μ_i λ⁰_N,i; z_i = its number; or z_i = μ_i R̂·(R⁰ + Σ_j z_j R^j), R̂ the direction of the
    load of a joint as it was found last: Newton's method."""
    n = T.contact_i.shape[0]
    keep_friction(T, W)
    for e in range(n):
        if rubs(T, W, e):
            W.next_size[e] = write_size_equation(T, W, e)
        elif is_incipient(W, e):
            write_direction_equations(T, W, e)
    for e in range(n):
        if rubs(T, W, e):
            W.sizes[e, 2 * n] = W.next_size[e]


@kernel
def write_size_equation(T, W, e):
    """Left side of the equation of an element; returns its right side."""
    n, lam = T.contact_i.shape[0], W.vectors[V_LAM]
    mu, N, by = W.r[T.contact_i[e, C_FRICTION]], T.contact_i[e, C_PRESSED], T.contact_i[e, C_BY]
    a, b = zero_like(mu), zero_like(mu)
    right = mu
    if by == BY_NORMAL:
        right = mu * W.scale[N] * lam[N]
    elif by == BY_LOAD:
        a, b = load_direction(T, W, e)
        right = mu * (a * W.load[e, 2 * n] + b * W.load[e, 2 * n + 1])
    for k in range(2 * n):
        W.sizes[e, k] = zero_like(mu)
        if is_unknown(T, W, k):
            if by == BY_NORMAL:
                W.sizes[e, k] = -mu * W.scale[N] * per_unit(T, W, k, N)
            elif by == BY_LOAD:
                W.sizes[e, k] = -mu * (a * W.load[e, 2 * k] + b * W.load[e, 2 * k + 1])
            W.sizes[e, k] = where_rubs(W, e, W.sizes[e, k], zero_like(mu))
    W.sizes[e, e] = W.sizes[e, e] + 1.0
    return where_rubs(W, e, right, zero_like(mu))


@kernel
def solve_sizes(T, W):
    """Gauss without exchange: where a pivot is not positive, there is no motion or more than one, and a guard tells."""
    last = 2 * T.contact_i.shape[0]
    for e in range(last):
        if not is_unknown(T, W, e):
            continue
        for i in range(e + 1, last):
            if is_unknown(T, W, i):
                x = W.sizes[i, e] / W.sizes[e, e]
                for j in range(e + 1, last + 1):
                    W.sizes[i, j] = W.sizes[i, j] - x * W.sizes[e, j]
    for e in range(last - 1, -1, -1):
        if not is_unknown(T, W, e):
            continue
        for j in range(e + 1, last):
            if is_unknown(T, W, j):
                W.sizes[e, last] = W.sizes[e, last] - W.sizes[e, j] * W.sizes[j, last]
        W.sizes[e, last] = W.sizes[e, last] / W.sizes[e, e]


@kernel
def add_friction(T, W):
    """The friction forces as multipliers of the tangential rows, and on speeds in W.force[0]."""
    n = T.contact_i.shape[0]
    for e in range(n):
        if rubs(T, W, e):
            push_friction(T, W, e, W.sizes[e, 2 * n])
