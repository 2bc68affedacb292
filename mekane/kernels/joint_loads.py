"""Loads of joints that limit friction: bearings and guides.  (N.5)"""

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
from mekane.kernels.contact_modes import push_friction, rubs
from mekane.kernels.multipliers import spread
from mekane.numba_backend.kernel import kernel
from mekane.tables.columns import (
    BY_LOAD,
    C_BY,
    C_DIRECTION,
    C_LOAD_BODY,
    C_LOAD_E,
    C_LOAD_END,
    C_LOAD_PAIR,
    C_LOAD_ROW,
    C_LOADS,
    C_SUMS,
    PAIR_B,
    PARENT,
    ROW_TERM,
    ROW_TERM_END,
    S_E,
    TERM_BODY,
    X_E,
)
from mekane.tables.tables import V_LAM, V_RIGHT


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
            total = total + W.sizes[j, 2 * n] * W.load[e, 2 * j + c]
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
