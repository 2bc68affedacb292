"""Friction of sliding elements of contact laws, solved with the multipliers; and the guards of all elements.

    λ = λ⁰ + Σ_j z_j λ^j,    z_i = c_i(λ)                                                                     (N.4)

z_j is the size of friction j, λ^j what all multipliers answer to it at unit size: one more back-substitution each. c = μ λ_N
for Coulomb friction, or a given number. D and its factor stay symmetric. The friction force of a sliding element stands
as the multipliers of its tangential rows, so that reactions, power and wrenches know it as they know constraints.
"""

import numpy as np

from mekane.algebra.scalar import less, select, zero_like
from mekane.algebra.vectors import add, cross, dot, rotate, scale, sub, vec
from mekane.kernels.articulated_body import outward_pass
from mekane.kernels.bodies import (
    acceleration,
    add_six,
    applied_wrench,
    mass_properties,
    pose,
    put_six,
    six,
    twist,
)
from mekane.kernels.multipliers import eliminate_row, overlap, solve, spread
from mekane.numba_backend.kernel import kernel
from mekane.tables.columns import (
    BY_LOAD,
    BY_NORMAL,
    C_BY,
    C_DIRECTION,
    C_FRICTION,
    C_GUARD,
    C_LOAD_BODY,
    C_LOAD_E,
    C_LOAD_END,
    C_LOAD_PAIR,
    C_LOAD_ROW,
    C_LOADS,
    C_MODE,
    C_NORMAL,
    C_RATE,
    C_STATIC,
    C_SUMS,
    C_TANGENT,
    C_TANGENTS,
    N_ELEMENT_GUARDS,
    OPEN,
    PAIR_B,
    PARENT,
    ROW_PATH,
    ROW_TERM,
    ROW_TERM_END,
    S_DI,
    S_E,
    SLIDING,
    STICKING,
    TERM_BODY,
    X_E,
    Y_PHI,
    Y_RATE,
)
from mekane.tables.tables import N_LOADS, N_SLIDING, REFINEMENTS, V_LAM, V_PIVOT, V_RESIDUAL, V_RIGHT

ITERATIONS = 8  # of Newton for friction by the loads of joints
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
    """After `solve_rows`: multipliers with friction in V_LAM.  (N.4), (N.5)"""
    G, n = W.force[1], T.contact_i.shape[0]
    for e in range(n):
        W.sizes[e, n] = zero_like(W.sizes[e, n])  # Newton begins without friction
        if rubs(T, W, e):
            rub(T, W, e, G)
            respond(T, W, e, G)
            for r in range(G.shape[0]):
                G[r] = zero_like(G[r])
    if T.count[N_LOADS] > 0:
        measure_loads(T, W)
    for _ in range(ITERATIONS if T.count[N_LOADS] > 0 else 1):
        write_size_equations(T, W)
        solve_sizes(T, W)
    lam = W.vectors[V_LAM]
    for e in range(n):
        if rubs(T, W, e):
            for y in range(lam.shape[0]):
                lam[y] = lam[y] + W.sizes[e, n] * W.response[e, y]


@kernel
def write_size_equations(T, W):
    """z_i − μ_i Σ_j z_j λ^j_N,i = μ_i λ⁰_N,i; z_i = its number; or z_i = μ_i R̂·(R⁰ + Σ_j z_j R^j), R̂ the direction of the
    load of a joint as it was found last: Newton's method."""
    n, lam = T.contact_i.shape[0], W.vectors[V_LAM]
    for e in range(n):
        if not rubs(T, W, e):
            continue
        mu, N, by = W.r[T.contact_i[e, C_FRICTION]], T.contact_i[e, C_NORMAL], T.contact_i[e, C_BY]
        a, b = zero_like(mu), zero_like(mu)
        right = mu
        if by == BY_NORMAL:
            right = mu * W.scale[N] * lam[N]
        elif by == BY_LOAD:
            a, b = load_direction(T, W, e)
            right = mu * (a * W.load[e, 2 * n] + b * W.load[e, 2 * n + 1])
        for j in range(n):
            W.sizes[e, j] = zero_like(mu)
            if rubs(T, W, j):
                if by == BY_NORMAL:
                    W.sizes[e, j] = -mu * W.scale[N] * W.response[j, N]
                elif by == BY_LOAD:
                    W.sizes[e, j] = -mu * (a * W.load[e, 2 * j] + b * W.load[e, 2 * j + 1])
        W.next_size[e] = right
        W.sizes[e, e] = W.sizes[e, e] + 1.0
    for e in range(n):
        if rubs(T, W, e):
            W.sizes[e, n] = W.next_size[e]


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
    """The friction forces as multipliers of the tangential rows, and on speeds in W.force[0]."""
    n = T.contact_i.shape[0]
    for e in range(n):
        if rubs(T, W, e):
            push_friction(T, W, e, W.sizes[e, n])


