"""Doors to what is computed on demand, outside the time loop: forces and energies of a state, inverse dynamics."""

from mekane.algebra.kernel import entry, kernel
from mekane.compile.tables import N_Q, N_U, N_WORK
from mekane.kernels.handle import SIGNATURE, call, floats1, handle, unpack
from mekane.kernels.rhs import derive as physics_derive
from mekane.kernels.rhs import inverse as physics_inverse

OUT = 8  # kinetic energy, potential energy of gravity, linear momentum (3), angular momentum about No (3)


@entry(SIGNATURE)
def derive_entry(header, t, a, b):
    """a: state.  b: its rate, then OUT numbers."""
    T, W = unpack(header)
    n = T.count[N_Q] + T.count[N_U] + T.count[N_WORK]
    physics_derive(T, W, t, floats1(a, n), floats1(b, n), floats1(b + 8 * n, OUT))
    return 0.0


@entry(SIGNATURE)
def inverse_entry(header, t, a, b):
    """a: state.  b: ud, then room for tau."""
    T, W = unpack(header)
    n = T.count[N_U]
    physics_inverse(T, W, t, floats1(a, T.count[N_Q] + n), floats1(b, n), floats1(b + 8 * n, n))
    return 0.0


DERIVE, INVERSE = range(2)


def open_derived(tables, workspace):
    return handle(tables, workspace, [derive_entry.address, inverse_entry.address])


@kernel(exact=True, outer=True)
def derive(P, t, y, out):
    """out: yd, then OUT numbers. The workspace behind P then holds all forces and accelerations of this state."""
    call(P.entries[DERIVE], P.header, t, y, out)


@kernel(exact=True, outer=True)
def inverse(P, t, y, ud_tau):
    """ud_tau: ud in its first half; tau is put into the second."""
    call(P.entries[INVERSE], P.header, t, y, ud_tau)
