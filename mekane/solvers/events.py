"""Event location: a step ends where a comparison changes sides, found on the dense output and then landed on.

guard      left − right of a comparison; it holds where that is negative. In a step all comparisons are frozen, so
           guards are smooth.
look       at ten Chebyshev–Lobatto points of the dense output; where the polynomial through them is no good fit, at
           half of the step first. Its minima are looked at too: two crossings lie between samples  (N.6)
land       the step is taken again to end at the root, because the dense output is an order lower than the method;
           secant corrections. There the guard is round-off: which side it is on from here is known, not computed
touch      a comparison with "or equal" that a condition reads becomes true where its guard only touches zero
"""

import numpy as np

from mekane.algebra.chebyshev import (
    BETWEEN,
    LOOKS,
    POINTS,
    SHARES,
    fit_values,
    fitted,
    has_dip,
    look_at_fit,
    lowest,
    root_of_fit,
)
from mekane.expressions.frozen_discontinuities import FLOOR_ABOVE, TOUCHES, TURN_ABOVE
from mekane.numba_backend.kernel import kernel
from mekane.solvers.entries.calls import rhs
from mekane.solvers.stages import dense_stages, interpolate
from mekane.solvers.state import (
    EVALUATIONS,
    EVENTS,
    GUARD,
    NOW,
    OF_CONTACT,
    STEP,
    STEP_MAX,
    STUCK,
    WHAT,
)
from mekane.tables.columns import (
    C_DIRECTION,
    C_MODE,
    C_SUMS,
    C_TANGENTS,
    N_ELEMENT_GUARDS,
    OPEN,
    SLIDING,
    STICKING,
    Y_PHI,
    Y_RATE,
)
from mekane.tables.handle import KINEMATICS, call
from mekane.tables.tables import FROZEN

N = POINTS
SMALLEST = 0.125  # piece of a step
GOOD = 1e-3  # fit: its last two coefficients beside the largest
TOUCH = 1e-10  # of the largest size of a guard in a piece: it touches zero
SAME = 1e-11  # of a step: at the same instant
BACK = 1e-3  # of a step: slopes of guards are taken over so much
CLOSE, TRIES = 1e-12, 6  # of a step: so close to a root the secant goes, in so many tries
# of the last value of a guard, and of a step from its root: there a value that hardly gets smaller is round-off
STALLS, ROUND_OFF = 0.25, 1e-6
CORRECTIONS = 2  # by the secant; then it is nudged
AHEAD = 1e-6  # of its variation in a step: a guard that is so far from zero has not ended it
LANDINGS = 12  # tries
LITTLE = 1e-3  # of a step: further than that no correction goes. A guard that is round-off has roots everywhere
STRIDE = 0.02  # of the largest step
MANY, AGAIN = 20, 16  # changes at one instant before a stride is taken; counted as such after it
BARELY_ANY, NEARLY_ALL = 1e-3, 0.9  # parts of a step
MISSED = 1e-10  # residual or rate of a row beyond what a projection leaves and JUST_AFTER adds
ARMED = 1e-12  # a guard of a contact law that began at zero counts as positive
FAR = 2.0  # variations of a guard in a step
BESIDE, NEARLY = 4.0, 0.05  # distances of values from a smooth curve, variations of a guard: it is that far from zero
APART = 0.05  # of a step: curves through values at stages tell which of two guards is first
SURE = 0.04  # of a step: so well a curve through values at stages tells where a guard falls through zero
NONE = 2.0  # share of a step in which nothing changes
CUT, WHOLE, REPEAT = range(3)  # a step ends within itself; is taken, and has dense output; begins anew


@kernel(exact=True)
def guards_at(P, M, S, y, t, h, share, counters):
    """All guards, or those of positions and speeds, in their registers, at this share of the step. Dense output."""
    interpolate(M, S, y, h, share, S.stage)
    if S.by_kinematics[0] == 1:
        call(P.header, KINEMATICS, t + share * h, S.stage, 0)
        return
    rhs(P, t + share * h, S.stage, S.sample)
    counters[EVALUATIONS] += 1


@kernel(exact=True)
def sample_guards(P, M, S, y, t, h, low, high, events, counters):
    """S.guards[k]: guard k, positive on the side where it is at the start, at the points of a piece of the step."""
    for j in range(N):
        guards_at(P, M, S, y, t, h, low + SHARES[j] * (high - low), counters)
        for k in range(events.shape[0]):
            S.guards[k, j] = S.before[k] * P.r[events[k, GUARD]]


