"""The second stage: Gauss–Seidel goes slowly on piles, so its sweeps are extrapolated by Anderson's method, which takes
from the last differences of iterates what a Newton step would take from a derivative.

    P ← G(P) − Σ θ_j ΔG_j,    θ the least squares solution of  Σ θ_j ΔF_j = F,   F = G(P) − P                  (N.17)

G: a sweep. Differences are weighted so that they are energies. Where F grows, or has not fallen for long, contacts change their
modes: it goes back to the best iterate, looks for them by conjugate gradients, which know only the last step, and begins
anew.
"""

import numpy as np

from mekane.kernels.moreau.gauss_seidel import finite, onto_disc, push_all, residual, scale_of, sweep
from mekane.kernels.moreau.memory import (
    ALL_SWEEPS,
    BEST,
    CONTACTS,
    MOST_SWEEPS,
    OF_F,
    OF_G,
    OLD,
    RESIDUAL,
    SCALE,
    SWEEPS,
    TOLERANCE,
    UPDATES,
    WINDOW,
)
from mekane.numba_backend.kernel import kernel

FIRST = 6  # sweeps of plain Gauss–Seidel
FEW = 30  # sweeps that are made if the residual is not yet at
ROUND_OFF = 1e-14  # relative
WORSE, PATIENCE = 4.0, 20  # growth of F over its best that is not accepted; sweeps without a better one
BURST, LONGEST = 50, 1000  # sweeps before it begins anew, the first time; at most, being doubled
REGULAR = 1e-10  # added to the diagonal of the normal equations, which is one


@kernel(exact=True)
def solve_impulses(C):
    """Impulses of all contacts, from those in C.P on. The residual stays in C.numbers."""
    C.counts[SWEEPS] = 0
    C.numbers[RESIDUAL] = 0.0
    if C.counts[CONTACTS] == 0:
        return
    push_all(C)
    C.numbers[SCALE] = max(scale_of(C), 1e-300)
    fine = ROUND_OFF * C.numbers[SCALE]
    sweeps(C, FIRST, fine)
    rest = residual(C)
    if rest > fine:
        rest = extrapolate(C, fine, C.numbers[TOLERANCE] * C.numbers[SCALE])
    C.numbers[RESIDUAL] = rest / C.numbers[SCALE]
    C.counts[ALL_SWEEPS] += C.counts[SWEEPS]
    C.counts[UPDATES] += C.counts[CONTACTS] * C.counts[SWEEPS]


@kernel(exact=True)
def sweeps(C, most, fine):
    """So many sweeps, or until velocities change by no more than this."""
    for _ in range(most):
        C.counts[SWEEPS] += 1
        if sweep(C) <= fine:
            return


@kernel(exact=True)
def extrapolate(C, fine, enough):
    """Anderson's method, to a fine residual where that takes few sweeps. Returns the residual."""
    filled, best, since, burst = 0, np.inf, 0, BURST
    write_weights(C)
    while C.counts[SWEEPS] < C.counts[MOST_SWEEPS]:
        keep(C, OLD)
        moved = sweep(C)
        C.counts[SWEEPS] += 1
        if moved <= enough:
            rest = residual(C)
            if rest <= fine or (rest <= enough and C.counts[SWEEPS] >= FEW):
                return rest
        size, since = difference(C), since + 1
        if size < best:
            best, since = size, 0
            copy_row(C, OF_G, BEST)
        elif not size <= WORSE * best or since > PATIENCE:
            take(C, BEST)
            conjugate(C, burst, enough)
            filled, best, since, burst = 0, np.inf, 0, min(2 * burst, LONGEST)
            continue
        if filled > 0:
            note_difference(C, filled - 1)
            combine(C, min(filled, WINDOW))
        copy_row(C, OF_F, filled % WINDOW)
        copy_row(C, OF_G, WINDOW + filled % WINDOW)
        filled += 1
    return residual(C)


