"""Rows of a contact over the speeds that they move: eliminated inward from each body, loops kept."""

import numpy as np

from mekane.algebra.vectors import add, cross, dot, scale, sub
from mekane.kernels.bodies import from_parent, inertia_column, partial_velocity, six, twist
from mekane.kernels.moreau.memory import FULL
from mekane.kernels.multipliers import solve
from mekane.numba_backend.kernel import kernel
from mekane.tables.columns import (
    EXPRESSION,
    PARENT,
    PURE_ROTATION,
    ROW_KIND,
    ROW_PATH,
    ROW_TERM,
    ROW_TERM_END,
    ROW_WORK,
    S_DI,
    SPEED0,
    SPEED1,
    TERM_BODY,
)
from mekane.tables.tables import N_ACTIVE, REFINEMENTS, V_LAM, V_PIVOT, V_RESIDUAL, V_RIGHT

COUPLED = 1e-12  # relative: less is round-off


@kernel
def begin_rows(C, k):
    """No elements yet in the rows of contact k."""
    C.start[k + 1] = C.start[k]
    for c in range(3):
        for j in range(C.drive.shape[1]):
            C.drive[3 * k + c, j] = 0.0


@kernel
def element_of(C, k, r):
    """Where speed r stands in the rows of contact k; −1: there is no space."""
    if C.place[r] >= 0:
        return C.place[r]
    s = C.start[k + 1]
    if s >= C.index.shape[0]:
        C.counts[FULL] = 1
        return -1
    C.index[s], C.place[r] = r, s
    C.E[s, 0] = C.E[s, 1] = C.E[s, 2] = 0.0
    C.start[k + 1] = s + 1
    return s


@kernel
def add_wrench(T, W, C, k, c, i, n, f):
    """Row c of contact k exerts moment n about Bo and force f on body i.  (E.4)"""
    while i > 0:
        for r in range(T.body_i[i, SPEED1] - 1, T.body_i[i, SPEED0] - 1, -1):
            (w_r, v_r), (Uw, Uv) = partial_velocity(W.speed, r), inertia_column(W.speed, r)
            e = dot(w_r, n)
            if T.speed_kind[r] != PURE_ROTATION:
                e = e + dot(v_r, f)
            s = element_of(C, k, r)
            if s < 0:
                return
            C.E[s, c] += e * C.root[r]
            x = e * W.speed[r, S_DI]
            n, f = sub(n, scale(x, Uw)), sub(f, scale(x, Uv))
        n = add(n, cross(from_parent(W.body, i), f))
        i = T.body_i[i, PARENT]


@kernel
def keep_constraints(T, W, C, k, c):
    """Take out of row c what constraints that hold would not let it move: E −= E_Bᵀ D⁻¹ E_B Eᵀ.  (N.8)"""
    right, lam = W.vectors[V_RIGHT], W.vectors[V_LAM]
    touched = False
    for y in range(right.shape[0]):
        right[y] = 0.0
        if W.active[y] == 1:
            first, j = T.e_start[y], T.row_i[y, ROW_PATH]
            for p in range(T.speed_start[j], T.speed_start[j + 1]):
                r = T.path_speed[p]
                if C.place[r] >= 0:
                    right[y] -= W.E[first + p - T.speed_start[j]] * C.E[C.place[r], c] * C.root[r]
            touched = touched or right[y] != 0.0
    if not touched:
        return
    solve(
        W.active, T.d_start, T.d_row, T.l_start, T.l_row, W.D, W.L, W.vectors[V_PIVOT], W.state[REFINEMENTS], right, lam,
        W.vectors[V_RESIDUAL],
    )  # fmt: skip
    for y in range(right.shape[0]):
        if W.active[y] == 1 and lam[y] != 0.0:
            first, j = T.e_start[y], T.row_i[y, ROW_PATH]
            for p in range(T.speed_start[j], T.speed_start[j + 1]):
                r = T.path_speed[p]
                s = element_of(C, k, r)
                if s < 0:
                    return
                C.E[s, c] += W.E[first + p - T.speed_start[j]] * lam[y] * C.root[r]
            if C.drive.shape[1] > 0 and T.row_i[y, ROW_KIND] == EXPRESSION and T.row_i[y, ROW_WORK] >= 0:
                C.drive[3 * k + c, T.row_i[y, ROW_WORK]] += W.scale[y] * lam[y] * driven_velocity(T, W, y)


@kernel
def driven_velocity(T, W, y):
    """With which constraint row y moves what it drives; impulses do not change it."""
    total = 0.0
    for k in range(T.row_i[y, ROW_TERM], T.row_i[y, ROW_TERM_END]):
        (n, f), (w, v) = six(W.term, k), twist(W.body, T.term_i[k, TERM_BODY])
        total += dot(n, w) + dot(f, v)
    return total


@kernel
def drives_work(C, k, work):
    """Work that prescribed motions do against the impulses of contact k."""
    for c in range(3):
        for j in range(C.drive.shape[1]):
            work[j] += C.P[k, c] * C.drive[3 * k + c, j]


@kernel
def end_rows(T, W, C, k):
    """After the last wrench: loops, and D = E Eᵀ of the contact."""
    if W.state[N_ACTIVE] > 0:
        for c in range(3):
            keep_constraints(T, W, C, k, c)
    n, a, b, na, nb, ab = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for s in range(C.start[k], C.start[k + 1]):
        C.place[C.index[s]] = -1
        x, y, z = C.E[s, 0], C.E[s, 1], C.E[s, 2]
        n, a, b, na, nb, ab = n + x * x, a + y * y, b + z * z, na + x * y, nb + x * z, ab + y * z
    most = max(n, a, b)
    off = max(abs(na), abs(nb), abs(ab), abs(a - b) if b > 0.0 else 0.0)
    C.coupled[k] = 1 if off > COUPLED * most else 0
    C.D[k, 0], C.D[k, 1], C.D[k, 2], C.D[k, 3], C.D[k, 4], C.D[k, 5] = free(n), free(a), free(b), na, nb, ab


@kernel
def free(d):
    """A row that is not there, or that cannot move, gets no impulse: nothing changes where it is divided by this."""
    return d if d > 0.0 else np.inf


@kernel
def write_roots(W, C):
    for r in range(C.root.shape[0]):
        C.root[r] = np.sqrt(W.speed[r, S_DI])
        C.x[r] = 0.0
