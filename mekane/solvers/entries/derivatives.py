"""Entries: the equations of motion and their exact derivatives, along any number of directions."""

from mekane.kernels.kinematics import forward_kinematics
from mekane.kernels.mass_matrix import compose, mass_matrix
from mekane.kernels.residual import equations_along
from mekane.numba_backend.dual import WIDTH
from mekane.numba_backend.kernel import entry, kernel
from mekane.tables.handle import SIGNATURE, duals1, floats1, floats2, integers1, unpack, unpack_duals
from mekane.tables.tables import N_Q, N_U


@kernel(inline=True)
def along(T, W, order):
    """order: sizes of x and z, numbers of directions and of registers; addresses of registers, x, directions, dual x,
    dual z, z, derivatives."""
    n_x, n_z, n, n_r = order[0], order[1], order[2], order[3]
    equations_along(
        T, W, integers1(order[4], n_r), floats1(order[5], n_x), floats2(order[6], n, n_x), floats2(order[7], n_x, WIDTH),
        floats2(order[8], n_z, WIDTH), duals1(order[7], n_x), duals1(order[8], n_z), floats1(order[9], n_z), floats2(order[10], n, n_z),
    )  # fmt: skip


ORDER = 11


@entry(SIGNATURE)
def equation_derivatives_entry(header, t, a, b):
    """a: the order."""
    T, W = unpack_duals(header)
    along(T, W, integers1(a, ORDER))
    return 0.0


@entry(SIGNATURE)
def mass_entry(header, t, a, b):
    """a: state of the model behind a header of floats.  b: space for M, zeros."""
    T, W = unpack(header)
    n_q, n = T.count[N_Q], T.count[N_U]
    y = floats1(a, n_q + n)
    forward_kinematics(
        T.body_i, T.body_f, T.primitive_i, T.primitive_f, T.speed_kind, y[:n_q], y[n_q:], W.body, W.speed
    )
    compose(T.body_i, T.body_f, W.body)
    mass_matrix(T.body_i, T.speed_kind, W.body, W.speed, floats2(b, n, n))
    return 0.0
