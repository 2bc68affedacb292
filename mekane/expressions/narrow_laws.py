"""Laws of the state that may act within a small part of a motion, as a table, exp(-(1e3*x)**2), a comparison of a curved
expression or a Python function can: steps that are long where nothing happens may pass over that.

What the state will be is not known beforehand, as the time is (`time_laws`). But once a motion is known at samples, the
laws are run on the intervals in which their inputs are from one sample to the next (`interval`): where a law can leave
what it is at the samples around, intervals are divided until a value is found that does, or until none can.
"""

from typing import NamedTuple

import numpy as np

from mekane.expressions import opcodes as op
from mekane.expressions.tape_ranges import FIXED, OTHER, TapeRanges, arguments

NARROW = (op.TABLE, op.EXP, op.TANH, op.SINH, op.COSH, op.ATAN, op.ATAN2, op.LOG, op.SQRT, op.ASIN, op.ACOS, op.FLOOR)
GIVEN = (op.TABLE, op.EXP, op.TANH, op.SINH, op.COSH)
CURVED = (op.MUL, op.SIN, op.COS, op.TAN, op.ASIN, op.ACOS, op.LOG, op.SQRT)
LESS = 0.1  # of what a law is nearby: what it leaves this by is no feature
SPIKE = 0.5  # the same of values at samples, which smooth laws differ in, too
NEARBY = 8  # samples to either side
WINDOW = 4  # samples: about a step
ROUND_OFF = 1e-14  # relative
MARGIN = 1.1  # curvature of an input between two samples is at most so many times that of the cubic through them
PARTS, FEW = 8, 500  # into which up to so many intervals under way are divided; more are halved
MOST = 20_000  # intervals under way at a time, and twice the samples
SHORTEST = 1e-13  # interval, as a share of the time
MOST_WORK = 2e7  # instructions times intervals or samples, in all; about a tenth of a second
PER_EVALUATION = (
    5.0  # and so many times the instructions that the motion itself took: looking twice at every step needs 3
)
CALLS = 3  # parts of an interval at whose borders Python functions are called


class TooMuchWork(Exception):
    """Repeating a motion, or looking through its laws, would take far longer than the motion itself."""


class Feature(NamedTuple):
    """Times of two samples: somewhere between them registers are not what they are at both."""

    begin: float
    end: float
    registers: tuple  # without repetition


class Motion(NamedTuple):
    """Inputs of laws at samples, and between them as cubics."""

    t: np.ndarray
    x: dict  # register: values at the samples
    rate: dict  # register: (values just after each sample but the last, just before each but the first)
    discontinuous: np.ndarray  # bool for each interval: something is discontinuous in it

    def at(self, number, share):
        """{register: values} in these intervals, share: of the interval from its begin."""
        h, found = self.t[number + 1] - self.t[number], {}
        for register, x in self.x.items():
            a, b, (left, right) = x[number], x[number + 1], self.rate[register]
            c, d = h * left[number] - (b - a), (b - a) - h * right[number]
            found[register] = a + share * (b - a) + share * (1 - share) * ((1 - share) * c + share * d)
        return found

    def ranges(self, number, low, high):
        """{register: (low, high)} in these parts of intervals: between the values at both ends and in the middle, and
        beyond by what the curvature makes possible."""
        ends, h, found = (self.at(number, low), self.at(number, high)), self.t[number + 1] - self.t[number], {}
        for register, x in self.x.items():
            (left, right), change = self.rate[register], x[number + 1] - x[number]
            c, d = np.abs(h * left[number] - change), np.abs(change - h * right[number])
            beyond = MARGIN * (high - low) ** 2 / 8.0 * (2.0 * np.maximum(c, d) + 2.0 * (c + d))
            a, b = ends[0][register], ends[1][register]
            found[register] = np.minimum(a, b) - beyond, np.maximum(a, b) + beyond
        return found


def motion(t, x, discontinuous):
    """x: {register: values at the times t}; discontinuous: bool for each interval."""
    return Motion(t, x, {register: rates(t, values, discontinuous) for register, values in x.items()}, discontinuous)


def rates(t, x, discontinuous):
    """At both ends of every interval: of the parabola through three samples, but never across a jump."""
    h, secant = np.diff(t), np.diff(x) / np.diff(t)
    at = np.concatenate([secant[:1], (h[:-1] * secant[1:] + h[1:] * secant[:-1]) / (h[:-1] + h[1:]), secant[-1:]])
    after, before = at[:-1].copy(), at[1:].copy()
    after[1:][discontinuous[:-1]], before[:-1][discontinuous[1:]] = (
        secant[1:][discontinuous[:-1]],
        secant[:-1][discontinuous[1:]],
    )
    after[discontinuous], before[discontinuous] = secant[discontinuous], secant[discontinuous]
    return after, before


