"""Constraint forces: D lam = γ − B M⁻¹ f without ever forming M or B.  THEORY §6, (C.1).

Eliminated as in (E.4), row j of B becomes a row E_j over the speeds on its path to the ground, and D_jk = Σ_r E_jr E_kr
/ D_r. Which elements of E, D and of the factor L can differ from zero is known when the model is compiled
(compiler/sparsity), rows being numbered in an order that keeps L sparse: loops that touch few neighbours cost a fixed
amount each.

Rows are scaled so that the diagonal of D is about one; a row that vanishes in a singular position must be seen to
vanish, so scales are set between steps. `active` marks the active rows (all, unless some repeat others); it is an
integer table, chosen between steps; a row not active stands in D as a one alone. 2 marks tangential rows of contacts
whose sliding is incipient: their accelerations follow from their multipliers (kernels.incipient_sliding). What is not active
is skipped; where that is known only when the code runs (a trace, see codegen.specialise), `select` leaves it out. A little
regularization on the diagonal keeps the crossing of a singular position finite; refinement on the true D removes it
where D is regular.
"""

from mekane.algebra.scalar import less, select, zero_like
from mekane.algebra.vectors import add, cross, dot, scale, sub
from mekane.kernels.bodies import acceleration, add_six, from_parent, inertia_column, partial_velocity, put_six, six
from mekane.numba_backend.kernel import kernel
from mekane.tables.columns import (
    PARENT,
    PURE_ROTATION,
    ROW_ALIKE,
    ROW_FLAG,
    ROW_PATH,
    ROW_TERM,
    ROW_TERM_END,
    S_DI,
    SPEED0,
    SPEED1,
    TERM_BODY,
    Y_BIAS,
)
from mekane.tables.tables import N_REPEATED, V_PIVOT, V_WORK

RIGID = 1e-8  # regularization of loops beside that of contacts that repeat others: so little their forces count where these are smallest


@kernel
def push_with_row(y, path_start, path, row_i, term_i, body, term, wrench):
    """wrench: what row y exerts on its bodies, zero for the others on its path."""
    j = row_i[y, ROW_PATH]
    zero, _ = acceleration(body, 0)
    for s in range(path_start[j], path_start[j + 1]):
        put_six(wrench, path[s], zero, zero)
    for k in range(row_i[y, ROW_TERM], row_i[y, ROW_TERM_END]):
        n, f = six(term, k)
        add_six(wrench, term_i[k, TERM_BODY], n, f)


@kernel(outer=True)
def eliminate_row(y, path_start, path, body_i, row_i, term_i, speed_kind, body, speed, term, wrench, E, first):
    """Row y of B carried inward over the bodies on its path, as (E.4) does with forces: E from `first` on, in the order
    of the path."""
    j = row_i[y, ROW_PATH]
    push_with_row(y, path_start, path, row_i, term_i, body, term, wrench)
    for s in range(path_start[j], path_start[j + 1]):
        i = path[s]
        n, f = six(wrench, i)
        for r in range(body_i[i, SPEED1] - 1, body_i[i, SPEED0] - 1, -1):
            (w_r, v_r), (Uw, Uv) = partial_velocity(speed, r), inertia_column(speed, r)
            e = dot(w_r, n)
            if speed_kind[r] != PURE_ROTATION:
                e = e + dot(v_r, f)
            E[first] = e
            first += 1
            x = e * speed[r, S_DI]
            n, f = sub(n, scale(x, Uw)), sub(f, scale(x, Uv))
        add_six(wrench, body_i[i, PARENT], add(n, cross(from_parent(body, i), f)), f)


