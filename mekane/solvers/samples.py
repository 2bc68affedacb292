"""Compiled loops over the samples of a run: what the kernels leave behind at each state, as far as it is wanted.
Nothing is allocated."""

from mekane.numba_backend.kernel import kernel
from mekane.solvers.entries.calls import project
from mekane.solvers.state import copy
from mekane.tables.columns import Y_PHI, Y_RATE
from mekane.tables.handle import KINEMATICS, call, floats1
from mekane.tables.tables import FIRST_INPUT, N_ACTIVE, N_ROWS


@kernel(exact=True, outer=True)
def read_samples(P, which, choose_from, t, y, measurement, known, discrete, buffer, x, address, out):
    """Entry `which` at every sample; out[i, k] is the number that then stands at address[k].

    choose_from: the first sample before which constraint rows are chosen anew where some repeat others, as the time
        loop does.
    measurement: at the samples; known: where the model keeps it.  discrete: state at the samples.
    buffer: for the rate of the state and OUT numbers, then for a copy of the state.
    x: scratch over speeds."""
    n = buffer.shape[0] - y.shape[1]
    for i in range(t.shape[0]):
        changed = set_discrete(P, discrete, i)
        if (i >= choose_from or changed) and P.state[N_ACTIVE] < P.count[N_ROWS]:
            copy(y[i], buffer[n:])
            project(P, t[i], buffer[n:], x)
        if measurement.shape[1] > 0:
            copy(measurement[i], known)
        if which == KINEMATICS:
            call(P.header, KINEMATICS, t[i], y[i], 0)
        else:
            call(P.header, which, t[i], y[i], buffer)
        for k in range(address.shape[0]):
            out[i, k] = floats1(address[k], 1)[0]


@kernel(exact=True, outer=True)
def read_residuals(P, t, y, measurement, known, discrete, owner, size, position, rate, share):
    """Of every sample the largest residual, its rate, and the residual over `size`, of the rows that belong to the same
    owner (−1: a row nobody asks for)."""
    for i in range(t.shape[0]):
        set_discrete(P, discrete, i)
        if measurement.shape[1] > 0:
            copy(measurement[i], known)
        call(P.header, KINEMATICS, t[i], y[i], 0)
        for k in range(owner.shape[0]):
            j, phi = owner[k], abs(P.row[k, Y_PHI])
            if j < 0:
                continue
            position[i, j] = larger(position[i, j], phi)
            share[i, j] = larger(share[i, j], phi / size[k])
            rate[i, j] = larger(rate[i, j], abs(P.row[k, Y_RATE]))


@kernel(exact=True)
def larger(a, b):
    """The larger of two numbers; if one is no number, it stays so."""
    return b if b > a or b != b else a


@kernel(exact=True)
def set_discrete(P, discrete, i):
    """Put the discrete state of a sample into its registers. Returns whether it changed: then other rows may be on. Of
    models with contact laws the first one counts as such: which rows repeat others is not known before."""
    n, changed = discrete.shape[1], i == 0 and P.contact_i.shape[0] > 0
    for k in range(n):
        register = P.count[FIRST_INPUT] - n + k
        changed = changed or P.r[register] != discrete[i, k]
        P.r[register] = discrete[i, k]
    if changed:
        P.state[N_ACTIVE] = 0
    return changed
