"""Changes of the configuration, expressed in the speeds of the recursion: relative rotations, also where the state has
absolute angular velocities."""

import numpy as np

from mekane.kernels.projection import shift, switch_sequence
from mekane.tables.columns import KIND, PRIMITIVE_Q, PRIMITIVE_U, QUATERNION


def shifted(primitive_i, q, x, u=None):
    """q after a change x: translations and rotations go by just as much, however far. Bryan angles near their singular
    position are expressed in the other sequence, and so is u, if given, in place."""
    q, x = np.array(q, float), np.array(x, float)
    for iu in primitive_i[primitive_i[:, KIND] >= QUATERNION, PRIMITIVE_U]:
        turn = x[iu : iu + 3]
        half = 0.5 * np.linalg.norm(turn)
        turn *= np.tan(min(half, 1.5)) / half if half > 0 else 1.0  # `shift` rotates at first order
    shift(primitive_i, q, x)
    switch_sequence(primitive_i, q, np.zeros(len(x)) if u is None else u)
    return q


def shift_derivatives(primitive_i, q, n_u):
    """How q changes with each number of x: a row for each.  (K.8)"""
    rows = np.zeros((n_u, len(q)))
    for primitive in primitive_i:
        iq, iu = primitive[PRIMITIVE_Q], primitive[PRIMITIVE_U]
        if primitive[KIND] >= QUATERNION:
            rows[iu : iu + 3, iq : iq + 4] = 0.5 * angular_velocity_matrix(q[iq : iq + 4])
        else:
            rows[iu, iq] = 1.0
    return rows


def shift_of(primitive_i, q, dq, n_u):
    """x of a small change of q."""
    x = np.zeros(n_u)
    for primitive in primitive_i:
        iq, iu = primitive[PRIMITIVE_Q], primitive[PRIMITIVE_U]
        if primitive[KIND] >= QUATERNION:
            x[iu : iu + 3] = 2.0 * angular_velocity_matrix(q[iq : iq + 4]) @ dq[iq : iq + 4]
        else:
            x[iu] = dq[iq]
    return x


def angular_velocity_matrix(e):
    """w = 2 E de/dt, and de/dt = ½ Eᵀ w.  (K.8)"""
    e1, e2, e3, e4 = e
    return np.array([[e4, e3, -e2, -e1], [-e3, e4, e1, -e2], [e2, -e1, e4, -e3]])
