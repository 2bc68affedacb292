"""The choice of modes where nothing is unusual, compiled: modes are exchanged from the likeliest ones on until all laws hold.

What `modes` does for elements whose forces are unique and whose friction no load of a joint limits. For all else the answer
is "not found", and `modes` goes its own way from the start.
"""

from typing import NamedTuple

import numpy as np

from mekane.algebra.symmetric import invert_definite
from mekane.numba_backend.kernel import kernel
from mekane.solvers.contacts.local import STILL
from mekane.solvers.contacts.mode_forces import NO_LOAD, NORMAL, RANK, TANGENT, TANGENTS, solve_modes
from mekane.tables.columns import INCIPIENT, OPEN, SLIDING, STICKING

FEW = 64  # combinations of modes up to which all are tried, where friction couples strongly
GOOD = 1e-8  # relative: what is met
STRONG = 0.9  # friction beside normal forces, in what they do to normal accelerations; Painlevé's paradox needs 1
REGULAR = 1e-4  # of the largest eigenvalue: rows above that do not repeat one another, however they are scaled
MOST = 4  # modes of an element: it sticks, slides one way or the other, opens
MOST_ELEMENTS = 30  # so that a combination is one integer
MOST_EXCHANGES = 64
# direction of sliding: given; along the own acceleration; against the force that has kept it
KNOWN, ALONG, AT_EDGE = range(3)


class Options(NamedTuple):
    """The modes that k elements may have."""

    banned: np.ndarray  # (k, 2) int  1: it must not slide; must not stick
    count: np.ndarray  # (k,) int
    mode: np.ndarray  # (k, MOST) int
    kind: np.ndarray  # (k, MOST) int
    direction: np.ndarray  # (k, MOST, 2)
    place: np.ndarray  # (k,) int  the option taken
    edge: np.ndarray  # (k, 2)  directions of what breaks away
    seen: np.ndarray  # (MOST_EXCHANGES,) int  combinations that were tried


def options_for(k):
    integers = lambda *shape: np.zeros(shape, np.int64)
    return Options(
        integers(k, 2), integers(k), integers(k, MOST), integers(k, MOST), np.zeros((k, MOST, 2)), integers(k), np.zeros((k, 2)),
        integers(MOST_EXCHANGES),
    )  # fmt: skip


@kernel(exact=True, outer=True)
def choose_ordinary(L, options):
    """Whether modes that satisfy all laws were found; then they are options.place, with forces and accelerations in L."""
    k = L.mode.shape[0]
    if k > MOST_ELEMENTS:
        return False
    combinations, begin = 1.0, 0
    for e in range(k):
        if L.load_kind[e] != NO_LOAD:
            return False
        begin += write_options(L, options, e)
        combinations *= options.count[e]
        options.place[e] = 0
    if combinations <= FEW and begin <= 1 and couples_strongly(L):
        return False
    return exchange(L, options)


@kernel(exact=True)
def is_rough(L, e):
    return L.place[e, TANGENTS] > 0 and (L.friction[e] > 0.0 or L.static[e] > 0.0)


@kernel(exact=True)
def add_option(options, e, mode, kind, x, y):
    """Unless it is banned."""
    if (mode == SLIDING and options.banned[e, 0] == 1) or (mode == STICKING and options.banned[e, 1] == 1):
        return
    i = options.count[e]
    options.mode[e, i], options.kind[e, i] = mode, kind
    options.direction[e, i, 0], options.direction[e, i, 1] = x, y
    options.count[e] = i + 1


@kernel(exact=True)
def write_options(L, options, e):
    """Modes that the velocity leaves open, as `modes.options_of`. Returns 1 if it may begin to slide in a direction that is to
    be found. An element all of whose modes are banned has none: no motion is found."""
    N, first, n = L.place[e, NORMAL], L.place[e, TANGENT], L.place[e, TANGENTS]
    options.count[e] = 0
    if N >= 0 and L.velocity[N] > STILL:
        add_option(options, e, OPEN, KNOWN, 0.0, 0.0)
        return 0
    begins = 0
    if not is_rough(L, e):
        add_option(options, e, SLIDING, KNOWN, 0.0, 0.0)
    elif L.speed[e] > STILL:
        y = L.velocity[first + 1] / L.speed[e] if n == 2 else 0.0
        add_option(options, e, SLIDING, KNOWN, L.velocity[first] / L.speed[e], y)
    elif options.banned[e, 1] == 1:
        add_option(options, e, SLIDING, AT_EDGE, 0.0, 0.0)
    elif n == 1:
        add_option(options, e, STICKING, KNOWN, 0.0, 0.0)
        add_option(options, e, SLIDING, KNOWN, 1.0, 0.0)
        add_option(options, e, SLIDING, KNOWN, -1.0, 0.0)
    else:
        add_option(options, e, STICKING, KNOWN, 0.0, 0.0)
        add_option(options, e, SLIDING, ALONG, 0.0, 0.0)
        begins = 1 if options.banned[e, 0] == 0 else 0
    if N >= 0:
        add_option(options, e, OPEN, KNOWN, 0.0, 0.0)
    return begins


@kernel(exact=True)
def couples_strongly(L):
    """Whether friction could make several motions possible, or none: it changes the normal accelerations, of its own contact
    or of others, nearly as much as normal forces do."""
    k = L.mode.shape[0]
    for i in range(k):
        N, total = L.place[i, NORMAL], 0.0
        if N < 0:
            continue
        for e in range(k):
            other, squares = L.place[e, NORMAL], 0.0
            if other >= 0:
                for j in range(L.place[e, TANGENTS]):
                    squares += L.D[N, L.place[e, TANGENT] + j] ** 2
                total += L.friction[e] * np.sqrt(squares / max(L.D[other, other], 1e-300))
        if total / np.sqrt(max(L.D[N, N], 1e-300)) > STRONG:
            return True
    return False


