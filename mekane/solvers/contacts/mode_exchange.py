"""Which modes elements may have, and the motion of one combination of them, compiled. From the likeliest combination on modes are
exchanged until all laws hold: nearly always that is all there is to do.  (N.7)"""

from typing import NamedTuple

import numpy as np

from mekane.algebra.symmetric import invert_definite
from mekane.kernels.incipient_sliding import share_that_presses
from mekane.kernels.shared_loads import ALIKE, SHARINGS, SMALLEST_SHARE, TANGENTIAL
from mekane.numba_backend.kernel import kernel
from mekane.solvers.contacts.local import STILL
from mekane.solvers.contacts.mode_forces import (
    NO_LOAD,
    NORMAL,
    RANK,
    TANGENT,
    TANGENTS,
    has_given_size,
    is_rubbing,
    solve_modes,
    write_size_equation,
)
from mekane.tables.columns import INCIPIENT, OPEN, SLIDING, STICKING

FEW = 64  # combinations of modes up to which all are tried, where friction couples strongly
GOOD = 1e-8  # relative: what is met
LOCATED = 1e-6  # relative: so well an instant at which forces change fast is located
STRONG = 0.9  # friction beside normal forces, in what they do to normal accelerations; Painlevé's paradox needs 1
REGULAR = 1e-4  # of the largest eigenvalue: rows above that do not repeat one another, however they are scaled
MOST = 4  # modes of an element: it sticks, slides one way or the other, opens
EXCHANGES, FOR_EACH = 64, 8  # at least, and for each element
LOOKS = 8  # directions from which one of incipient sliding is looked for
HALVINGS = 60
GENERIC = 0.31  # rad: looks begin where no axis is
# direction of sliding: given; along the own acceleration; against the force that has kept it
KNOWN, ALONG, AT_EDGE = range(3)
# of a combination: there is none; one in which a sliding contact is pulled in by its own friction; one
NO_MOTION, PULLED_IN, FOUND = range(3)


class Options(NamedTuple):
    """The modes that k elements may have."""

    banned: (
        np.ndarray
    )  # (k, 2) int  1: it must not slide; must not stick (2: nor break away as the edge has it, see `ban`)
    count: np.ndarray  # (k,) int
    mode: np.ndarray  # (k, MOST) int
    kind: np.ndarray  # (k, MOST) int
    direction: np.ndarray  # (MOST k, 2)
    place: np.ndarray  # (k,) int  the option taken
    edge: np.ndarray  # (k, 2)  directions of what breaks away
    seen: np.ndarray  # (exchanges, k) int  combinations that were tried
    regular: np.ndarray  # (1,) int  1: no rows repeat others; 0: some may; -1: not known


def options_for(k):
    """Of k elements, none banned."""
    integers = lambda *shape: np.zeros(shape, np.int64)
    return Options(
        integers(k, 2), integers(k), integers(k, MOST), integers(k, MOST), np.zeros((MOST * k, 2)), integers(k), np.zeros((k, 2)),
        integers(EXCHANGES + FOR_EACH * k, k), integers(1) - 1,
    )  # fmt: skip


def ban(line, mode):
    """Write into a line of Options.banned that an element must not have this mode. INCIPIENT: it must not break away against the
    force that has kept it, nor stick."""
    if mode == SLIDING:
        line[0] = 1
    elif mode in (STICKING, INCIPIENT):
        line[1] = max(line[1], 2 if mode == INCIPIENT else 1)


@kernel(exact=True, outer=True)
def find_options(L, options):
    """Modes of all elements that the velocity leaves open. Returns whether all combinations are to be tried: they are few, and
    friction couples strongly."""
    combinations, begin = 1.0, 0
    for e in range(L.mode.shape[0]):
        begin += write_options(L, options, e)
        combinations *= options.count[e]
        options.place[e] = 0
    return combinations <= FEW and begin <= 1 and couples_strongly(L)


@kernel(exact=True)
def is_rough(L, e):
    return L.place[e, TANGENTS] > 0 and (L.friction[e] > 0.0 or L.static[e] > 0.0)


@kernel(exact=True)
def add_option(options, e, mode, kind, x, y):
    i = options.count[e]
    options.mode[e, i], options.kind[e, i] = mode, kind
    options.direction[MOST * e + i, 0], options.direction[MOST * e + i, 1] = x, y
    options.count[e] = i + 1


