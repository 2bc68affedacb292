"""Joints constrained or measured by their frames: each row is wrenches on its bodies (terms), with its residual, rate
and bias.  THEORY §6.

A constraint row and the measurement of a joint coordinate are the same thing; the first `rows` of them are active at
zero, the rest are only read.
"""

import numpy as np

from mekane.algebra.scalar import atan2, zero_like
from mekane.algebra.vectors import add, column, cross, dot, mat, put, rotate, scale, sub, times, vec
from mekane.numba_backend.kernel import kernel
from mekane.tables.columns import (
    ANGLE,
    B_P,
    B_R,
    B_V,
    B_W,
    COINCIDE,
    EXPRESSION,
    HELIX,
    PAIR_A,
    PAIR_B,
    PAIR_PLACE,
    PERPENDICULAR,
    ROW_BIAS_R,
    ROW_E,
    ROW_KIND,
    ROW_M,
    ROW_NINETY,
    ROW_PAIR,
    ROW_PHI_R,
    ROW_RATE_R,
    ROW_TERM,
    ROW_TERM_END,
    ROW_ZERO,
    T_P_AF,
    T_P_BM,
    T_R_AF,
    T_R_BM,
    TERM_R,
    X_C,
    X_E,
    X_PM,
    X_R,
    X_S,
    X_WA,
    X_WB,
    Y_BIAS,
    Y_PHI,
    Y_RATE,
    Z_F,
    Z_T,
)


@kernel
def pose_pairs(pair_i, pair_f, r, body, pair):
    """Unit vectors of F and M, the vector between them, and the motion of Mo as seen from body a. r: registers."""
    for j in range(pair.shape[0]):
        a, b = pair_i[j, PAIR_A], pair_i[j, PAIR_B]
        R_a, R_b, w_a, w_b = mat(body, a, B_R), mat(body, b, B_R), vec(body, a, B_W), vec(body, b, B_W)
        R_BM, p_BM = frame_on_b(pair_i, pair_f, r, j)
        R_F, R_M = times(R_a, mat(pair_f, j, T_R_AF)), times(R_b, R_BM)
        for c in range(3):
            put(pair, j, X_E + 3 * c, column(R_F, c))
            put(pair, j, X_E + 9 + 3 * c, column(R_M, c))
        arm_b = rotate(R_b, p_BM)
        p_M = add(vec(body, b, B_P), arm_b)
        arm_a = sub(p_M, vec(body, a, B_P))
        turn_a, turn_b = cross(w_a, arm_a), cross(w_b, arm_b)
        s = sub(add(vec(body, b, B_V), turn_b), add(vec(body, a, B_V), turn_a))
        put(pair, j, X_PM, p_M)
        put(pair, j, X_R, sub(arm_a, rotate(R_a, vec(pair_f, j, T_P_AF))))
        put(pair, j, X_S, s)
        put(pair, j, X_WA, w_a)
        put(pair, j, X_WB, w_b)
        put(pair, j, X_C, sub(sub(cross(w_b, turn_b), cross(w_a, turn_a)), scale(2.0, cross(w_a, s))))


@kernel
def frame_on_b(pair_i, pair_f, r, j):
    """R_BM and p_BM; of a joint that was locked at its present position, where it closed."""
    R, p, k = mat(pair_f, j, T_R_BM), vec(pair_f, j, T_P_BM), pair_i[j, PAIR_PLACE]
    if k == 0:
        return R, p
    turn = r[k + 3], r[k + 4], r[k + 5], r[k + 6], r[k + 7], r[k + 8], r[k + 9], r[k + 10], r[k + 11]
    return times(R, turn), add(p, rotate(R, (r[k], r[k + 1], r[k + 2])))