@kernel(exact=True)
def all_fit(S, n):
    """Whether the fits of all guards are good, or do not matter: far from zero."""
    for k in range(n):
        largest, rest = fit_values(S.guards[k], S.fit)
        least = S.guards[k, 1]
        for j in range(2, N):
            least = min(least, S.guards[k, j])
        if rest > GOOD * largest and least < 10.0 * rest:
            return False
    return True


@kernel(exact=True)
def first_negative(S, n):
    """Which guard is the first to be on the other side at a point of a piece between its ends, and the point; -1: none is."""
    for j in range(1, N - 1):
        for k in range(n):
            if S.guards[k, j] < -S.slack[k]:
                return k, j
    return -1, 0


@kernel(exact=True)
def bracket(P, M, S, y, t, h, low, high, k, events, counters):
    """Shares of the step between which guard k first changes sides in this piece, and whether it only touches; then its
    values there. The second share is NONE if it does not."""
    guard = S.guards[k]
    largest, rest = fit_values(guard, S.fit)
    look_at_fit(guard, S.looks)
    size, near = high - low, 4.0 * rest + TOUCH * largest
    first = BETWEEN if low == 0.0 and guard[0] <= near else 0  # it leaves zero
    for i in range(1, LOOKS.shape[0]):
        j = i // BETWEEN
        if i % BETWEEN == 0 and guard[j] < -S.slack[k]:  # before the dip around it: the change is earlier
            return low + SHARES[j - 1] * size, low + SHARES[j] * size, 0, guard[j - 1], guard[j]
        if i > first and i < LOOKS.shape[0] - 1 and has_dip(S.looks, i, near):
            x, _ = lowest(S.fit, LOOKS[i - 1], LOOKS[i + 1])
            guards_at(P, M, S, y, t, h, low + x * size, counters)
            g = S.before[k] * P.r[events[k, GUARD]]
            if g < -S.slack[k]:
                before = j if SHARES[j] < x else j - 1
                return low + size * SHARES[before], low + x * size, 0, guard[before], g
            if events[k, WHAT] == TOUCHES and S.before[k] > 0.0 and g <= TOUCH * largest:
                return low + x * size, low + x * size, 1, g, g
    return low, NONE, 0, 1.0, 1.0


@kernel(exact=True)
def root_near_fit(P, M, S, y, t, h, low, size, a, b, k, events, counters):
    """The share in [a, b] at which guard k changes sides, by the secant from where its fit S.fit on a piece does; NONE if that
    is not found there."""
    share = root_of_fit(S.fit, (a - low) / size, (b - low) / size)
    rate = (fitted(S.fit, share + BACK) - fitted(S.fit, share - BACK)) / (2.0 * BACK * size)
    return secant(P, M, S, y, t, h, low + size * share, rate, a, b, k, events, counters)


@kernel(exact=True)
def secant(P, M, S, y, t, h, x, rate, a, b, k, events, counters):
    """The share in [a, b] at which guard k changes sides, from x on where it has about this rate; NONE if that
    is not found there."""
    last_x, last_f = 0.0, 0.0
    for i in range(TRIES):
        guards_at(P, M, S, y, t, h, x, counters)
        f = S.before[k] * P.r[events[k, GUARD]]
        if i > 0:
            if abs(f) > STALLS * abs(last_f) and abs(f) <= -rate * ROUND_OFF:
                return x
            rate = (f - last_f) / (x - last_x)
        if not rate < 0.0:
            break
        if abs(f) <= -rate * max(CLOSE, 2.0 * np.spacing(abs(t)) / h):
            return x
        last_x, last_f = x, f
        x -= f / rate
        if not a < x < b:
            break
    return NONE


@kernel(exact=True)
def root(P, M, S, y, t, h, low, high, at_low, at_high, k, events, counters):
    """The share in [low, high] just after which guard k, with these values at the ends, has changed sides: inverse
    quadratic interpolation, bisection where that would leave the curve (T. R. Chandrupatla, Adv. Eng. Softw. 28, 1997)."""
    if at_low <= 0.0:
        return low
    finest = max(2.2e-16, 2.0 * np.spacing(abs(t)) / h)
    a, b, c, fa, fb, fc = high, low, high, at_high, at_low, at_high
    part = fa / (fa - fb)
    for _ in range(200):
        if abs(b - a) <= finest:
            break
        least = min(0.6 * finest / abs(b - a), 0.5)
        x = a + min(max(part, least), 1.0 - least) * (b - a)
        guards_at(P, M, S, y, t, h, x, counters)
        f = S.before[k] * P.r[events[k, GUARD]]
        if f == 0.0:
            return x
        if (f > 0.0) == (fa > 0.0):
            c, fc = a, fa
        else:
            c, b, fc, fb = b, a, fb, fa
        a, fa = x, f
        part = inverse_quadratic((a - b) / (c - b), (fa - fb) / (fc - fb), (c - a) / (b - a), fa, fb, fc)
    return max(a, b)