@kernel(exact=True)
def write_options(L, options, e):
    """Modes that the velocity leaves open, the likeliest first. Returns 1 if it may begin to slide in a direction that is to be
    found."""
    N, first, n = L.place[e, NORMAL], L.place[e, TANGENT], L.place[e, TANGENTS]
    options.count[e] = 0
    if N >= 0 and L.velocity[N] > STILL:
        add_option(options, e, OPEN, KNOWN, 0.0, 0.0)
        return 0
    if not is_rough(L, e):
        add_option(options, e, SLIDING, KNOWN, 0.0, 0.0)
    elif L.speed[e] > STILL:
        y = L.velocity[first + 1] / L.speed[e] if n == 2 else 0.0
        add_option(options, e, SLIDING, KNOWN, L.velocity[first] / L.speed[e], y)
    elif options.banned[e, 1] == 2 and n == 2:
        add_option(options, e, SLIDING, ALONG, 0.0, 0.0)
    elif options.banned[e, 1] > 0:  # it breaks away against the force that has kept it
        add_option(options, e, SLIDING, AT_EDGE, 0.0, 0.0)
    else:
        add_option(options, e, STICKING, KNOWN, 0.0, 0.0)
        if n == 1:
            add_option(options, e, SLIDING, KNOWN, 1.0, 0.0)
            add_option(options, e, SLIDING, KNOWN, -1.0, 0.0)
        else:
            add_option(options, e, SLIDING, ALONG, 0.0, 0.0)
    if N >= 0:
        add_option(options, e, OPEN, KNOWN, 0.0, 0.0)
    return leave_out_banned(options, e)


@kernel(exact=True)
def leave_out_banned(options, e):
    """Unless all are. Returns as `write_options`."""
    kept, begins = 0, 0
    for i in range(options.count[e]):
        if not is_banned(options, e, options.mode[e, i]):
            options.mode[e, kept], options.kind[e, kept] = options.mode[e, i], options.kind[e, i]
            for c in range(2):
                options.direction[MOST * e + kept, c] = options.direction[MOST * e + i, c]
            kept += 1
    if kept > 0:
        options.count[e] = kept
    for i in range(options.count[e]):
        begins = 1 if options.kind[e, i] == ALONG else begins
    return begins


@kernel(exact=True)
def is_banned(options, e, mode):
    return (mode == SLIDING and options.banned[e, 0] == 1) or (mode == STICKING and options.banned[e, 1] > 0)


@kernel(exact=True)
def couples_strongly(L):
    """Whether friction could make several motions possible, or none: it changes the normal accelerations, of its own contact
    or of others, nearly as much as normal forces do. Friction by the load of a joint may lock itself."""
    k = L.mode.shape[0]
    for e in range(k):
        if L.load_kind[e] != NO_LOAD:
            return True
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


@kernel(exact=True, outer=True)
def exchange(L, options):
    """From options.place on, the mode that violates its law most is exchanged, until all laws hold; False if that leads nowhere."""
    k = L.mode.shape[0]
    for tries in range(options.seen.shape[0]):
        for i in range(tries):
            if is_same(options, i):
                return False
        for e in range(k):
            options.seen[tries, e] = options.place[e]
        if try_modes(L, options) != FOUND:
            return False
        if largest_violation(L) < GOOD:
            return True
        worst = 0
        for e in range(k):
            if L.violation[e] > L.violation[worst]:
                worst = e
        options.place[worst] = exchanged(L, options, worst)
    return False


@kernel(exact=True)
def is_same(options, i):
    for e in range(options.place.shape[0]):
        if options.seen[i, e] != options.place[e]:
            return False
    return True


@kernel(exact=True)
def mode_of(options, e):
    return options.mode[e, options.place[e]]


@kernel(exact=True)
def kind_of(options, e):
    return options.kind[e, options.place[e]]


@kernel(exact=True, outer=True)
def share_by_load(L, options):
    """Where contacts that stick share a load, let friction be shared in proportion to what presses them together: then all of
    them reach their limits together. It changes the scales of their tangential rows, by which the smallest forces are meant. The
    modes stand in L."""
    make_scales_equal(L)
    count = 0
    for e in range(L.mode.shape[0]):
        count += 1 if shares(L, e) else 0
    if count == 0 or forces_are_unique(L, options):
        return
    for e in range(L.mode.shape[0]):
        if shares(L, e):
            scale_tangents(L, e, 1.0)
    if count == 1:
        return
    for _ in range(SHARINGS):
        largest = 0.0
        if solve_modes(L):
            for e in range(L.mode.shape[0]):
                largest = max(largest, L.forces[L.place[e, NORMAL]]) if shares(L, e) else largest
        for e in range(L.mode.shape[0]):
            if shares(L, e):
                part = L.forces[L.place[e, NORMAL]] / largest if largest > 0.0 else 1.0
                scale_tangents(L, e, np.sqrt(min(max(part, SMALLEST_SHARE), 1.0)))
        if not largest > 0.0:
            return


