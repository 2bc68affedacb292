"""Partial velocities and their time derivatives, by running the kinematics of the time loop itself in plain Python.
THEORY (K.5), (K.6)

The speeds handed to it are unit vectors: lane r of every number then holds what u_r = 1 alone would give, which is the
partial velocity. The coordinates are q + i h qd with a vanishing h: imaginary parts over h are exact time derivatives
(DESIGN, one physics source).
"""

from typing import NamedTuple

import numpy as np

from mekane.kernels.kinematics import forward_kinematics, state_rates
from mekane.numba_backend.kernel import plain
from mekane.tables import columns as at

STEP = 1e-30


class Lanes(NamedTuple):
    """Complex, world axes; the first axis counts bodies as the tables do (0 is the ground), the last one speeds."""

    R: np.ndarray  # (bodies+1, 3, 3)
    p: np.ndarray  # (bodies+1, 3)         of Bo
    w: np.ndarray  # (bodies+1, 3, speeds)
    v: np.ndarray  # (bodies+1, 3, speeds)  of Bo

    def at_point(self, i, r_B):
        """Partial velocities of a point fixed in body i."""
        return self.v[i] + np.cross(self.w[i], self.R[i] @ r_B, axis=0)


def lanes_at(compiled, q, u):
    """All partial velocities at this state, with their rates as imaginary parts over STEP; and qd."""
    T, n = compiled.tables, compiled.n_u
    qd = np.zeros(compiled.n_q)
    here = compiled.workspace()
    plain(forward_kinematics)(
        T.body_i, T.body_f, T.primitive_i, T.primitive_f, T.speed_kind, q, u, here.body, here.speed
    )
    plain(state_rates)(T.body_i, T.primitive_i, here.body, q, u, qd, np.zeros(n))
    W, units = compiled.workspace(object), np.empty(n, object)
    for r, lane in enumerate(np.eye(n)):
        units[r] = lane
    plain(forward_kinematics)(
        T.body_i, T.body_f, T.primitive_i, T.primitive_f, T.speed_kind, q + 1j * STEP * qd, units, W.body, W.speed
    )
    R, p = (W.body[:, first : first + size].astype(complex) for first, size in ((at.B_R, 9), (at.B_P, 3)))
    return Lanes(
        R.reshape(-1, 3, 3), p, spread(W.body[:, at.B_W : at.B_W + 3], n), spread(W.body[:, at.B_V : at.B_V + 3], n)
    ), qd


def spread(vectors, n):
    """Numbers that may be lanes or, where no speed matters, plain zeros."""
    return np.array([[np.zeros(n) + x for x in vector] for vector in vectors], complex).reshape(*vectors.shape, n)


def value(x):
    """What a complex number stands for."""
    return np.ascontiguousarray(x.real)


def rate(x):
    """Its time derivative."""
    return x.imag / STEP