@kernel(exact=True)
def inverse_quadratic(along, rise, beyond, fa, fb, fc):
    """Part of the way from a to b to the root of the inverse parabola through a, b and c, if it is monotonic there; else
    a half."""
    if 1.0 - np.sqrt(max(1.0 - along, 0.0)) < rise < np.sqrt(max(along, 0.0)):
        return fa / (fb - fa) * fc / (fb - fc) + beyond * fa / (fc - fa) * fb / (fc - fb)
    return 0.5


@kernel(exact=True)
def first_change(P, M, S, y, t, h, events, counters):
    """The share of the step at which a guard first changes sides or touches (NONE if none does), which one, and whether
    it touches. Beyond a change guards need not be smooth: where the fit is bad, what is before one is looked at alone."""
    low, size, end = 0.0, 1.0, 1.0
    first, which, touches = NONE, -1, 0
    while low < end:
        high = min(end, low + size)
        sample_guards(P, M, S, y, t, h, low, high, events, counters)
        if size > SMALLEST and not all_fit(S, events.shape[0]):
            k, j = first_negative(S, events.shape[0])
            if k < 0:
                size = 0.5 * (high - low)
                continue
            a, b = low + SHARES[j - 1] * (high - low), low + SHARES[j] * (high - low)
            end = root(P, M, S, y, t, h, a, b, S.guards[k, j - 1], S.guards[k, j], k, events, counters)
            first, which, size = end, k, end - low
            continue
        found = NONE
        for k in range(events.shape[0]):
            a, b, only_touches, at_a, at_b = bracket(P, M, S, y, t, h, low, high, k, events, counters)
            if b < NONE and a < min(found, first) and not (k == which and b >= first):
                x = b if only_touches == 1 else NONE
                if x == NONE and at_a > 0.0:
                    x = root_near_fit(P, M, S, y, t, h, low, high - low, a, b, k, events, counters)
                if x == NONE:
                    x = root(P, M, S, y, t, h, a, b, at_a, at_b, k, events, counters)
                if x < min(found, first):
                    found, which, touches = x, k, only_touches
        if found < NONE:
            return found, which, touches
        low, size = high, min(end - high, 2.0 * size)
    return first, which, touches


@kernel(exact=True)
def change_sides(P, M, S, y, t, h, share, which, events, counters):
    """Mark which guards change at this share: one, and those whose roots are at the same instant. Slopes (per unit of
    the step) into S.slope."""
    back = max(share - BACK, 0.5 * share)
    guards_at(P, M, S, y, t, h, back, counters)
    for k in range(events.shape[0]):
        S.slope[k] = -P.r[events[k, GUARD]]
    guards_at(P, M, S, y, t, h, share, counters)
    same = 4.0 * abs(P.r[events[which, GUARD]])
    for k in range(events.shape[0]):
        g = P.r[events[k, GUARD]]
        S.slope[k] = (S.slope[k] + g) / (share - back) if share > back else 0.0
        if k == which or (abs(g) <= max(same, SAME * abs(S.slope[k])) and S.before[k] * S.slope[k] < 0.0):
            S.decided[k] = -S.before[k]
            forget_other_way(S, events, k)


@kernel(exact=True)
def forget_other_way(S, events, k):
    """A floor or an angle that jumps one way has not jumped the other way at this instant; both guards stand together."""
    if events[k, OF_CONTACT] == 0 and events[k, WHAT] >= FLOOR_ABOVE:
        S.decided[k + 1 if events[k, WHAT] == FLOOR_ABOVE or events[k, WHAT] == TURN_ABOVE else k - 1] = 0.0


