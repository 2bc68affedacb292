"""Clocks of sampled controllers: what is due at an instant, without drift.

Tick n of controller k is at offset + n every; what it computes is written a delay later. Both are computed from n alone,
so that nothing adds up. Values wait in a ring, in a row for each input that is written.
"""

from typing import NamedTuple

import numpy as np

from mekane.numba_backend.kernel import kernel
from mekane.solvers.state import NEXT_TICK, NOW, SAMPLE
from mekane.tables.tables import FIRST_INPUT

SAME = 1e-14  # relative: at the same instant
EVERY, OFFSET, DELAY = range(3)  # columns of Clocks.times
NEXT, WRITTEN = range(2)  # columns of Clocks.counts: the next tick; the next to be written
SOURCE, TARGET = range(2)  # columns of Clocks.writes: registers


class Clocks(NamedTuple):
    times: np.ndarray  # (controllers, 3)
    counts: np.ndarray  # (controllers, 2) int
    first: np.ndarray  # (controllers + 1,) int  where the writes of each begin
    writes: np.ndarray  # (writes, 2) int  register of a formula (-1: a Python function gives the value), of the input
    waiting: np.ndarray  # (writes, slots)
    compiled: np.ndarray  # (controllers,) int  1: ticks need not leave the time loop


def no_clocks():
    integers = lambda *shape: np.zeros(shape, np.int64)
    return Clocks(np.zeros((0, 3)), integers(0, 2), integers(1), integers(0, 2), np.zeros((0, 1)), integers(0))


@kernel(exact=True)
def is_due(time, now):
    return time <= now + SAME * abs(now)


@kernel(exact=True)
def tick_time(C, k):
    return C.times[k, OFFSET] + C.counts[k, NEXT] * C.times[k, EVERY]


@kernel(exact=True)
def write_time(C, k):
    """Of the value that has waited longest; infinite if none waits."""
    if C.counts[k, WRITTEN] == C.counts[k, NEXT]:
        return np.inf
    return C.times[k, OFFSET] + C.counts[k, WRITTEN] * C.times[k, EVERY] + C.times[k, DELAY]


@kernel(exact=True)
def next_time(C):
    """Of the next tick or write."""
    time = np.inf
    for k in range(C.times.shape[0]):
        time = min(time, tick_time(C, k), write_time(C, k))
    return time


@kernel(exact=True)
def write_due(C, r, now):
    """Inputs get the values that are due."""
    for k in range(C.times.shape[0]):
        while is_due(write_time(C, k), now):
            slot = C.counts[k, WRITTEN] % C.waiting.shape[1]
            for w in range(C.first[k], C.first[k + 1]):
                r[C.writes[w, TARGET]] = C.waiting[w, slot]
            C.counts[k, WRITTEN] += 1


@kernel(exact=True)
def take_formulas(C, r, k):
    """Tick of a controller by formulas: their values wait from now on."""
    slot = C.counts[k, NEXT] % C.waiting.shape[1]
    for w in range(C.first[k], C.first[k + 1]):
        C.waiting[w, slot] = r[C.writes[w, SOURCE]]
    C.counts[k, NEXT] += 1


@kernel(exact=True)
def stays_inside(C, r, now):
    """Whether all that ticks now is compiled and gives numbers."""
    for k in range(C.times.shape[0]):
        if C.compiled[k] == 0 and (is_due(tick_time(C, k), now) or is_due(write_time(C, k), now)):
            return False
        if is_due(tick_time(C, k), now):
            for w in range(C.first[k], C.first[k + 1]):
                if not np.isfinite(r[C.writes[w, SOURCE]]):
                    return False
    return True


@kernel(exact=True)
def ticks(P, C, step_state, counters, record):
    """What clocks do now, inside the time loop. False: it must be left for it. Formulas read what was before any write
    of this instant."""
    now = step_state[NOW]
    if not stays_inside(C, P.r, now):
        return False
    write_due(C, P.r, now)
    for k in range(C.times.shape[0]):
        if is_due(tick_time(C, k), now):
            take_formulas(C, P.r, k)
    write_due(C, P.r, now)
    step_state[NEXT_TICK] = next_time(C)
    rewrite_sample(P, record, counters, now)
    return True


@kernel(exact=True)
def rewrite_sample(P, record, counters, now):
    """A sample at this instant shows the inputs as they are after it."""
    i = counters[SAMPLE] - 1
    if i >= 0 and record.t[i] >= now - 1e-12 * max(1e-3 * abs(now), 1e-300):
        for k in range(record.discrete.shape[1]):
            record.discrete[i, k] = P.r[P.count[FIRST_INPUT] - record.discrete.shape[1] + k]