class NarrowLaws(TapeRanges):
    """The part of a tape that may be narrow in the state. n_fixed: inputs after t that keep their value during a smooth
    phase; laws, constraints: registers that decide on the motion. Constraints divide by lengths that do not vanish, so
    only what a user gives counts in them.

    terms: summands of these, each of which is looked at by itself; inputs: registers they are computed from."""

    def __init__(self, tape, n_fixed, laws, constraints=()):
        super().__init__(tape, n_fixed)
        self.functions, self.work, self.most_work = [register for register, _ in tape.callbacks], 0, MOST_WORK
        self.terms = self.narrow_terms(laws, self.may_be_narrow)
        self.terms += [x for x in self.narrow_terms(constraints, self.has_given) if x not in self.terms]
        read = {x for term in self.terms for x in self.read(term)}
        n_inputs, constants = len(tape.inputs), range(len(tape.inputs), len(tape.inputs) + len(tape.constants))
        of_functions = range(n_inputs) if self.functions else ()  # a function may read all of them
        self.inputs = sorted({x for x in read if x not in constants} | set(of_functions) | {0})

    def __bool__(self):
        return bool(self.terms)

    def narrow_terms(self, registers, is_narrow):
        """What these are sums of, constant factors left out, as far as it is narrow: beside something large it is seen by
        itself. And sums of several: tanh(x) - tanh(x - 1e-6) is a pulse of two steps."""
        found, waiting, seen = [], [int(x) for x in registers], set()
        while waiting:
            x = waiting.pop()
            if self.kind[x] != OTHER or x in seen:
                continue
            seen.add(x)
            inner = self.is_sum_of(x)
            waiting += inner
            if is_narrow(x) if not inner else sum(self.kind[y] == OTHER and is_narrow(y) for y in inner) > 1:
                found.append(x)
        return found

    def is_sum_of(self, register):
        if register < self.first:
            return []
        line = self.code[register - self.first]
        factors = {op.MUL: (1, 2), op.DIV: (2,)}.get(line[0], ())
        scaled = any(self.kind[line[k]] == FIXED for k in factors)
        return arguments(line) if scaled or line[0] in (op.ADD, op.SUB, op.NEG) else []

    def may_be_narrow(self, register):
        return any(x in self.functions for x in self.read(register)) or any(
            self.is_narrow(self.code[x - self.first]) for x in self.needed(register)
        )

    def has_given(self, register):
        """Whether a function that geometry does not need is among what a register is computed from."""
        lines = [self.code[x - self.first] for x in self.needed(register)]
        return any(line[0] in GIVEN and self.kind[line[1]] == OTHER for line in lines)

    def is_narrow(self, line):
        kinds = [self.kind[x] for x in arguments(line)]
        if line[0] in NARROW:
            return OTHER in kinds
        if line[0] in (op.LESS, op.LESS_EQUAL):
            return any(self.is_curved(x) for x in arguments(line))
        return line[0] in (op.DIV, op.POW) and OTHER in kinds and kinds[1 if line[0] == op.DIV else 0] != FIXED

    def is_curved(self, register):
        """Of the state, and not straight: such a number may dip between two places that a step is looked at in."""
        for x in self.needed(register):
            line = self.code[x - self.first]
            kinds = [self.kind[y] for y in arguments(line)]
            if OTHER in kinds and line[0] in CURVED and not (line[0] == op.MUL and FIXED in kinds):
                return True
        return False

    # ---------------------------------------------------------------- looking through a motion

    @np.errstate(all="ignore")
    def passed_over(self, moved, r, call):
        """The first Feature between the samples of a Motion, or None; and whether all could be decided. r: constants.
        call(register, inputs): values of a Python function."""
        found, decided, number = [], True, np.flatnonzero(~moved.discontinuous)
        values = self.at(self.terms, moved, r, np.arange(len(moved.t)))
        whole = np.zeros(len(number)), np.ones(len(number))
        enclosures = self.over(self.terms, moved, r, number, *whole)
        for term in self.terms:
            found += spikes(moved, values[term], term)
            low, high = bounds(values[term])
            rounding = self.rounding(term, enclosures)
            low, high = low - rounding, high + rounding
            open_ = is_outside(enclosures[term], low[number], high[number])
            parts = divided(number[open_], *(one[open_] for one in whole), PARTS if open_.sum() <= FEW else 2)
            regions, known = self.regions(moved, r, term, low, high, *parts)
            found += [Feature(moved.t[k], moved.t[k + 1], (term,)) for k, *_ in regions]
            decided = decided and known
        for register in self.functions:
            found += self.of_function(moved, register, call)
        return first_of(found), decided

    def rounding(self, term, enclosures):
        """What is nothing beside the largest that a term, or what is added to it, can be in a motion: round-off."""
        ends = np.abs([enclosures[x] for x in (term, *self.is_sum_of(term)) if x in enclosures])
        return ROUND_OFF * ends[np.isfinite(ends)].max(initial=0.0)

    def at(self, registers, moved, r, number, share=None):
        """{register: values} at these samples, or within the intervals that begin there."""
        self.spend(len(number) * len(self.needed(*registers)))
        inputs = moved.x if share is None else moved.at(number, share)
        return self.values(tuple(registers), r, inputs)

    def over(self, registers, moved, r, number, a, b):
        """{register: (low, high)} over parts of intervals."""
        self.spend(3 * len(number) * len(self.needed(*registers)))
        return self.enclosed(tuple(registers), r, moved.ranges(number, a, b))

    def allow(self, evaluations):
        """Let looking through a motion take as long as its evaluations make fitting."""
        self.most_work = MOST_WORK + PER_EVALUATION * evaluations * len(self.needed(*self.terms))

    def spend(self, work):
        self.work += work
        if self.work > self.most_work:
            raise TooMuchWork

    def regions(self, moved, r, term, low, high, number, a, b):
        """(interval, begin, end): parts of these parts of intervals, with a value outside (low, high); and whether all was
        decided."""
        found, most = [], MOST + 2 * len(moved.t)
        shortest = SHORTEST * max(abs(moved.t[0]), abs(moved.t[-1]))
        while len(number):
            open_ = is_outside(self.over((term,), moved, r, number, a, b)[term], low[number], high[number])
            number, a, b = number[open_], a[open_], b[open_]
            ends = [self.at((term,), moved, r, number, share)[term] for share in (a, b)]
            out = np.any([(value < low[number]) | (value > high[number]) for value in ends], axis=0)
            t, h = moved.t[number], moved.t[number + 1] - moved.t[number]
            found += zip(number[out].tolist(), (t + a * h)[out].tolist(), (t + b * h)[out].tolist(), strict=True)
            go_on = ~out & ((b - a) * h > shortest)
            number, a, b = number[go_on], a[go_on], b[go_on]
            if len(number) > most:
                return found, False
            number, a, b = divided(number, a, b, PARTS if len(number) <= FEW else 2)
        return found, True

    def of_function(self, moved, register, call):
        """Python functions cannot be looked into: they are called at a few places more."""
        values, number = moved.x[register], np.flatnonzero(~moved.discontinuous)
        found, t, (low, high) = spikes(moved, values, register), moved.t, bounds(values)
        for k in range(1, CALLS):
            share = np.full(len(number), k / CALLS)
            between = call(register, moved.at(number, share))
            out = (between < low[number]) | (between > high[number])
            found += [Feature(t[i], t[i + 1], (register,)) for i in number[out]]
        return found