@kernel
def push_friction(T, W, e, size):
    """Friction of this size: as multipliers, and on speeds in W.force[0]. Needs E as `rub` left it."""
    first, d = T.contact_i[e, C_TANGENT], direction(T, W, e)
    for i in range(T.contact_i[e, C_TANGENTS]):
        y = first + i
        f, j = -(d[0] if i == 0 else d[1]) * size, T.row_i[y, ROW_PATH]
        W.multiplier[y] = f
        for s in range(T.speed_start[j], T.speed_start[j + 1]):
            r = T.path_speed[s]
            W.force[0, r] = W.force[0, r] + f * W.E[T.e_start[y] + s - T.speed_start[j]]


# ---------------------------------------------------------------- loads of joints


@kernel
def measure_loads(T, W):
    """W.load: load components of joints without friction of what slides, and what unit friction of each adds: the inward
    pass with true accelerations, once for each.  (N.5)"""
    n = T.contact_i.shape[0]
    load_with(T, W, -1)
    for j in range(n):
        if rubs(T, W, j):
            load_with(T, W, j)
            for e in range(n):
                for c in range(2):
                    W.load[e, 2 * j + c] = W.load[e, 2 * j + c] - W.load[e, 2 * n + c]


@kernel
def load_with(T, W, j):
    """Loads with unit friction of element j (-1: of none). Multipliers without friction stand in V_LAM."""
    lam, e_of, ud, force = W.vectors[V_LAM], W.force[2], W.force[3], W.force[0]
    for r in range(e_of.shape[0]):
        e_of[r] = W.speed[r, S_E]
    for y in range(lam.shape[0]):
        W.vectors[V_RIGHT, y] = lam[y] + W.response[j, y] if j >= 0 else lam[y]
        W.multiplier[y] = W.scale[y] * W.vectors[V_RIGHT, y]
    spread(T.row_i, T.e_start, T.speed_start, T.path_speed, W.E, W.vectors[V_RIGHT], force)
    if j >= 0:
        push_friction(T, W, j, 1.0 + zero_like(lam[0]))
    for r in range(e_of.shape[0]):
        W.speed[r, S_E] = e_of[r] + force[r]
    outward_pass(T.body_i, T.speed_kind, W.body, W.speed, ud)
    through_joints(T, W)
    read_loads(T, W, j if j >= 0 else T.contact_i.shape[0])
    for r in range(e_of.shape[0]):
        W.speed[r, S_E] = e_of[r]


@kernel
def through_joints(T, W):
    """W.wrench[i]: the force that body i receives through its tree joint, from the accelerations and multipliers now there."""
    zero, _ = twist(W.body, 0)
    for i in range(W.body.shape[0]):
        put_six(W.wrench, i, zero, zero)
    for y in range(W.multiplier.shape[0]):
        for k in range(T.row_i[y, ROW_TERM], T.row_i[y, ROW_TERM_END]):
            _, f = six(W.term, k)
            add_six(W.wrench, T.term_i[k, TERM_BODY], zero, scale(-W.multiplier[y], f))
    for i in range(W.body.shape[0] - 1, 0, -1):
        m, mc, _ = mass_properties(T.body_f, i)
        (R, _), (w, _), (al, a), (_, applied) = (
            pose(W.body, i),
            twist(W.body, i),
            acceleration(W.body, i),
            applied_wrench(W.body, i),
        )
        c = rotate(R, mc)
        f = add(add(scale(m, a), cross(al, c)), cross(w, cross(w, c)))
        add_six(W.wrench, i, zero, sub(f, applied))
        _, f = six(W.wrench, i)
        add_six(W.wrench, T.body_i[i, PARENT], zero, f)


