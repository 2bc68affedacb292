"""Laws of time alone, analysed before a run: their events, and where they change faster than the steps that lead there.

A step that ends before a short pulse and begins again after it never sees it. What depends on nothing but the time and
parameters is known beforehand: the tape is run on intervals of time (`interval`), which are halved where a result is
not yet known well enough.

    events      comparisons and floors: halved until the instants are neighbouring floats
    structure   smooth results: halved until each varies by a fraction of its range; where intervals become much shorter
    than their
                neighbours there is structure, and a step shall end there
"""

from typing import NamedTuple

import numpy as np

from mekane.expressions import opcodes as op
from mekane.expressions.tape_ranges import OF_TIME, OTHER, TapeRanges, arguments

PIECES = 64  # to begin with
PARTS, FEW = 16, 64  # into which up to so many intervals under way are divided: that many at once cost as much as one
MOST, MOST_EVENTS = 6000, 200_000  # intervals under way at a time
LEVELS = 70
SHORTEST = 1e-16  # interval, as a share of the time analysed
FINE = 0.25  # of its range a result may vary in an interval
NOTHING = 1e-9  # of the largest size of a result: no structure
CLASS = 3  # intervals less than 2³ times shorter than those before are no reason to stop
ARITHMETIC = (op.ADD, op.SUB, op.NEG)
KEPT = 32  # analyses, the last ones of all models: what they found
ANALYSED = {}


class Found(NamedTuple):
    """What is known of the time from begin to end."""

    event_times: np.ndarray  # sorted instants at which steps shall end
    watched: np.ndarray  # bool for each comparison: its changes are not among the stops
    notes: list  # what could not be resolved, as text
    changes: np.ndarray = np.zeros(0)  # sorted: those of event_times at which a comparison changes sides