@kernel
def write_rows(pair_i, row_i, row_f, body, pair, row, term, first, end):
    """Wrenches, residual, rate and bias of rows [first, end)."""
    for y in range(first, end):
        j, kind, k = row_i[y, ROW_PAIR], row_i[y, ROW_KIND], row_i[y, ROW_TERM]
        if kind == EXPRESSION:
            continue
        e = vec(pair, j, X_E + 3 * row_i[y, ROW_E])
        m = vec(pair, j, X_E + 3 * row_i[y, ROW_M])
        w_a, w_b = vec(pair, j, X_WA), vec(pair, j, X_WB)
        if kind == PERPENDICULAR:
            c = cross(e, m)
            cd = add(cross(cross(w_a, e), m), cross(e, cross(w_b, m)))
            write_torques(term, k, scale(-1.0, c))
            row[y, Y_PHI] = dot(e, m)
            row[y, Y_RATE] = dot(sub(w_a, w_b), c)
            row[y, Y_BIAS] = dot(sub(w_a, w_b), cd)
        elif kind == ANGLE:
            write_torques(term, k, e)
            row[y, Y_PHI] = angle_of(pair, j, row_i, y)
            row[y, Y_RATE] = dot(e, sub(w_b, w_a))
            row[y, Y_BIAS] = dot(cross(w_a, e), w_b)
        elif kind == COINCIDE:
            write_coincidence(pair_i, row_i, body, pair, row, term, y, j, k)
        else:
            a, b = pair_i[j, PAIR_A], pair_i[j, PAIR_B]
            p_M = vec(pair, j, X_PM)
            put(term, k, Z_F, scale(-1.0, e))
            put(term, k + 1, Z_F, e)
            put(term, k, Z_T, cross(sub(vec(body, a, B_P), p_M), e))
            put(term, k + 1, Z_T, cross(sub(p_M, vec(body, b, B_P)), e))
            row[y, Y_PHI] = dot(e, vec(pair, j, X_R))
            row[y, Y_RATE] = dot(e, vec(pair, j, X_S))
            row[y, Y_BIAS] = dot(e, vec(pair, j, X_C))
            if kind == HELIX:
                follow_helix(row_i, row_f, pair, row, term, y, j, k, e)


@kernel
def write_coincidence(pair_i, row_i, body, pair, row, term, y, j, k):
    """A row along an axis of N: phi = e·r, constrained by e on b at Mo and −e on a at Fo."""
    a, b = pair_i[j, PAIR_A], pair_i[j, PAIR_B]
    r, p_M, w_a, s = vec(pair, j, X_R), vec(pair, j, X_PM), vec(pair, j, X_WA), vec(pair, j, X_S)
    e = vec(body, 0, B_R + 3 * row_i[y, ROW_E])  # the ground's axes
    carried = cross(w_a, r)
    put(term, k, Z_F, scale(-1.0, e))
    put(term, k + 1, Z_F, e)
    put(term, k, Z_T, cross(sub(vec(body, a, B_P), sub(p_M, r)), e))
    put(term, k + 1, Z_T, cross(sub(p_M, vec(body, b, B_P)), e))
    row[y, Y_PHI] = dot(e, r)
    row[y, Y_RATE] = dot(e, add(s, carried))
    row[y, Y_BIAS] = dot(e, add(vec(pair, j, X_C), cross(w_a, add(scale(2.0, s), carried))))


@kernel
def write_torques(term, k, c):
    """A row of pure torques: c on b, −c on a."""
    zero = zero_like(c[0]), zero_like(c[0]), zero_like(c[0])
    put(term, k, Z_F, zero)
    put(term, k + 1, Z_F, zero)
    put(term, k, Z_T, scale(-1.0, c))
    put(term, k + 1, Z_T, c)


@kernel
def angle_of(pair, j, row_i, y):
    """Angle between −π and π of unit vector M, from ZERO towards NINETY."""
    m = vec(pair, j, X_E + 3 * row_i[y, ROW_M])
    return atan2(
        dot(m, vec(pair, j, X_E + 3 * row_i[y, ROW_NINETY])), dot(m, vec(pair, j, X_E + 3 * row_i[y, ROW_ZERO]))
    )


@kernel
def follow_helix(row_i, row_f, pair, row, term, y, j, k, e):
    """Turn a row `along e` into phi = shift − pitch × angle, the number of whole turns being given by the shift
    itself."""
    h = row_f[y, 0]
    w_a, w_b = vec(pair, j, X_WA), vec(pair, j, X_WB)
    lag = angle_of(pair, j, row_i, y) - row[y, Y_PHI] / h
    row[y, Y_PHI] = -h * atan2(np.sin(lag), np.cos(lag))
    row[y, Y_RATE] -= h * dot(e, sub(w_b, w_a))
    row[y, Y_BIAS] -= h * dot(cross(w_a, e), w_b)
    put(term, k + 1, Z_T, sub(vec(term, k + 1, Z_T), scale(h, e)))
    put(term, k, Z_T, add(vec(term, k, Z_T), scale(h, e)))


@kernel
def write_expression_rows(row_i, term_i, r, row, term, n):
    """Rows that the tape has computed (see compiler/constraints), among the first n."""
    for y in range(n):
        if row_i[y, ROW_KIND] == EXPRESSION:
            row[y, Y_PHI] = r[row_i[y, ROW_PHI_R]]
            row[y, Y_RATE] = r[row_i[y, ROW_RATE_R]]
            row[y, Y_BIAS] = r[row_i[y, ROW_BIAS_R]]
            for k in range(row_i[y, ROW_TERM], row_i[y, ROW_TERM_END]):
                for c in range(6):
                    term[k, c] = r[term_i[k, TERM_R + c]]