@kernel
def eliminate_three(y, path_start, path, body_i, row_i, speed_kind, body, speed, term, e_start, E):
    """As `eliminate_row`, for three rows that push on one body alone, the same, which is where their path begins: side by side,
    what they read is read once, and none waits for another."""
    j, at_1, at_2, at_3 = row_i[y, ROW_PATH], e_start[y], e_start[y + 1], e_start[y + 2]
    (n_1, f_1), (n_2, f_2) = six(term, row_i[y, ROW_TERM]), six(term, row_i[y + 1, ROW_TERM])
    n_3, f_3 = six(term, row_i[y + 2, ROW_TERM])
    for s in range(path_start[j], path_start[j + 1]):
        i = path[s]
        for r in range(body_i[i, SPEED1] - 1, body_i[i, SPEED0] - 1, -1):
            (w_r, v_r), (Uw, Uv) = partial_velocity(speed, r), inertia_column(speed, r)
            e_1, e_2, e_3 = dot(w_r, n_1), dot(w_r, n_2), dot(w_r, n_3)
            if speed_kind[r] != PURE_ROTATION:
                e_1, e_2, e_3 = e_1 + dot(v_r, f_1), e_2 + dot(v_r, f_2), e_3 + dot(v_r, f_3)
            E[at_1], E[at_2], E[at_3] = e_1, e_2, e_3
            at_1, at_2, at_3 = at_1 + 1, at_2 + 1, at_3 + 1
            x_1, x_2, x_3 = e_1 * speed[r, S_DI], e_2 * speed[r, S_DI], e_3 * speed[r, S_DI]
            n_1, n_2, n_3 = sub(n_1, scale(x_1, Uw)), sub(n_2, scale(x_2, Uw)), sub(n_3, scale(x_3, Uw))
            f_1, f_2, f_3 = sub(f_1, scale(x_1, Uv)), sub(f_2, scale(x_2, Uv)), sub(f_3, scale(x_3, Uv))
        arm = from_parent(body, i)
        n_1, n_2, n_3 = add(n_1, cross(arm, f_1)), add(n_2, cross(arm, f_2)), add(n_3, cross(arm, f_3))


@kernel
def eliminate_from(T, W, y):
    """E of row y if it is active, and with it of the tangential rows of its contact where these are like it (ROW_ALIKE), if any
    of the three is active. Returns how many rows that are."""
    if T.row_i[y, ROW_ALIKE] == 2:
        if W.active[y] != 0 or W.active[y + 1] != 0 or W.active[y + 2] != 0:
            eliminate_three(
                y, T.path_start, T.path, T.body_i, T.row_i, T.speed_kind, W.body, W.speed, W.term, T.e_start, W.E
            )
        return 3
    if W.active[y] != 0:
        eliminate_row(
            y, T.path_start, T.path, T.body_i, T.row_i, T.term_i, T.speed_kind, W.body, W.speed, W.term, W.wrench, W.E, T.e_start[y]
        )  # fmt: skip
    return 1


@kernel
def gather(T, W, G):
    """Rows E and matrix D of the active rows, each multiplied by its scale. G, scratch over speeds, is zero before and
    after."""
    if T.contact_i.shape[0] > 0:
        gather_side_by_side(T, W, G)
        return
    for y in range(W.active.shape[0]):
        if W.active[y] != 0:
            eliminate_row(
                y, T.path_start, T.path, T.body_i, T.row_i, T.term_i, T.speed_kind, W.body, W.speed, W.term, W.wrench, W.E, T.e_start[y]
            )  # fmt: skip
            scatter(T.row_i, T.e_start, T.speed_start, T.path_speed, W.speed, W.scale[y], W.E, G, y)
        for p in range(T.d_start[y], T.d_start[y + 1]):
            W.D[p] = zero_like(W.scale[y])
            if W.active[y] != 0 and W.active[T.d_row[p]] != 0:
                W.D[p] = overlap(T.row_i, T.e_start, T.speed_start, T.path_speed, W.E, G, T.d_row[p])
        if W.active[y] != 0:
            clear(T.row_i, T.speed_start, T.path_speed, G, y)
        else:
            W.D[T.d_start[y + 1] - 1] = 1.0


@kernel
def gather_side_by_side(T, W, G):
    """The same where contacts have rows that are alike, several at a time."""
    done = 0
    for y in range(W.active.shape[0]):
        if y == done:
            done = y + eliminate_from(T, W, y)
        if W.active[y] != 0:
            scatter_active(T, W, y, G)
            overlap_all(T, W, y, G)
            clear(T.row_i, T.speed_start, T.path_speed, G, y)
        else:
            for p in range(T.d_start[y], T.d_start[y + 1]):
                W.D[p] = zero_like(W.scale[y])
            W.D[T.d_start[y + 1] - 1] = 1.0
        last = T.d_start[y + 1] - 1
        W.D[last] = select(W.active[y], W.D[last], 1.0)


@kernel
def scatter_active(T, W, y, G):
    """`scatter` of a row, scaled, if it is active; else E of it stays as it is, and G zero."""
    factor = select(W.active[y], W.scale[y], 1.0)
    scatter(T.row_i, T.e_start, T.speed_start, T.path_speed, W.speed, factor, W.E, G, y)
    j = T.row_i[y, ROW_PATH]
    for s in range(T.speed_start[j], T.speed_start[j + 1]):
        r = T.path_speed[s]
        G[r] = select(W.active[y], G[r], zero_like(G[r]))