@kernel(exact=True)
def correction(P, S, t_new, h, which, events, counters, tries, known):
    """How much later than t_new the step shall end, by the guard at the state S.new: at its root (secant), and then just
    beyond it, where the law of the new side has a value; contact laws have theirs at it. 0: it is there, or that cannot be
    decided. known: guards and the slope S.sample are those at the state S.new."""
    if not known:
        rhs(P, t_new, S.new, S.sample)
        counters[EVALUATIONS] += 1
    g, slope = P.r[events[which, GUARD]], S.slope[which] / h
    if slope == 0.0 or tries == LANDINGS - 1 or abs(g) > LITTLE * h * abs(slope):
        return 0.0
    dt, finest = -g / slope, 2.0 * np.spacing(abs(t_new))
    if tries < CORRECTIONS and abs(dt) > 8.0 * finest:
        return dt
    if S.before[which] * g < 0.0 or events[which, OF_CONTACT] == 1:
        return 0.0
    further = max(finest * 8.0 ** max(tries - CORRECTIONS, 0), 2.0 * abs(dt))
    return further if further <= LITTLE * h else 0.0


@kernel(exact=True)
def takes_no_time(t, h, share):
    """Whether a guard changes sides at the start of the step itself: then no step is taken, it begins anew with the other
    side."""
    return share * h <= 4.0 * np.spacing(abs(t))


@kernel(exact=True)
def knows_two_laws(P, M, share):
    """Whether comparisons were not frozen in a step with error control, and one changed sides in the midst of it."""
    unfrozen = M.error.shape[0] > 0 and P.modes.shape[0] > 0 and P.state[FROZEN] == 0
    return unfrozen and BARELY_ANY <= share <= NEARLY_ALL


@kernel(exact=True)
def must_stride(P, M, step_state, counters, share, h):
    """Guards that change again and again at the same instant: the step is taken to a stride, the comparisons as they are.
    Returns the share to take; 0: up to the change, as always."""
    again = share < 1e-6 or takes_no_time(step_state[NOW], h, share) or knows_two_laws(P, M, share)
    counters[STUCK] = counters[STUCK] + 1 if again else min(counters[STUCK], AGAIN)
    if counters[STUCK] > MANY:
        counters[STUCK] = AGAIN
        return max(share, min(1.0, STRIDE * step_state[STEP_MAX] / h))
    return 0.0


@kernel(exact=True)
def has_contacts(events):
    """Whether guards of contact laws are watched: they stand last."""
    return events.shape[0] > 0 and events[events.shape[0] - 1, OF_CONTACT] == 1


@kernel(exact=True)
def element_of(P, events, k):
    """The element whose guard it is, and which of its guards; -1: none."""
    n = P.contact_i.shape[0]
    first = events.shape[0] - N_ELEMENT_GUARDS * n - 1
    if events[k, OF_CONTACT] == 0 or k == events.shape[0] - 1:
        return -1, 0
    return (k - first) // N_ELEMENT_GUARDS, (k - first) % N_ELEMENT_GUARDS


@kernel(exact=True)
def is_of_force(P, events, k):
    """Whether a guard is the force of a closed contact, what more friction could carry, or what tells that sliding jams."""
    e, what = element_of(P, events, k)
    if e < 0:
        return events[k, OF_CONTACT] == 1
    mode = P.r[P.contact_i[e, C_MODE]]
    return (what == 0 and mode != OPEN) or (what == 1 and mode == STICKING)


@kernel(exact=True)
def is_still_ahead(P, S, events, k, t, last):
    """Whether a guard of forces that has ended the last step is clearly positive after it: where directions of incipient sliding
    have become those of velocities, forces are others."""
    if S.decided[k] == 0.0 or not is_of_force(P, events, k) or AHEAD * last <= 8.0 * np.spacing(abs(t)):
        return False
    return P.r[events[k, GUARD]] > AHEAD * (S.high[k] - S.low[k])


@kernel(exact=True)
def decide_at_end(P, S, t_new, events, counters):
    """Mark the guards of contact laws that are on the other side where a step ends. Comparisons are decided anew there; modes
    are not, unless a guard says so."""
    if not has_contacts(events):
        return
    rhs(P, t_new, S.new, S.sample)
    counters[EVALUATIONS] += 1
    for k in range(events.shape[0]):
        if events[k, OF_CONTACT] == 1 and P.r[events[k, GUARD]] < -S.slack[k]:
            S.decided[k] = -1.0
            counters[EVENTS] += 1


