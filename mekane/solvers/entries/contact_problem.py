"""Entries: the mechanism as contact laws see it, and what impulses on rows do."""

from mekane.kernels.contact_problem import answer_to_impulses, contact_problem
from mekane.numba_backend.kernel import entry
from mekane.tables.columns import OUT
from mekane.tables.handle import SIGNATURE, floats1, floats2, unpack
from mekane.tables.tables import N_Q, N_ROWS, N_U, N_WORK


@entry(SIGNATURE)
def contact_problem_entry(header, t, a, b):
    """a: state.  b: space for its rate, then D, rates and accelerations of all rows, then OUT numbers."""
    T, W = unpack(header)
    m, n = T.count[N_Q] + T.count[N_U] + T.count[N_WORK], T.count[N_ROWS]
    D = b + 8 * m
    rate = D + 8 * n * n
    acceleration, energy = rate + 8 * n, rate + 16 * n
    contact_problem(
        T, W, t, floats1(a, m), floats1(b, m), floats2(D, n, n), floats1(rate, n), floats1(acceleration, n), floats1(energy, OUT)
    )  # fmt: skip
    return 0.0


@entry(SIGNATURE)
def answer_entry(header, t, a, b):
    """a: impulses on rows, which become scaled ones.  b: becomes the change of the speeds."""
    T, W = unpack(header)
    answer_to_impulses(T, W, floats1(a, T.count[N_ROWS]), floats1(b, T.count[N_U]))
    return 0.0
