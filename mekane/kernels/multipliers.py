"""Constraint forces: D lam = γ − B M⁻¹ f without ever forming M or B.  THEORY §6, (C.1).

Eliminated as in (E.4), row j of B becomes a row E_j over speeds, and D_jk = Σ_r E_jr E_kr / D_r. Rows are scaled so that the diagonal of
D is about one; a row that vanishes in a singular position must be seen to vanish, so scales are set between steps. `active` lists the
rows in use (all, unless some repeat others); it is an integer table, chosen between steps. A little softness on the diagonal keeps the
crossing of a singular position finite; refinement on the true D removes it where D is regular.
"""

from mekane.algebra.kernel import kernel
from mekane.algebra.vectors import add, add_to, cross, dot, put, scale, sub, vec
from mekane.compile.layout import (
    B_A,
    B_AL,
    B_D,
    PAIR_A,
    PAIR_B,
    PARENT,
    PURE_TURN,
    ROW_PAIR,
    S_DI,
    S_UV,
    S_UW,
    S_V,
    S_W,
    SPEED0,
    SPEED1,
    Y_BIAS,
    Y_FA,
    Y_FB,
    Y_TA,
    Y_TB,
)


@kernel(outer=True)
def eliminate_row(y, path_start, path, body_i, pair_i, row_i, speed_kind, body, speed, row, wrench, E_y):
    """E_y: row y of B carried inward over the bodies on its path, as (E.4) does with forces."""
    for r in range(E_y.shape[0]):
        E_y[r] = 0.0 * row[y, Y_BIAS]
    j = row_i[y, ROW_PAIR]
    for s in range(path_start[j], path_start[j + 1]):
        put(wrench, path[s], 0, scale(0.0, vec(row, y, Y_FB)))
        put(wrench, path[s], 3, scale(0.0, vec(row, y, Y_FB)))
    a, b = pair_i[j, PAIR_A], pair_i[j, PAIR_B]
    add_to(wrench, a, 0, vec(row, y, Y_TA))
    add_to(wrench, a, 3, vec(row, y, Y_FA))
    add_to(wrench, b, 0, vec(row, y, Y_TB))
    add_to(wrench, b, 3, vec(row, y, Y_FB))
    for s in range(path_start[j], path_start[j + 1]):
        i = path[s]
        n, f = vec(wrench, i, 0), vec(wrench, i, 3)
        for r in range(body_i[i, SPEED1] - 1, body_i[i, SPEED0] - 1, -1):
            e = dot(vec(speed, r, S_W), n)
            if speed_kind[r] != PURE_TURN:
                e = e + dot(vec(speed, r, S_V), f)
            E_y[r] = e
            x = e * speed[r, S_DI]
            n, f = sub(n, scale(x, vec(speed, r, S_UW))), sub(f, scale(x, vec(speed, r, S_UV)))
        k = body_i[i, PARENT]
        add_to(wrench, k, 0, add(n, cross(vec(body, i, B_D), f)))
        add_to(wrench, k, 3, f)


@kernel
def gather(active, n_active, path_start, path, body_i, pair_i, row_i, speed_kind, body, speed, row, wrench, E, G, scale, D):
    """Rows E and matrix D of the active constraints, each multiplied by its scale."""
    n = speed.shape[0]
    for j in range(n_active):
        y = active[j]
        eliminate_row(y, path_start, path, body_i, pair_i, row_i, speed_kind, body, speed, row, wrench, E[j])
        for r in range(n):
            E[j, r] = E[j, r] * scale[y]
            G[r] = E[j, r] * speed[r, S_DI]
        for k in range(j + 1):
            total = 0.0 * G[0]
            for r in range(n):
                total = total + G[r] * E[k, r]
            D[k, j] = total


@kernel
def factor(n, D, pivot, soft):
    """L diag(pivot) Lᵀ = D + soft·1; D stays in the upper triangle, L goes into the lower."""
    for j in range(n):
        d = D[j, j] + soft
        for k in range(j):
            d = d - D[j, k] * D[j, k] * pivot[k]
        pivot[j] = d
        for i in range(j + 1, n):
            x = D[j, i]
            for k in range(j):
                x = x - D[i, k] * D[j, k] * pivot[k]
            D[i, j] = x / d


@kernel
def back_substitute(n, D, pivot, x):
    for j in range(n):
        for k in range(j):
            x[j] = x[j] - D[j, k] * x[k]
    for j in range(n - 1, -1, -1):
        x[j] = x[j] / pivot[j]
        for k in range(j + 1, n):
            x[j] = x[j] - D[k, j] * x[k]


@kernel
def solve(n, D, pivot, refinements, right, lam, rest):
    """lam with D lam = right: the softened solve, refined on the true D (the proximal iteration of THEORY §6)."""
    for j in range(n):
        lam[j] = right[j]
    back_substitute(n, D, pivot, lam)
    for _ in range(refinements):
        for j in range(n):
            x = right[j]
            for k in range(n):
                x = x - D[min(j, k), max(j, k)] * lam[k]
            rest[j] = x
        back_substitute(n, D, pivot, rest)
        for j in range(n):
            lam[j] = lam[j] + rest[j]


@kernel
def row_acceleration(y, pair_i, row_i, body, row):
    """d² phi / dt² of row y with the accelerations now in `body`."""
    a, b = pair_i[row_i[y, ROW_PAIR], PAIR_A], pair_i[row_i[y, ROW_PAIR], PAIR_B]
    return (
        row[y, Y_BIAS]
        + dot(vec(row, y, Y_TA), vec(body, a, B_AL))
        + dot(vec(row, y, Y_FA), vec(body, a, B_A))
        + dot(vec(row, y, Y_TB), vec(body, b, B_AL))
        + dot(vec(row, y, Y_FB), vec(body, b, B_A))
    )


@kernel
def spread(n, E, lam, force):
    """force = Eᵀ lam"""
    for r in range(force.shape[0]):
        total = 0.0 * lam[0]
        for j in range(n):
            total = total + E[j, r] * lam[j]
        force[r] = total
