"""Back onto the constraints, in the mass metric and in the tangent space.  THEORY (C.3)."""

import numpy as np

from mekane.algebra.vectors import mat, rotate_back, vec
from mekane.kernels.articulated_body import apply_inverse_mass, body_inertia_and_bias, inward_pass
from mekane.kernels.kinematics import forward_kinematics
from mekane.kernels.rhs import evaluate_measurements, solve_rows
from mekane.numba_backend.kernel import kernel
from mekane.tables.columns import (
    B_R,
    BRYAN,
    KIND,
    MIXED,
    PRIMITIVE_BODY,
    PRIMITIVE_Q,
    PRIMITIVE_U,
    QUATERNION,
    WEAK_SEQUENCE,
    Y_RATE,
)
from mekane.tables.tables import V_RIGHT


@kernel
def evaluate_kinematics(T, W, t, q, u):
    """Where everything is and how it moves, rows included."""
    forward_kinematics(T.body_i, T.body_f, T.primitive_i, T.primitive_f, T.speed_kind, q, u, W.body, W.speed)
    evaluate_measurements(T, W, t, q, u)


@kernel
def articulated_inertias(T, W):
    body_inertia_and_bias(T.body_f, W.body)
    inward_pass(T.body_i, T.speed_kind, W.body, W.speed)


@kernel
def projection_step(T, W, column, x):
    """x = −M⁻¹Bᵀ D⁻¹ (what stands in this column of the active rows: residual or rate). Needs `factor_rows`."""
    for y in range(W.active.shape[0]):
        W.vectors[V_RIGHT, y] = 0.0
        if W.active[y] == 1:
            W.vectors[V_RIGHT, y] = -W.scale[y] * W.row[y, column]
    solve_rows(T, W)
    apply_inverse_mass(T.body_i, T.speed_kind, W.wrench, W.speed, W.body, W.force[0], x)
    if column == Y_RATE:
        to_absolute_angular_velocities(T.primitive_i, W.body, W.wrench, x)


@kernel
def to_absolute_angular_velocities(primitive_i, body, wrench, x):
    """After `apply_inverse_mass`, which leaves the change of w_NB in `wrench`: x where the state has absolute angular
    velocities (F.2)."""
    for s in range(primitive_i.shape[0]):
        if primitive_i[s, KIND] == MIXED:
            i, r = primitive_i[s, PRIMITIVE_BODY], primitive_i[s, PRIMITIVE_U]
            x[r], x[r + 1], x[r + 2] = rotate_back(mat(body, i, B_R), vec(wrench, i, 0))


@kernel(outer=True)
def shift(primitive_i, q, x):
    """q moved by x, a small change expressed in speeds; Euler parameters are left of unit length."""
    for s in range(primitive_i.shape[0]):
        iq, iu = primitive_i[s, PRIMITIVE_Q], primitive_i[s, PRIMITIVE_U]
        if primitive_i[s, KIND] >= QUATERNION:
            a, b, c = 0.5 * x[iu], 0.5 * x[iu + 1], 0.5 * x[iu + 2]
            e1, e2, e3, e4 = q[iq], q[iq + 1], q[iq + 2], q[iq + 3]
            q[iq] = e1 + e4 * a - e3 * b + e2 * c  # (K.8)
            q[iq + 1] = e2 + e3 * a + e4 * b - e1 * c
            q[iq + 2] = e3 - e2 * a + e1 * b + e4 * c
            q[iq + 3] = e4 - e1 * a - e2 * b - e3 * c
        else:
            q[iq] += x[iu]
    make_unit(primitive_i, q)


@kernel
def make_unit(primitive_i, q):
    for s in range(primitive_i.shape[0]):
        if primitive_i[s, KIND] >= QUATERNION:
            iq = primitive_i[s, PRIMITIVE_Q]
            n = 1.0 / np.sqrt(q[iq] * q[iq] + q[iq + 1] * q[iq + 1] + q[iq + 2] * q[iq + 2] + q[iq + 3] * q[iq + 3])
            for c in range(4):
                q[iq + c] = q[iq + c] * n


@kernel(outer=True)
def switch_sequence(primitive_i, q, u):
    """Write Bryan angles near their singular position in the other sequence: the same R, the same w. Returns the number
    of changes."""
    changed = 0
    for s in range(primitive_i.shape[0]):
        if primitive_i[s, KIND] == BRYAN:
            iq, iu = primitive_i[s, PRIMITIVE_Q] - 2, primitive_i[s, PRIMITIVE_U] - 2
            if abs(third_axis(np.sin(q[iq + 1]), np.cos(q[iq + 1]), q[iq + 3])[1]) < WEAK_SEQUENCE:
                change_sequence(q, u, iq, iu)
                changed += 1
    return changed


@kernel
def third_axis(s2, c2, sequence):
    """x and z of the axis of the third rotation as seen after the first; where z vanishes the sequence is singular."""
    return sequence * c2 + (1.0 - sequence) * s2, (1.0 - sequence) * c2 - sequence * s2


@kernel
def change_sequence(q, u, iq, iu):
    """From x-y-z to x-y-x or back; with R1ᵀ R, which both sequences must share but for a rotation d about x, written
    out."""
    s2, c2, s3, c3 = np.sin(q[iq + 1]), np.cos(q[iq + 1]), np.sin(q[iq + 2]), np.cos(q[iq + 2])
    k, m = third_axis(s2, c2, q[iq + 3])
    x, y, z = u[iu] + k * u[iu + 2], u[iu + 1], m * u[iu + 2]  # w as seen after the first rotation
    if q[iq + 3] == 0.0:
        d, along, across, third = np.arctan2(s3, s2 * c3), c2 * c3, np.hypot(s2, c2 * s3), np.arctan2(-c2 * s3, s2)
        s2, c2 = across, along
    else:
        d, along, across, third = np.arctan2(s3, c2 * c3), s2 * c3, np.hypot(c2, s2 * s3), np.arctan2(-s2 * s3, c2)
        s2, c2 = along, across
    first = q[iq] + d
    q[iq] = first - 2.0 * np.pi * np.floor(first / (2.0 * np.pi) + 0.5)  # whole turns mean nothing here
    q[iq + 1], q[iq + 2], q[iq + 3] = np.arctan2(s2, c2), third, 1.0 - q[iq + 3]
    k, m = third_axis(s2, c2, q[iq + 3])
    sd, cd = np.sin(d), np.cos(d)
    u[iu + 1], u[iu + 2] = cd * y + sd * z, (cd * z - sd * y) / m
    u[iu] = x - k * u[iu + 2]