class TimeLaws(TapeRanges):
    """The part of a tape that depends on time alone. n_fixed: the inputs after t that keep their value during a run
    (parameters)."""

    def __init__(self, tape, n_fixed):
        super().__init__(tape, n_fixed)
        kind = self.kind
        self.comparisons = [k for k, register in enumerate(tape.event_registers) if kind[register] == OF_TIME]
        self.floors = [line[1] for line in self.code if line[0] == op.FLOOR and kind[line[1]] == OF_TIME]
        self.results = self.terms(self.shown())
        everything = {*(tape.event_registers[k] for k in self.comparisons), *self.floors, *self.results}
        self.parameters = sorted({x for one in everything for x in self.read(one) if 1 <= x <= n_fixed})
        self.known = None

    def __bool__(self):
        """Whether there is anything to look through before a run."""
        return bool(self.comparisons or self.floors or self.results)

    def shown(self):
        """Registers of time that others read, or that are results themselves."""
        read = [x for k, line in enumerate(self.code) if self.kind[self.first + k] == OTHER for x in arguments(line)]
        return [
            x
            for x in dict.fromkeys([*read, *self.tape.outputs.tolist()])
            if x >= self.first and self.kind[x] == OF_TIME
        ]

    def terms(self, registers):
        """The summands of these, each of which is analysed by itself: a short pulse beside a long wave."""
        found, waiting = [], list(registers)
        while waiting:
            x = waiting.pop()
            if x < self.first or self.kind[x] != OF_TIME:
                continue
            line = self.code[x - self.first]
            if line[0] in ARITHMETIC:
                waiting += arguments(line)
            elif x not in found:
                found.append(x)
        return found

    def over(self, register, r, low, high, frozen=False):
        """Where a register is over intervals. frozen: comparisons and floors as they are in the middle of each."""
        return self.enclosed((register,), r, {0: (low, high)}, {0: 0.5 * (low + high)} if frozen else None)[register]

    def at(self, register, r, t):
        """{register: values} of all that a register needs, at instants."""
        return self.values((register,), r, {0: t})

    # ---------------------------------------------------------------- results for a run

    def between(self, r, begin, end, ahead=1.0):
        """Found from begin to end, with the parameters in the registers r. What was found before is kept; ahead:
        so many times further is analysed at once, for those who will go on from there."""
        if not (self.comparisons or self.floors or self.results):
            return Found(np.zeros(0), ~np.array(self.tape.event_is_time, bool), [])
        r = np.real(r)
        fixed = r[self.parameters].tolist()
        if self.known is None or self.known[0] != fixed or not (self.known[1] <= begin and end <= self.known[2]):
            further = begin + ahead * (end - begin)
            self.known = fixed, begin, further, self.analysed(r, begin, further)
        return self.known[3]

    def analysed(self, r, begin, end):
        """`analyse`, or what it has found for the same laws before: runs are repeated, with other initial states, other masses."""
        key = begin, end, *self.contents(r)
        if key not in ANALYSED:
            ANALYSED[key] = self.analyse(r, begin, end)
            for old in list(ANALYSED)[:-KEPT]:
                ANALYSED.pop(old, None)
        return ANALYSED[key]

    def contents(self, r):
        """All that `analyse` reads besides the time, as plain data."""
        tape, compared = self.tape, [int(self.tape.event_registers[k]) for k in self.comparisons]
        lines = [(x, *self.code[x - self.first]) for x in self.needed(*self.results, *self.floors, *compared)]
        read = sorted({y for _, *line in lines for y in arguments(line) if 0 < y < self.first})
        tables = [tape.table_i[number].tolist() for _, code, _, number, _ in lines if code == op.TABLE]
        return (
            tuple(lines), tuple(read), r[read].tobytes(), tuple(map(tuple, tables)), *(tape.table_f[a:b].tobytes() for a, b, _ in tables),
            tuple(self.results), tuple(self.floors), tuple(self.comparisons), tuple(compared),
            tuple(self.code[tape.comparisons[k]][0] for k in self.comparisons), tuple(tape.event_is_time),
            tape.event_times(np.finfo(float).max).tobytes(),
        )  # fmt: skip

    @np.errstate(all="ignore")  # a law without a finite value here and there is nothing to warn of
    def analyse(self, r, begin, end):
        watched = ~np.array(self.tape.event_is_time, bool)
        event_times, changes, notes = [], [], []
        for k in self.comparisons:
            if watched[k]:
                left_less = self.code[self.tape.comparisons[k]][0] == op.LESS
                found = self.changes(self.tape.event_registers[k], r, begin, end, holds if left_less else holds_equal)
                if found is None:
                    notes.append(
                        "a comparison of time alone changes too often to find every instant beforehand: give step=, the largest step"
                    )
                else:
                    watched[k] = False
                    changes += [after for _, after in found]
        event_times += changes
        for register in self.floors:
            found = self.changes(register, r, begin, end, np.floor) or []
            # not frozen in a step: none shall begin before and end after it
            event_times += [x for pair in found for x in pair]
        for register in self.results:
            found = self.structure(register, r, begin, end, event_times)
            if found is None:
                notes.append(
                    "a law of time alone changes too fast in too many places to see them all: give step=, the largest step"
                )
            else:
                event_times += found
        instants, changes = (np.unique(np.array(found, float)) for found in (event_times, changes))
        return Found(instants, watched, list(dict.fromkeys(notes)), changes)

    def changes(self, register, r, begin, end, decide):
        """Neighbouring floats between which decide(register) changes; None if too many. decide: rises or falls with its
        argument."""
        edges = np.linspace(begin, end, PIECES + 1)
        low, high, last = edges[:-1], edges[1:], []
        for _ in range(LEVELS):
            a, b = self.over(register, r, low, high)
            open_ = decide(a) != decide(b)
            low, high = low[open_], high[open_]
            spacing = np.spacing(np.maximum(np.abs(low), np.abs(high)))
            shortest = high - low <= np.maximum(64.0 * spacing, SHORTEST * (end - begin))  # near 0 floats are dense
            last += list(zip(low[shortest], high[shortest], strict=True))
            low, high = low[~shortest], high[~shortest]
            if max(len(low), len(last)) > MOST_EVENTS:
                return None
            if not len(low):
                break
            low, high = divided(low, high, PARTS if len(low) <= FEW else 2)
        else:
            return None
        return self.bisect(register, r, merged(sorted(last)), decide)

    def bisect(self, register, r, brackets, decide):
        """The neighbouring floats between which it changes, in those of the brackets where it does; nearly so next to
        zero."""
        low, high = np.array(brackets, float).reshape(-1, 2).T
        low, high = low - 8.0 * np.spacing(np.abs(low)), high + 8.0 * np.spacing(np.abs(high))
        side = lambda t: decide(self.at(register, r, t)[register])
        before = side(low)
        changed = side(high) != before
        low, high, before = low[changed], high[changed], before[changed]
        for _ in range(LEVELS):
            middle = 0.5 * (low + high)
            if not ((low < middle) & (middle < high)).any():
                break
            same = side(middle) == before
            low, high = np.where(same, middle, low), np.where(same, high, middle)
        return list(zip(low.tolist(), high.tolist(), strict=True))

    def structure(self, register, r, begin, end, event_times):
        """Instants where intervals that resolve a result become much shorter or longer; None if there are too many."""
        inner = np.array([*event_times, *self.tape.event_times(np.finfo(float).max)])
        edges = np.unique(np.concatenate([np.linspace(begin, end, PIECES + 1), inner[(begin < inner) & (inner < end)]]))
        low, high, done, many = edges[:-1], edges[1:], [], max(MOST, 4 * len(edges))
        least, most, level = np.inf, -np.inf, 0
        while len(low) and level < LEVELS:
            a, b = self.over(register, r, low, high, frozen=True)
            values = self.at(register, r, np.concatenate([low, 0.5 * (low + high)]))[register]
            values = values[np.isfinite(values)]
            least, most = min(least, values.min(initial=np.inf)), max(most, values.max(initial=-np.inf))
            largest = max(
                abs(least),
                abs(most),
                np.abs(np.concatenate([a, b])[np.isfinite(np.concatenate([a, b]))]).max(initial=0.0),
            )
            coarse = (
                (b - a > FINE * (most - least))
                & (b - a > NOTHING * largest)
                & (high - low > 1e-13 * max(abs(begin), abs(end)))
            )
            done += [(begin, level) for begin in low[~coarse].tolist()]
            low, high = low[coarse], high[coarse]
            if len(low) > many:
                return None if (high - low).sum() < 0.25 * (end - begin) else []  # everywhere: no step can miss it
            middle = 0.5 * (low + high)
            low, high, level = np.concatenate([low, middle]), np.concatenate([middle, high]), level + 1
        return borders(sorted(done))


