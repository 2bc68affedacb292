"""An event of contact laws from beginning to end, compiled: impacts until nothing approaches, then modes, and on."""

from mekane.numba_backend.kernel import kernel
from mekane.solvers.contacts.events.event_problem import (
    CHOOSES,
    choose_rows,
    find_modes,
    go_on,
    problem_of,
    put_back,
    read_instant,
    write_modes,
)
from mekane.solvers.contacts.events.impacts import AFTER, hit
from mekane.solvers.contacts.local import STILL
from mekane.tables.columns import C_NORMAL, C_RATE, OUT
from mekane.tables.tables import N_REPEATED, N_ROWS

NOT_FOUND, STAYS, MOVED = range(3)  # no modes yet; the state stays where it is; it was brought onto their rows
KINDS = 4


@kernel(exact=True)
def rounds(T, W, P, C):
    """Impacts and modes from here on, as far as they are ordinary: how many impacts, in C.hits, times KINDS; and NOT_FOUND, where
    Python goes on from the state that is reached, STAYS or MOVED. first: an impact is not yet done again."""
    hits, count, first = 0, -1, True
    C.settings[CHOOSES] = 1
    while True:
        count = read_instant(P, C)
        if hits > 0:
            C.hits[hits - 1, AFTER] = C.out[C.out.shape[0] - OUT]
        if count < 0:
            C.falls[:] = 0.0
            if hits == C.hits.shape[0] or not hit(T, W, P, C, -1 - count, hits):
                return KINDS * hits
            C.banned[:] = 0
            hits, first = hits + 1, True
            continue
        L, options = problem_of(P, C, count)
        found = find_modes(P, C, W.scale, L, options)
        if not (hits > 0 and first and flies_low(P, C, L, found)):
            break
        for i in range(C.y.shape[0]):
            C.y[i] = C.before_hit[i]
        if not found or not hit(T, W, P, C, -1 - read_instant(P, C), hits - 1):
            return KINDS * (hits - 1)
        first = False
    if not found:
        return KINDS * hits
    write_modes(P, C, L, options)
    choose_rows(P, C)
    if W.state[N_REPEATED] > 0:
        put_back(P, C.registers)
        return KINDS * hits
    return KINDS * hits + (MOVED if go_on(T, W, P, C) else STAYS)


@kernel(exact=True)
def flies_low(P, C, L, found):
    """Whether all that leaves after an impact flies lower than C.lowest, or that is not known: then the bounces are closed, by this
    impact done again. C.falls: acceleration of those. What leaves for good does so as slowly, or nothing is closed.  (N.13)"""
    leaves, low, m = False, True, P.count[N_ROWS]
    for k in range(L.mode.shape[0]):
        e = C.touching[k]
        line = P.contact_i[e]
        if line[C_NORMAL] < 0 or line[C_RATE] == 1:
            continue
        v = C.out[C.y.shape[0] + m * m + line[C_NORMAL]]
        if v > STILL:
            fall = -L.rates[L.place[k, 0]] if found else 0.0
            low = low and (not found or v * v <= 2.0 * abs(fall) * C.lowest[0])
            leaves = leaves or fall > 0.0 or not found
            C.falls[e] = max(fall, 0.0)
    return leaves and low
