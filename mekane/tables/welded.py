"""Bodies welded to each other as one: what functions of a state compute then is the same, with fewer bodies.

Each body of the tree becomes (row g, R_gB, p_gB): the row that carries it and its place there. A body with a joint has a
row of its own; where its joint is one rotation its axes are those of the row before it, so that its way stays the short
one.
"""

import numpy as np

from mekane.tables.columns import (
    AXIS,
    INPUT_BODY,
    ONE_ROTATION,
    PARENT,
    PRIMITIVE0,
    PRIMITIVE1,
    PRIMITIVE_BODY,
    ROTATED,
    T_I,
    T_MASS,
    T_MC,
    T_P_PF,
    T_R_PF,
)
from mekane.tables.tables import CONSTRAINT_INPUTS, N_EXPRESSION_ROWS, N_ROWS


def tree_alone(tables):
    """The tables without constraint rows, and with welded bodies as one where nothing but joints refers to bodies."""
    count = tables.count.copy()
    count[N_ROWS] = count[N_EXPRESSION_ROWS] = 0
    tables = tables._replace(count=count)
    return tables if refers_to_bodies(tables) else merged(tables)


def refers_to_bodies(tables):
    """Points, joints seen through their frames, or laws that read how bodies move."""
    of_laws = tables.input_i[tables.count[CONSTRAINT_INPUTS] :, 0]
    return bool(len(tables.pair_i) or len(tables.point_i) or np.any(of_laws == INPUT_BODY))


def merged(tables):
    """Every body without a joint of its own becomes part of the one that carries it."""
    places, rows, columns = [(0, np.eye(3), np.zeros(3))], [tables.body_i[0]], [tables.body_f[0]]
    primitive_f = tables.primitive_f.copy()
    row_of = [0]
    for i in range(1, len(tables.body_i)):
        tree, body = tables.body_i[i].copy(), tables.body_f[i].copy()
        g, R, p = places[tree[PARENT]]
        R_PF, p_PF = body[T_R_PF : T_R_PF + 9].reshape(3, 3), p + R @ body[T_P_PF : T_P_PF + 3]
        joint = slice(tree[PRIMITIVE0], tree[PRIMITIVE1])
        if tree[PRIMITIVE0] == tree[PRIMITIVE1]:
            places.append((g, R @ R_PF, p_PF))
            columns[g] = with_mass(columns[g], body, R @ R_PF, p_PF)
            row_of.append(g)
            continue
        turned = R if tree[ONE_ROTATION] else np.eye(3)
        if tree[ONE_ROTATION]:
            primitive_f[joint, AXIS : AXIS + 3] = primitive_f[joint, AXIS : AXIS + 3] @ R.T
        else:
            body[T_R_PF : T_R_PF + 9] = (R @ R_PF).ravel()
            tree[ROTATED] = 1
        tree[PARENT], body[T_P_PF : T_P_PF + 3] = g, p_PF
        places.append((len(rows), turned, np.zeros(3)))
        row_of.append(len(rows))
        rows.append(tree)
        columns.append(with_mass(without_mass(body), body, turned, np.zeros(3)))
    primitive_i = tables.primitive_i.copy()
    primitive_i[:, PRIMITIVE_BODY] = np.array(row_of)[primitive_i[:, PRIMITIVE_BODY]]
    return tables._replace(
        body_i=np.ascontiguousarray(rows), body_f=np.ascontiguousarray(columns), primitive_i=primitive_i, primitive_f=primitive_f
    )  # fmt: skip


def without_mass(body):
    body = body.copy()
    body[T_MASS : T_I + 6] = 0.0
    return body


def with_mass(carrier, body, R, p):
    """The mass properties of a body at a place (R, p) added to those of the one that carries it, about its origin."""
    m, c = body[T_MASS], R @ body[T_MC : T_MC + 3]
    I = R @ full(body[T_I : T_I + 6]) @ R.T
    I += (m * p @ p + 2 * c @ p) * np.eye(3) - m * np.outer(p, p) - np.outer(c, p) - np.outer(p, c)
    new = carrier.copy()
    new[T_MASS] += m
    new[T_MC : T_MC + 3] += c + m * p
    new[T_I : T_I + 6] += I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]
    return new


def full(I):
    xx, yy, zz, xy, xz, yz = I
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