@kernel(exact=True)
def locate(P, M, S, y, step_state, counters, events, h, watched):
    """Share of the step, which has dense output, to be taken: up to the first event (marked in S.decided), or NONE: all.
    Second: the guard. watched: values of guards at its stages are known."""
    t, again = step_state[NOW], S.instant[0] == step_state[NOW]
    S.instant[0] = np.nan
    shortest = 0.0 if has_contacts(events) else 1e-9 * step_state[STEP_MAX]
    if h <= max(8.0 * np.spacing(abs(t)), shortest):  # what changes in it is decided where it ends
        S.decided[: events.shape[0]] = 0.0
        decide_at_end(P, S, t + h, events, counters)
        return NONE, -1
    share, which, touches = NONE, -1, 0
    if watched:
        which, x, rate = first_by_stages(M, S, events)
        if which >= 0:
            S.by_kinematics[0] = 1 if is_kinematic(P, events, which) else 0
            share = secant(P, M, S, y, t, h, x, rate, 0.0, 1.0, which, events, counters)
    if share == NONE:
        S.by_kinematics[0] = 1 if watched and are_kinematic(P, M, S, events) else 0
        share, which, touches = first_change(P, M, S, y, t, h, events, counters)
    S.by_kinematics[0] = 0
    if share == NONE:
        S.decided[: events.shape[0]] = 0.0
        counters[STUCK] = 0
        return NONE, -1
    counters[EVENTS] += 1
    stride = 0.0  # none over modes of contact laws: they would no longer hold. Phases counts these
    if events[which, OF_CONTACT] == 0:
        stride = must_stride(P, M, step_state, counters, share, h)
    at_once = takes_no_time(t, h, share) and stride == 0.0
    if not (at_once and again):  # else what has changed sides here before this one stays there, as it is not computed
        S.decided[: events.shape[0]] = 0.0
    if stride > 0.0:
        return stride, -1
    if at_once:
        S.instant[0] = t
    change_sides(P, M, S, y, t, h, share, which, events, counters)
    if touches == 1:
        S.slope[which] = 0.0
    return share, which


@kernel(exact=True)
def must_repeat(P, M, S, step_state, counters, h, share):
    """A step whose dense output knows two laws is not taken. The next one ends where the law changed."""
    if not knows_two_laws(P, M, share):
        return False
    step_state[STEP] = share * h
    counters[EVENTS] -= 1
    for k in range(S.decided.shape[0]):
        S.decided[k] = 0.0
    return True


@kernel(exact=True)
def are_far(M, S, events):
    """Whether only contact laws are watched, and their guards stay far from zero in a step by their values at its stages."""
    for k in range(events.shape[0]):
        if events[k, OF_CONTACT] == 0 or not is_far(M, S, k):
            return False
    return True


@kernel(exact=True)
def are_kinematic(P, M, S, events):
    """Whether only contact laws are watched, and those of their guards that may come to zero follow from positions and speeds."""
    for k in range(events.shape[0]):
        if events[k, OF_CONTACT] == 0 or not (is_kinematic(P, events, k) or is_far(M, S, k)):
            return False
    return True


@kernel(exact=True)
def is_kinematic(P, events, k):
    """Whether a guard of a contact law is a gap or its rate, or a speed of sliding: see kernels.contact_guards."""
    e, what = element_of(P, events, k)
    if e < 0:
        return False
    line = P.contact_i[e]
    mode, x, y = P.r[line[C_MODE]], P.r[line[C_DIRECTION]], P.r[line[C_DIRECTION] + 1]
    if what == 0:
        return mode == OPEN
    slides = mode == SLIDING and line[C_TANGENTS] > 0
    if what == 1:
        return slides and x * x + y * y > 0.25
    return what == 2 and slides and line[C_TANGENTS] == 2 and line[C_SUMS] == 0


@kernel(exact=True)
def is_far(M, S, k):
    """Whether a guard stays far from zero in a step by its values at the stages."""
    if S.slack[k] == np.inf:
        return True  # it counts only when a step begins with it above zero
    if S.slack[k] != 0.0:
        return stays_at_zero(S, k) or leaves_zero(M, S, k)
    rises = S.low[k] > S.at_stages[k, 0] > ARMED
    return rises or stays_positive(S.at_stages[k], S.smoothed, S.low[k], S.high[k])