@kernel
def overlap_all(T, W, y, G):
    """Row y of D, which is active and stands in G."""
    p, end = T.d_start[y], T.d_start[y + 1]
    while p < end:
        if p + 2 < end and T.d_row[p + 2] == T.d_row[p] + 2:
            n = overlap_from(T, W, T.d_row[p], G, W.D, p)
        else:
            n = 1
            W.D[p] = overlap_if_active(T, W, T.d_row[p], G)
        p += n


@kernel
def overlap_from(T, W, y, G, out, at):
    """`overlap` of row y and, where they were eliminated with it, of the two after it, into out from `at` on; 0 of rows that are not
    active. Returns how many rows that are."""
    if T.row_i[y, ROW_ALIKE] == 0 or W.active[y] == 0:
        out[at] = overlap_if_active(T, W, y, G)
        return 1
    a, b, c = overlap_three(T.row_i, T.e_start, T.speed_start, T.path_speed, W.E, G, y)
    out[at] = select(W.active[y], a, zero_like(a))
    out[at + 1] = select(W.active[y + 1], b, zero_like(b))
    out[at + 2] = select(W.active[y + 2], c, zero_like(c))
    return 3


@kernel
def overlap_if_active(T, W, y, G):
    if W.active[y] == 0:
        return zero_like(W.scale[y])
    found = overlap(T.row_i, T.e_start, T.speed_start, T.path_speed, W.E, G, y)
    return select(W.active[y], found, zero_like(found))


@kernel
def scatter(row_i, e_start, speed_start, path_speed, speed, scale, E, G, y):
    """Row y of E, scaled, spread over speeds: G_r = E_yr / D_r."""
    first, j = e_start[y], row_i[y, ROW_PATH]
    for s in range(speed_start[j], speed_start[j + 1]):
        r, p = path_speed[s], first + s - speed_start[j]
        E[p] = E[p] * scale
        G[r] = E[p] * speed[r, S_DI]


@kernel
def clear(row_i, speed_start, path_speed, G, y):
    """G is zero again where row y was spread."""
    j = row_i[y, ROW_PATH]
    for s in range(speed_start[j], speed_start[j + 1]):
        G[path_speed[s]] = zero_like(G[path_speed[s]])


@kernel
def overlap(row_i, e_start, speed_start, path_speed, E, G, y):
    """Σ_r E_yr G_r"""
    total, first, j = zero_like(E[e_start[y]]), e_start[y], row_i[y, ROW_PATH]
    for s in range(speed_start[j], speed_start[j + 1]):
        total = total + E[first + s - speed_start[j]] * G[path_speed[s]]
    return total


@kernel
def overlap_three(row_i, e_start, speed_start, path_speed, E, G, y):
    """`overlap` of rows y, y + 1 and y + 2, which have one path (ROW_ALIKE)."""
    at_1, at_2, at_3, j = e_start[y], e_start[y + 1], e_start[y + 2], row_i[y, ROW_PATH]
    a, b, c = zero_like(E[at_1]), zero_like(E[at_1]), zero_like(E[at_1])
    for s in range(speed_start[j + 1] - speed_start[j]):
        g = G[path_speed[speed_start[j] + s]]
        a, b, c = a + E[at_1 + s] * g, b + E[at_2 + s] * g, c + E[at_3 + s] * g
    return a, b, c


@kernel
def factor(
    d_start, d_row, l_start, l_row, D, L, pivot, work, regularization, switched, row_i, dropping, drop, active, kept
):
    """L diag(pivot) Lᵀ = D + regularization, row by row; `switched` for rows that may be off, so that forces which are not
    unique are the smallest of these. `work` is zero before and after.

    When dropping, a row whose pivot is less than `drop` repeats rows before it and is not constrained from here on,
    unless it is kept.
    """
    for j in range(active.shape[0]):
        end, on = d_start[j + 1] - 1, active[j]
        d = D[end] + (switched if row_i[j, ROW_FLAG] > 0 else regularization)
        if on == 0:  # it stands alone
            for p in range(l_start[j], l_start[j + 1]):
                L[p] = zero_like(d)
            pivot[j] = d
            continue
        for p in range(d_start[j], end):
            work[d_row[p]] = D[p]
        for p in range(l_start[j], l_start[j + 1]):
            k = l_row[p]
            x = work[k]
            if active[k] == 0:
                x = zero_like(x)
            else:
                for s in range(l_start[k], l_start[k + 1]):
                    x = x - L[s] * work[l_row[s]]
                x = select(on, select(active[k], x, zero_like(x)), zero_like(x))
            work[k] = x
            L[p] = x / pivot[k]
            d = d - x * L[p]
        for p in range(l_start[j], l_start[j + 1]):
            work[l_row[p]] = zero_like(regularization)
        if dropping == 1 and less(d, drop) and kept[j] == 0:
            active[j] = 0
            d = 1.0
            for p in range(l_start[j], l_start[j + 1]):
                L[p] = 0.0
        pivot[j] = d