def displaced(event_times, changes, spacings):
    """event_times, but those of them at which comparisons change moved by so many spacings of floats, by turns later and earlier:
    a pulse becomes longer or shorter by what cannot be known better."""
    changes = np.unique(changes)
    moved = changes + spacings * np.spacing(np.abs(changes)) * (1.0 - 2.0 * (np.arange(len(changes)) % 2))
    return np.unique(np.concatenate([np.setdiff1d(event_times, changes), moved]))


def borders(pieces):
    """Where pieces begin that were halved more or less often than those since the last such place. pieces: (begin, how
    often); one that is short because it ends at an event is no structure."""
    found, known = [], None
    for low, level in pieces:
        if known is not None and abs(level - known) >= CLASS:
            found.append(low)
        if known is None or abs(level - known) >= CLASS:
            known = level
    return found


def holds(difference):
    return difference < 0.0


def holds_equal(difference):
    return difference <= 0.0


def divided(low, high, parts):
    """Each interval in so many equal parts."""
    edges = low + (high - low) * (np.arange(1, parts)[:, None] / parts)
    return np.concatenate([low, edges.ravel()]), np.concatenate([edges.ravel(), high])


def merged(intervals):
    """Neighbours joined."""
    found = []
    for low, high in intervals:
        if found and low <= found[-1][1]:
            found[-1] = found[-1][0], max(high, found[-1][1])
        else:
            found.append((low, high))
    return found