@kernel(exact=True)
def make_scales_equal(L):
    """As kernels.shared_loads does it, for the modes in L: not what other modes have left there."""
    low, high = np.inf, 0.0
    for i in range(L.scale.shape[0]):
        L.scale[i] = L.usual_scale[i]
    for e in range(L.mode.shape[0]):
        if L.mode[e] != OPEN and L.place[e, NORMAL] >= 0:
            scale = L.usual_scale[L.place[e, NORMAL]]
            low, high = min(low, scale), max(high, scale)
    for e in range(L.mode.shape[0]):
        if L.mode[e] != OPEN and L.place[e, NORMAL] >= 0 and high < ALIKE * low:
            L.scale[L.place[e, NORMAL]] = low


@kernel(exact=True)
def scale_tangents(L, e, scale):
    """The smallest forces go with its square."""
    for i in range(L.place[e, TANGENT], L.place[e, TANGENT] + L.place[e, TANGENTS]):
        L.scale[i] = TANGENTIAL * scale * L.scale[L.place[e, NORMAL]]


@kernel(exact=True)
def shares(L, e):
    return L.mode[e] == STICKING and L.place[e, NORMAL] >= 0


@kernel(exact=True)
def forces_are_unique(L, options):
    if options.regular[0] < 0:
        options.regular[0] = 1 if is_regular(L) else 0
    return options.regular[0] == 1


@kernel(exact=True)
def is_regular(L):
    """Whether no rows repeat others for certain, whichever hold: the smallest eigenvalue is at least one over the trace of the
    inverse, the largest at most the trace."""
    m, trace = L.forces.shape[0], 0.0
    for i in range(m):
        for j in range(m):
            L.inverse[i, j] = L.D[i, j] / np.sqrt(max(L.D[i, i] * L.D[j, j], 1e-300))
    if not invert_definite(m, L.inverse, RANK, L.basis):
        return False
    for i in range(m):
        trace += L.inverse[i, i]
    return REGULAR * m * trace < 1.0


@kernel(exact=True, outer=True)
def try_modes(L, options):
    """Forces and accelerations in the modes of options.place, whether they satisfy all laws or not. NO_MOTION, PULLED_IN or FOUND."""
    breaks, begin, last = False, 0, 0
    for e in range(L.mode.shape[0]):
        set_mode(L, options, e, True)
        breaks = breaks or kind_of(options, e) == AT_EDGE
        if kind_of(options, e) == ALONG:
            begin, last = begin + 1, e
    share_by_load(L, options)
    if breaks:
        if not solve_modes(L):
            return NO_MOTION
        for e in range(L.mode.shape[0]):
            break_away(L, options, e)
    set_modes(L, options)
    if breaks or begin > 0:  # fewer stick
        share_by_load(L, options)
        set_modes(L, options)
    if (not solve_modes(L) or keeps_edge(L, options)) and not (begin == 1 and look_around(L, options, last)):
        return NO_MOTION
    if begin == 1 and largest_violation(L) >= GOOD and not forces_are_unique(L, options):
        look_by_directions(L, options, last)
    let_open(L, options)
    return FOUND if is_definite(L) else PULLED_IN


@kernel(exact=True)
def let_open(L, options):
    """What a guard has opened is open where that guard is zero as closely as floats tell instants apart."""
    for e in range(L.mode.shape[0]):
        opened = L.mode[e] == OPEN and options.banned[e, 0] == 1 and options.banned[e, 1] > 0
        if opened and L.violation[e] < LOCATED:
            L.violation[e] = 0.0


@kernel(exact=True)
def look_around(L, options, e):
    """The same with one direction to be found, that of e, from directions all around."""
    for i in range(LOOKS):
        set_modes(L, options)
        angle = GENERIC + 2.0 * np.pi * i / LOOKS
        L.direction[e, 0], L.direction[e, 1] = np.cos(angle), np.sin(angle)
        if solve_modes(L) and largest_violation(L) < GOOD and not keeps_edge(L, options):
            return True
    return False