def first_of(features):
    """The first Feature, with the registers of all that begin before it ends; or None. What looks like one in a register,
    and is none, may lie beside one in another."""
    first = min(features, default=None, key=lambda one: one.begin)
    if first is None:
        return None
    together = [x for one in features if one.begin < first.end for x in one.registers]
    return Feature(first.begin, first.end, tuple(dict.fromkeys(together)))


def bounds(values):
    """What a law may be from each sample to the next: what it is at both, and a part of what it is nearby."""
    allowed = LESS * nearby(values)
    allowed = np.fmax(allowed[:-1], allowed[1:])
    return np.fmin(values[:-1], values[1:]) - allowed, np.fmax(values[:-1], values[1:]) + allowed


def is_outside(enclosure, low, high):
    return (enclosure[0] < low) | (enclosure[1] > high)


def divided(number, a, b, parts):
    """Each interval in so many equal parts."""
    edges = [a + (b - a) * (k / parts) for k in range(parts + 1)]
    return np.tile(number, parts), np.concatenate(edges[:-1]), np.concatenate(edges[1:])


def nearby(values):
    """The largest size of a number among NEARBY samples to either side."""
    size = np.pad(np.where(np.isfinite(values), np.abs(values), 0.0), NEARBY)
    return np.lib.stride_tricks.sliding_window_view(size, 2 * NEARBY + 1).max(axis=1)


def spikes(moved, values, register):
    """Where values at samples go away and come back within a WINDOW."""
    if len(values) <= WINDOW:
        return []
    windows = np.lib.stride_tricks.sliding_window_view(values, WINDOW + 1)
    allowed = SPIKE * nearby(values)[WINDOW // 2 : -(WINDOW // 2)]
    low, high = np.fmin(windows[:, 0], windows[:, -1]), np.fmax(windows[:, 0], windows[:, -1])
    out = (np.fmin.reduce(windows, axis=1) < low - allowed) | (np.fmax.reduce(windows, axis=1) > high + allowed)
    out &= ~np.lib.stride_tricks.sliding_window_view(moved.discontinuous, WINDOW).any(axis=1)
    t = moved.t
    return [Feature(t[k], t[k + WINDOW], (register,)) for k in np.flatnonzero(out)]