@kernel(exact=True)
def first_by_stages(M, S, events):
    """Which guard of a contact law is the first to change sides in a step, and where, with its rate, by smooth curves through
    values at the stages. -1 if these leave a doubt: then the step is looked through."""
    which, first, rate = -1, NONE, 0.0
    for k in range(events.shape[0]):
        if events[k, OF_CONTACT] == 0:
            return -1, NONE, 0.0
        if is_far(M, S, k):
            continue
        if S.slack[k] != 0.0:
            return -1, NONE, 0.0
        x, slope = falls_through_zero(S.at_stages[k], S.smoothed)
        if x == NONE or abs(x - first) < APART:
            return -1, NONE, 0.0
        if x < first:
            which, first, rate = k, x, slope
    return which, first, rate


@kernel(exact=True)
def falls_through_zero(values, smoothed):
    """The share of a step at which the curve through these values, all of which lie close to it, first falls through zero, and
    its rate there; NONE if it does not go there clearly, from above zero to below."""
    n, looks = smoothed.shape[1], smoothed.shape[0] - smoothed.shape[1] - 1
    x, rate, last, beside, below = NONE, 0.0, np.inf, 0.0, False
    for i in range(smoothed.shape[0]):
        f = smooth_value(smoothed, i, values)
        if i < n:
            beside = max(beside, abs(f - values[i]))
            continue
        near = abs(f) <= BESIDE * beside or abs(last) <= BESIDE * beside
        if near and not f < last:
            return NONE, 0.0
        if f < 0.0 <= last:
            if i == n:
                return NONE, 0.0
            x, rate = (i - n - f / (f - last)) / looks, (f - last) * looks
        last = f
        if f < -BESIDE * beside:
            below = True
            break
    return (x, rate) if below and beside <= SURE * -rate else (NONE, 0.0)


@kernel(exact=True)
def stays_at_zero(S, k):
    """Whether a guard that begins at zero varies so little in a step that it does not come to count: faces that lie on one
    another have corners that carry nothing, at gaps of round-off."""
    return S.low[k] - FAR * (S.high[k] - S.low[k]) > -S.slack[k]


@kernel(exact=True)
def leaves_zero(M, S, k):
    """Whether a guard that begins at zero stays above it, by its values at the stages: by what they are for each share of the
    step, which is not zero where it begins."""
    n = S.at_stages.shape[1]
    if n < 2 or n > S.looks.shape[0]:
        return False
    rise, low, high = S.looks[:n], np.inf, -np.inf
    for i in range(1, n):
        if not M.c[i] > 0.0:
            return False
        rise[i] = S.at_stages[k, i] / M.c[i]
        low, high = min(low, rise[i]), max(high, rise[i])
    if not low > 0.0:
        return False
    rise[0] = rise[1]
    return stays_positive(rise, S.smoothed, low, high)


@kernel(exact=True)
def stays_positive(values, smoothed, low, high):
    """Whether a guard is far from zero beside how much it varies, or a smooth curve through its values is above zero by more
    than these lie beside it. smoothed: from values to the curve, there and at LOOKOUTS (`smooth_curve`)."""
    if low > FAR * (high - low):
        return True
    beside, lowest, n = 0.0, np.inf, smoothed.shape[1]
    for i in range(smoothed.shape[0]):
        x = smooth_value(smoothed, i, values)
        if i < n:
            beside = max(beside, abs(x - values[i]))
        else:
            lowest = min(lowest, x)
    return lowest > BESIDE * beside + NEARLY * (high - low)


@kernel(exact=True)
def smooth_value(smoothed, i, values):
    """The smooth curve through values at stages, at its place i."""
    total = 0.0
    for j in range(smoothed.shape[1]):
        total += smoothed[i, j] * values[j]
    return total


@kernel(exact=True)
def look_for_events(P, M, S, y, step_state, counters, events, h, watched):
    """Look for events in a step: WHOLE, REPEAT or CUT; then the share of it to be taken, and the guard that ends it (-1: none)."""
    dense_stages(P, M, S, y, step_state[NOW], h, counters)
    share, which = locate(P, M, S, y, step_state, counters, events, h, watched)
    if share == NONE:
        return WHOLE, share, which
    strides = which < 0
    at_once = takes_no_time(step_state[NOW], h, share)
    if not strides and (at_once or must_repeat(P, M, S, step_state, counters, h, share)):
        return REPEAT, share, which
    return CUT if share < 1.0 or which >= 0 else WHOLE, share, which


@kernel(exact=True)
def is_missed(row, active):
    """True if the state is off any of the active rows by more than the last projection can have left."""
    worst = 0.0
    for j in range(active.shape[0]):
        if active[j] == 1:
            worst = max(worst, abs(row[j, Y_PHI]), abs(row[j, Y_RATE]))
    return worst > MISSED