@kernel(exact=True)
def look_by_directions(L, options, e):
    """The same where what else holds leaves no force that could keep e, as at a dead centre: then its acceleration is no unknown, its
    direction is."""
    before, step = 0.0, 2.0 * np.pi / LOOKS
    for i in range(LOOKS + 1):
        now = across(L, options, e, GENERIC + i * step)
        if i > 0 and before * now <= 0.0:
            low, high, at_low = GENERIC + (i - 1) * step, GENERIC + i * step, before
            for _ in range(HALVINGS):
                middle = 0.5 * (low + high)
                f = across(L, options, e, middle)
                if f * at_low > 0.0:
                    low = middle
                else:
                    high = middle
            across(L, options, e, high)
            if largest_violation(L) < GOOD:
                return
        before = now
    set_modes(L, options)
    solve_modes(L)


@kernel(exact=True)
def across(L, options, e, angle):
    """Acceleration across the direction at this angle in which e slides; NaN if there is none."""
    set_modes(L, options)
    L.mode[e], L.direction[e, 0], L.direction[e, 1] = SLIDING, np.cos(angle), np.sin(angle)
    if not solve_modes(L):
        return np.nan
    first = L.place[e, TANGENT]
    return L.direction[e, 0] * L.rates[first + 1] - L.direction[e, 1] * L.rates[first]


@kernel(exact=True)
def keeps_edge(L, options):
    """Whether an element that must not break away against the force that has kept it does so, or hardly moves."""
    for e in range(L.mode.shape[0]):
        if options.banned[e, 1] == 2 and L.mode[e] == INCIPIENT:
            first, size = L.place[e, TANGENT], 0.0
            for row in range(first, first + L.place[e, TANGENTS]):
                size = max(size, abs(L.acceleration[row]), abs(L.rates[row]))
            if L.along[e] <= GOOD * size:
                return True
    return False


@kernel(exact=True)
def largest_violation(L):
    worst = 0.0
    for e in range(L.mode.shape[0]):
        worst = max(worst, L.violation[e])
    return worst


@kernel(exact=True)
def set_modes(L, options):
    for e in range(L.mode.shape[0]):
        set_mode(L, options, e, False)


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
        L.direction[e, 0], L.direction[e, 1] = options.direction[MOST * e + i, 0], options.direction[MOST * e + i, 1]


@kernel(exact=True)
def break_away(L, options, e):
    """The direction against the force that has kept an element."""
    first, n = L.place[e, TANGENT], L.place[e, TANGENTS]
    x = L.forces[first] if n > 0 else 0.0
    y = L.forces[first + 1] if n > 1 else 0.0
    size = max(np.sqrt(x * x + y * y), 1e-300)
    options.edge[e, 0], options.edge[e, 1] = -x / size, -y / size


@kernel(exact=True, outer=True)
def is_definite(L):
    """False where friction is so strong that a sliding contact would be pulled in by its own force, or by those of others: as guards
    tell it while the modes last, see kernels.contact_guards."""
    n = 0
    for e in range(L.mode.shape[0]):
        if is_rubbing(L, e) and not has_given_size(L, e):
            L.number[n] = e
            n += 1
        elif L.mode[e] == INCIPIENT and not pressed_by_normal(L, e) > 0.0:
            return False
    for i in range(n):
        write_size_equation(L, n, i, L.number[i])
    for i in range(n):
        pivot = L.equations[i, i]
        if L.place[L.number[i], NORMAL] >= 0 and not pivot > 0.0:
            return False
        for row in range(i + 1, n):
            share = L.equations[row, i] / pivot
            for j in range(i + 1, n):
                L.equations[row, j] -= share * L.equations[i, j]
    return True


@kernel(exact=True)
def pressed_by_normal(L, e):
    """As kernels.incipient_sliding has it."""
    k, N, first = L.mode.shape[0], L.place[e, NORMAL], L.place[e, TANGENT]
    if N < 0:
        return 1.0
    a, b = L.answer[first, 1 + e], L.answer[first, 1 + k + e]
    c, d = L.answer[first + 1, 1 + e], L.answer[first + 1, 1 + k + e]
    p, q = L.answer[N, 1 + e], L.answer[N, 1 + k + e]
    return share_that_presses(L.friction[e], a, b, c, d, p, q, L.direction[e, 0], L.direction[e, 1])


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
                        against -= options.direction[MOST * e + i, j] * L.forces[first + j]
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