# ---------------------------------------------------------------- exchange


@kernel(exact=True)
def exchange(L, options):
    """The mode that violates its law most is exchanged, until all laws hold; False if that leads nowhere."""
    k, regular = L.mode.shape[0], False
    for tries in range(MOST_EXCHANGES):
        number = 0
        for e in range(k):
            if options.count[e] == 0:
                return False
            number = number * MOST + options.place[e]
        for i in range(tries):
            if options.seen[i] == number:
                return False
        options.seen[tries] = number
        if not regular and share_loads(L, options):
            regular = is_regular(L)
            if not regular:
                return False
        if not try_modes(L, options):
            return False
        worst = 0
        for e in range(k):
            if L.violation[e] > L.violation[worst]:
                worst = e
        if k == 0 or L.violation[worst] < GOOD:
            return True
        options.place[worst] = exchanged(L, options, worst)
    return False


@kernel(exact=True)
def mode_of(options, e):
    return options.mode[e, options.place[e]]


@kernel(exact=True)
def kind_of(options, e):
    return options.kind[e, options.place[e]]


@kernel(exact=True)
def share_loads(L, options):
    """Whether several contacts stick, or still do where it is decided how they break away."""
    count = 0
    for e in range(L.mode.shape[0]):
        if L.place[e, NORMAL] >= 0 and (mode_of(options, e) == STICKING or kind_of(options, e) != KNOWN):
            count += 1
    return count > 1


@kernel(exact=True)
def is_regular(L):
    """Whether no rows repeat others for certain: the smallest eigenvalue is at least one over the trace of the inverse, the
    largest at most the trace."""
    m, trace = L.forces.shape[0], 0.0
    for i in range(m):
        for j in range(m):
            L.inverse[i, j] = L.D[i, j] / np.sqrt(max(L.D[i, i] * L.D[j, j], 1e-300))
    if not invert_definite(m, L.inverse, RANK, L.basis):
        return False
    for i in range(m):
        trace += L.inverse[i, i]
    return REGULAR * m * trace < 1.0


@kernel(exact=True)
def try_modes(L, options):
    """Forces and accelerations in the modes of options.place; False if there are none."""
    k, breaks = L.mode.shape[0], False
    for e in range(k):
        breaks = breaks or kind_of(options, e) == AT_EDGE
    if breaks:
        for e in range(k):
            set_mode(L, options, e, True)
        if not solve_modes(L):
            return False
        for e in range(k):
            break_away(L, options, e)
    for e in range(k):
        set_mode(L, options, e, False)
    return solve_modes(L) and is_definite(L)


@kernel(exact=True)
def set_mode(L, options, e, stuck):
    """stuck: what slides in a direction that is not known sticks."""
    kind, i = kind_of(options, e), options.place[e]
    L.mode[e], L.direction[e, 0], L.direction[e, 1] = mode_of(options, e), 0.0, 0.0
    if kind != KNOWN and stuck:
        L.mode[e] = STICKING
    elif kind == ALONG:
        L.mode[e] = INCIPIENT
    elif kind == AT_EDGE:
        L.direction[e, 0], L.direction[e, 1] = options.edge[e, 0], options.edge[e, 1]
    elif L.mode[e] == SLIDING:
        L.direction[e, 0], L.direction[e, 1] = options.direction[e, i, 0], options.direction[e, i, 1]


@kernel(exact=True)
def break_away(L, options, e):
    """The direction against the force that has kept an element."""
    first, n = L.place[e, TANGENT], L.place[e, TANGENTS]
    x = L.forces[first] if n > 0 else 0.0
    y = L.forces[first + 1] if n > 1 else 0.0
    size = max(np.sqrt(x * x + y * y), 1e-300)
    options.edge[e, 0], options.edge[e, 1] = -x / size, -y / size


@kernel(exact=True)
def is_definite(L):
    """False where friction is so strong that a sliding contact would be pulled in by its own force."""
    count, pivot = 0, 1.0
    for e in range(L.mode.shape[0]):
        N, first = L.place[e, NORMAL], L.place[e, TANGENT]
        if N >= 0 and (L.mode[e] == SLIDING or L.mode[e] == INCIPIENT) and is_rough(L, e):
            count += 1
            pivot = L.D[N, N]
            for i in range(L.place[e, TANGENTS]):
                pivot -= L.friction[e] * L.D[N, first + i] * L.direction[e, i]
    return count != 1 or pivot > 0.0


@kernel(exact=True)
def exchanged(L, options, e):
    """The option that follows from what is wrong with the present one."""
    mode, N, first = mode_of(options, e), L.place[e, NORMAL], L.place[e, TANGENT]
    if mode == OPEN:
        return 0
    if N >= 0 and L.forces[N] < 0.0 and place_of(options, e, OPEN) >= 0:
        return place_of(options, e, OPEN)
    if mode == SLIDING and place_of(options, e, STICKING) >= 0:
        return place_of(options, e, STICKING)
    if mode == STICKING and place_of(options, e, SLIDING) >= 0:
        best, found = -np.inf, options.place[e]
        for i in range(options.count[e]):
            if options.mode[e, i] == SLIDING:
                against = 0.0
                if options.kind[e, i] == KNOWN:
                    for j in range(L.place[e, TANGENTS]):
                        against -= options.direction[e, i, j] * L.forces[first + j]
                if against > best:
                    best, found = against, i
        return found
    return options.place[e]


@kernel(exact=True)
def place_of(options, e, mode):
    """The first option with this mode; -1: none."""
    for i in range(options.count[e]):
        if options.mode[e, i] == mode:
            return i
    return -1