@kernel
def read_loads(T, W, place):
    """Load components of all joints that limit friction."""
    for e in range(T.contact_i.shape[0]):
        if T.contact_i[e, C_BY] != BY_LOAD:
            continue
        f = force_of_joint(T, W, e)
        for c in range(T.contact_i[e, C_LOADS]):
            axis = vec(W.pair, T.contact_i[e, C_LOAD_PAIR], X_E + 3 * T.contact_i[e, C_LOAD_E + c])
            W.load[e, 2 * place + c] = dot(axis, f)


@kernel
def force_of_joint(T, W, e):
    """The force that one body of a joint receives through it: in the tree by the inward pass, else from its rows."""
    i = T.contact_i[e, C_LOAD_BODY]
    zero, f = six(W.wrench, max(i, 0))
    if i >= 0:
        return f
    f = sub(f, f)
    b = T.pair_i[T.contact_i[e, C_LOAD_PAIR], PAIR_B]
    for y in range(T.contact_i[e, C_LOAD_ROW], T.contact_i[e, C_LOAD_END]):
        for k in range(T.row_i[y, ROW_TERM], T.row_i[y, ROW_TERM_END]):
            if T.term_i[k, TERM_BODY] == b:
                _, push = six(W.term, k)
                f = add(f, scale(W.multiplier[y], push))
    return f


@kernel
def load_of(T, W, e, c):
    """A load component with the friction that was found."""
    n = T.contact_i.shape[0]
    total = W.load[e, 2 * n + c]
    for j in range(n):
        if rubs(T, W, j):
            total = total + W.sizes[j, n] * W.load[e, 2 * j + c]
    return total


@kernel
def load_direction(T, W, e):
    """Unit vector of a load, or the sides of its components where magnitudes are summed."""
    sides = T.contact_i[e, C_DIRECTION] + 2
    if T.contact_i[e, C_SUMS] == 1:
        return W.r[sides], W.r[sides + 1]
    a, b = load_of(T, W, e, 0), load_of(T, W, e, 1)
    if T.contact_i[e, C_LOADS] == 1:
        b = zero_like(a)
    squared = a * a + b * b
    none = less(squared, 1e-200)
    size = np.sqrt(select(none, 1.0 + zero_like(squared), squared))
    return a / size, b / size


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
        for c in range(2):
            W.r[g + 2 + c] = side_guard(T, W, e, c)
        if rubs(T, W, e):
            least = select(less(W.sizes[e, e], least), W.sizes[e, e], least)
    if n > 0:
        W.r[T.contact_i[n - 1, C_GUARD] + N_ELEMENT_GUARDS] = least


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
    """Sliding: the speed in the direction known; sticking: how much more could be carried, in squares."""
    first, count, d = T.contact_i[e, C_TANGENT], T.contact_i[e, C_TANGENTS], T.contact_i[e, C_DIRECTION]
    if count == 0 or W.contact[e] == OPEN:
        return 1.0 + zero_like(W.r[0])
    if W.contact[e] == SLIDING:
        slip = W.r[d] * W.row[first, Y_RATE]
        return slip + W.r[d + 1] * W.row[first + 1, Y_RATE] if count == 2 else slip
    most = W.r[T.contact_i[e, C_STATIC]]
    if T.contact_i[e, C_BY] == BY_NORMAL:
        most = most * W.multiplier[T.contact_i[e, C_NORMAL]]
    elif T.contact_i[e, C_BY] == BY_LOAD:
        a, b = load_direction(T, W, e)
        x, y = load_of(T, W, e, 0), load_of(T, W, e, 1)
        most = most * (a * x + b * y)
    margin = most * most - W.multiplier[first] * W.multiplier[first]
    return margin - W.multiplier[first + 1] * W.multiplier[first + 1] if count == 2 else margin


@kernel
def side_guard(T, W, e, c):
    """Where magnitudes of load components are summed: a component on the side where it was."""
    if T.contact_i[e, C_SUMS] == 0 or W.contact[e] == OPEN or c >= T.contact_i[e, C_LOADS]:
        return 1.0 + zero_like(W.r[0])
    return W.r[T.contact_i[e, C_DIRECTION] + 2 + c] * load_of(T, W, e, c)