@kernel
def factor_rows(T, W):
    """E and the factors of D for the active rows, after `inward_pass`."""
    gather(T, W, W.force[1])
    factor(
        T.d_start,
        T.d_row,
        T.l_start,
        T.l_row,
        W.D,
        W.L,
        W.vectors[V_PIVOT],
        W.vectors[V_WORK],
        W.regularization[0] * (RIGID if W.state[N_REPEATED] > 0 else 1.0),
        W.regularization[0],
        T.row_i,
        0,
        0.0,
        W.active,
        W.active,
    )


@kernel
def back_substitute(active, l_start, l_row, L, pivot, x):
    """Of the active rows; the others stand alone."""
    n = active.shape[0]
    for j in range(n):
        on = active[j]
        if on != 0:
            x_j = x[j]
            for p in range(l_start[j], l_start[j + 1]):
                x_j = x_j - L[p] * x[l_row[p]]
            x[j] = select(on, x_j, x[j])
    for j in range(n):
        x[j] = x[j] / pivot[j]
    for j in range(n - 1, -1, -1):
        on = active[j]
        if on != 0:
            x_j = x[j]
            for p in range(l_start[j], l_start[j + 1]):
                x_k = x[l_row[p]]
                x[l_row[p]] = select(on, x_k - L[p] * x_j, x_k)


@kernel
def solve(active, d_start, d_row, l_start, l_row, D, L, pivot, refinements, right, lam, rest):
    """lam with D lam = right: the softened solve, refined on the true D (the proximal iteration of THEORY §6)."""
    n = right.shape[0]
    for j in range(n):
        lam[j] = right[j]
    back_substitute(active, l_start, l_row, L, pivot, lam)
    for _ in range(refinements):
        for j in range(n):
            rest[j] = right[j]
        for j in range(n):
            end, on = d_start[j + 1] - 1, active[j]
            rest_j, lam_j = rest[j] - D[end] * lam[j], lam[j]
            alone = rest_j
            for p in range(d_start[j] if on != 0 else end, end):  # the others stand alone
                rest_k = rest[d_row[p]]
                rest_j = rest_j - D[p] * lam[d_row[p]]
                rest[d_row[p]] = select(on, rest_k - D[p] * lam_j, rest_k)
            rest[j] = select(on, rest_j, alone)
        back_substitute(active, l_start, l_row, L, pivot, rest)
        for j in range(n):
            lam[j] = lam[j] + rest[j]


@kernel
def row_acceleration(y, row_i, term_i, body, row, term):
    """d² phi / dt² of row y with the accelerations now in `body`, which are less gravity: so is the ground's."""
    total, (_, ground) = row[y, Y_BIAS], acceleration(body, 0)
    for k in range(row_i[y, ROW_TERM], row_i[y, ROW_TERM_END]):
        (n, f), (al, a) = six(term, k), acceleration(body, term_i[k, TERM_BODY])
        total = total + dot(n, al) + dot(f, sub(a, ground))
    return total


@kernel
def spread(row_i, e_start, speed_start, path_speed, E, lam, force):
    """force = Eᵀ lam"""
    for r in range(force.shape[0]):
        force[r] = zero_like(lam[0])
    for y in range(lam.shape[0]):
        first, j = e_start[y], row_i[y, ROW_PATH]
        for s in range(speed_start[j], speed_start[j + 1]):
            force[path_speed[s]] = force[path_speed[s]] + E[first + s - speed_start[j]] * lam[y]


@kernel
def spread_active(active, row_i, e_start, speed_start, path_speed, E, lam, force):
    """force = Eᵀ lam of the active rows."""
    for r in range(force.shape[0]):
        force[r] = zero_like(lam[0])
    for y in range(lam.shape[0]):
        on = active[y]
        if on != 0:
            first, j = e_start[y], row_i[y, ROW_PATH]
            for s in range(speed_start[j], speed_start[j + 1]):
                r = path_speed[s]
                force[r] = select(on, force[r] + E[first + s - speed_start[j]] * lam[y], force[r])