@kernel(exact=True)
def conjugate(C, most, enough):
    """So many sweeps as gradients of a conjugate gradient method (Silcowitz-Hansen, Niebe and Erleben 2010), or until
    velocities change by no more than this."""
    last = np.inf
    for i in range(most):
        keep(C, OLD)
        C.counts[SWEEPS] += 1
        if sweep(C) <= enough:
            return
        size = difference(C)
        share = (size / last) ** 2 if i > 0 and size <= last else 0.0
        for m in range(3 * C.counts[CONTACTS]):
            step = share * C.history[BEST, m] if i > 0 else 0.0
            C.history[OLD, m] = C.history[OF_G, m] + step
            C.history[BEST, m] = step + C.history[OF_F, m] if i == 0 or share > 0.0 else 0.0
        if share > 0.0:
            take(C, OLD)
        last = size


# ---------------------------------------------------------------- impulses in rows of the history


@kernel
def write_weights(C):
    for k in range(C.counts[CONTACTS]):
        for c in range(3):
            C.weight[k, c] = np.sqrt(finite(C.D[k, c]))


@kernel
def keep(C, row):
    """The impulses now, weighted."""
    for k in range(C.counts[CONTACTS]):
        for c in range(3):
            C.history[row, 3 * k + c] = C.weight[k, c] * C.P[k, c]


@kernel
def take(C, row):
    """Impulses that were kept, brought into their sets, and the velocities that they lead to."""
    for k in range(C.counts[CONTACTS]):
        for c in range(3):
            w = C.weight[k, c]
            C.P[k, c] = C.history[row, 3 * k + c] / w if w > 0.0 else 0.0
        C.P[k, 0] = max(C.P[k, 0], 0.0)
        C.P[k, 1], C.P[k, 2] = onto_disc(C, k, C.P[k, 0], C.P[k, 1], C.P[k, 2])
    push_all(C)


@kernel
def copy_row(C, a, b):
    for m in range(3 * C.counts[CONTACTS]):
        C.history[b, m] = C.history[a, m]


@kernel
def difference(C):
    """G and F of the sweep just made. Returns the size of F."""
    keep(C, OF_G)
    total = 0.0
    for m in range(3 * C.counts[CONTACTS]):
        f = C.history[OF_G, m] - C.history[OLD, m]
        C.history[OF_F, m] = f
        total += f * f
    return np.sqrt(total)


# ---------------------------------------------------------------- the extrapolation


@kernel
def note_difference(C, last):
    """In the rows where F and G of the last iterate are: what they have changed by. And the products with all others."""
    slot, n = last % WINDOW, min(last + 1, WINDOW)
    for m in range(3 * C.counts[CONTACTS]):
        C.history[slot, m] = C.history[OF_F, m] - C.history[slot, m]
        C.history[WINDOW + slot, m] = C.history[OF_G, m] - C.history[WINDOW + slot, m]
    for j in range(n):
        C.gram[slot, j] = C.gram[j, slot] = product(C, slot, j)


@kernel
def product(C, a, b):
    total = 0.0
    for m in range(3 * C.counts[CONTACTS]):
        total += C.history[a, m] * C.history[b, m]
    return total


@kernel
def combine(C, n):
    """Impulses after the extrapolation. n: differences that are known."""
    for i in range(n):
        size = np.sqrt(max(C.gram[i, i], 1e-300))
        for j in range(n):
            C.small[i, j] = C.gram[i, j] / (size * np.sqrt(max(C.gram[j, j], 1e-300)))
        C.small[i, i] = 1.0 + REGULAR
        C.small[i, WINDOW] = product(C, i, OF_F) / size
    solve_small(C, n)
    for m in range(3 * C.counts[CONTACTS]):
        C.history[OLD, m] = C.history[OF_G, m]
    for j in range(n):
        theta = C.small[j, WINDOW] / np.sqrt(max(C.gram[j, j], 1e-300))
        for m in range(3 * C.counts[CONTACTS]):
            C.history[OLD, m] -= theta * C.history[WINDOW + j, m]
    take(C, OLD)


@kernel
def solve_small(C, n):
    """By elimination; the solution stands in the last column."""
    for i in range(n):
        for j in range(i + 1, n):
            x = C.small[j, i] / C.small[i, i]
            for m in range(i + 1, n):
                C.small[j, m] -= x * C.small[i, m]
            C.small[j, WINDOW] -= x * C.small[i, WINDOW]
    for i in range(n - 1, -1, -1):
        for m in range(i + 1, n):
            C.small[i, WINDOW] -= C.small[i, m] * C.small[m, WINDOW]
        C.small[i, WINDOW] /= C.small[i, i]
