"""Entry: a step of Moreau's method."""

from mekane.kernels.moreau.elements import hide_modes, show_modes
from mekane.kernels.moreau.memory import memory_at
from mekane.kernels.moreau.step import HIDE, LOOK, SHOW, look, moreau_step
from mekane.numba_backend.kernel import entry
from mekane.tables.handle import SIGNATURE, floats1, unpack
from mekane.tables.tables import N_Q, N_U, N_WORK


@entry(SIGNATURE)
def moreau_entry(header, t, a, b):
    """a: state, its rates, length of the step; the state becomes that after it. b: addresses of a Memory. In place of a
    length: SHOW or HIDE the modes in the discrete state, or LOOK what touches."""
    T, W = unpack(header)
    (C,) = memory_at(b)
    n = T.count[N_Q] + T.count[N_U] + T.count[N_WORK]
    buffer = floats1(a, 2 * n + 1)
    h = buffer[2 * n]
    if h == SHOW:
        show_modes(T, W, C)
        return 0.0
    if h == HIDE:
        hide_modes(T, W)
        return 0.0
    if h == LOOK:
        return look(T, W, C)
    return moreau_step(T, W, C, t, h, buffer[:n], buffer[n : 2 * n])
