"""Interval arithmetic on the operations of expressions, on many intervals at once: from where the arguments are to
where the result is.

An interval is a pair of arrays (low, high). Results enclose all values, round-off included; where a function has none,
they are unbounded (−inf, inf).
"""

import numpy as np

from mekane.expressions import opcodes as op

SLACK = 4e-16  # relative, of every operation
# of numbers, not intervals, these are rounded as on the tape: so a whole number stays one for a floor to read
ROUNDED_THE_SAME = {op.ADD: np.add, op.SUB: np.subtract, op.MUL: np.multiply, op.DIV: np.divide, op.NEG: np.negative}
ROTATION = 2.0 * np.pi


def enclose(opcode, *args, same=False):
    """The interval of op(*args). same: both arguments are the same number, so a product is a square."""
    with np.errstate(all="ignore"):
        if opcode == op.MUL and same:
            found = square(*args[0])
        else:
            found = OPERATIONS[opcode](*args)
        if opcode == op.FLOOR:
            return nan_unbounded(*found)
        low, high = widened(*found)
        if opcode not in ROUNDED_THE_SAME:
            return low, high
        points = np.all([a[0] == a[1] for a in args], axis=0)
        value = ROUNDED_THE_SAME[opcode](*(a[0] for a in args))
        points &= np.isfinite(value)
        return np.where(points, value, low), np.where(points, value, high)


def nan_unbounded(low, high):
    return np.where(np.isnan(low), -np.inf, low), np.where(np.isnan(high), np.inf, high)


def widened(low, high, size=0.0):
    """Outwards by round-off of the ends, or of numbers of this size that they are sums of; what is no number is unbounded."""
    low, high = nan_unbounded(low, high)
    return low - np.where(np.isfinite(low), SLACK * np.maximum(np.abs(low), size), 0.0), high + np.where(
        np.isfinite(high), SLACK * np.maximum(np.abs(high), size), 0.0
    )


def add(a, b):
    return a[0] + b[0], a[1] + b[1]


def subtract(a, b):
    return a[0] - b[1], a[1] - b[0]


def negate(a):
    return -a[1], -a[0]


def square(low, high):
    ends = low * low, high * high
    return np.where((low <= 0) & (high >= 0), 0.0, np.minimum(*ends)), np.maximum(*ends)


def multiply(a, b):
    products = np.stack(np.broadcast_arrays(*(x * y for x in a for y in b)))
    products = np.where(np.isnan(products), 0.0, products)  # 0 · inf: the end belongs to a number that is zero
    return products.min(axis=0), products.max(axis=0)


def divide(a, b):
    low, high = multiply(a, (1.0 / b[1], 1.0 / b[0]))
    through_zero = (b[0] <= 0) & (b[1] >= 0)
    return np.where(through_zero, -np.inf, low), np.where(through_zero, np.inf, high)


def rising(function, lowest=-np.inf, highest=np.inf):
    """Of a function that rises, between the ends of its domain."""
    return lambda a: (function(np.clip(a[0], lowest, highest)), function(np.clip(a[1], lowest, highest)))


def falling(function, lowest, highest):
    return lambda a: (function(np.clip(a[1], lowest, highest)), function(np.clip(a[0], lowest, highest)))


def wave(highest_at):
    """Of sin or cos, whose maxima are at highest_at + 2π k."""

    def enclosed(a):
        low, high = a
        function = lambda x: np.cos(x - highest_at) if highest_at == 0.0 else np.sin(x)
        ends = function(low), function(high)
        reaches = lambda at: np.floor((high - at) / ROTATION + 1e-12) >= np.ceil((low - at) / ROTATION - 1e-12)
        top = np.where(reaches(highest_at), 1.0, np.maximum(*ends))
        bottom = np.where(reaches(highest_at + np.pi), -1.0, np.minimum(*ends))
        known = np.isfinite(low) & np.isfinite(high) & (np.maximum(np.abs(low), np.abs(high)) < 1e12)
        return np.where(known, bottom, -1.0), np.where(known, top, 1.0)

    return enclosed


def tangent(a):
    branch = lambda x: np.floor(x / np.pi + 0.5)
    one = (branch(a[0]) == branch(a[1])) & (np.abs(a[1]) < 1e12)
    return np.where(one, np.tan(a[0]), -np.inf), np.where(one, np.tan(a[1]), np.inf)


def hyperbolic_cosine(a):
    ends = np.cosh(a[0]), np.cosh(a[1])
    return np.where((a[0] <= 0) & (a[1] >= 0), 1.0, np.minimum(*ends)), np.maximum(*ends)


def power(a, b):
    """Of a base that is not negative exp(b log a); of any base where the exponent is one whole number."""
    base = np.maximum(a[0], 0.0), np.maximum(a[1], 0.0)
    low, high = OPERATIONS[op.EXP](multiply(b, (np.log(base[0]), np.log(base[1]))))
    low, high = np.where(np.isnan(low), 0.0, low) * (1 - 1e-12), high * (1 + 1e-12)
    negative = (a[0] < 0) & (b[0] == b[1]) & (b[0] == np.floor(b[0]))
    size = np.maximum(np.abs(a[0]), np.abs(a[1])) ** b[1]
    size = np.where(b[0] < 0, np.inf, size)
    return np.where(negative, -size, low), np.where(negative, size, high)


def angle(y, x):
    """Of a box in one half plane by the slope of its points, to the right, above or below; of another one any."""
    slope, inverse = rising(np.arctan)(divide(y, x)), rising(np.arctan)(divide(x, y))
    low, high = np.full_like(slope[0], -np.pi), np.full_like(slope[0], np.pi)
    for where, a, b in (
        (y[0] > 0, *widened(0.5 * np.pi - inverse[1], 0.5 * np.pi - inverse[0], ROTATION)),
        (y[1] < 0, *widened(-0.5 * np.pi - inverse[1], -0.5 * np.pi - inverse[0], ROTATION)),
        (x[0] > 0, *slope),
    ):
        low, high = np.where(where, a, low), np.where(where, b, high)
    return low, high


def less(a, b):
    """1 where it surely holds, 0 where it surely does not, (0, 1) where both may be."""
    return np.where(a[1] < b[0], 1.0, 0.0), np.where(a[0] >= b[1], 0.0, 1.0)


def less_equal(a, b):
    return np.where(a[1] <= b[0], 1.0, 0.0), np.where(a[0] > b[1], 0.0, 1.0)


def select(condition, yes, no):
    true, false = (condition[0] > 0) | (condition[1] < 0), (condition[0] == 0) & (condition[1] == 0)
    low = np.where(true, yes[0], np.where(false, no[0], np.minimum(yes[0], no[0])))
    return low, np.where(true, yes[1], np.where(false, no[1], np.maximum(yes[1], no[1])))


OPERATIONS = {
    op.ADD: add, op.SUB: subtract, op.MUL: multiply, op.DIV: divide, op.NEG: negate, op.POW: power,
    op.SIN: wave(np.pi / 2), op.COS: wave(0.0), op.TAN: tangent,
    op.ASIN: rising(np.arcsin, -1, 1), op.ACOS: falling(np.arccos, -1, 1), op.ATAN: rising(np.arctan), op.ATAN2: angle,
    op.SINH: rising(np.sinh), op.COSH: hyperbolic_cosine, op.TANH: rising(np.tanh),
    op.EXP: rising(np.exp), op.LOG: rising(np.log, 0.0), op.SQRT: rising(np.sqrt, 0.0), op.FLOOR: rising(np.floor),
    op.LESS: less, op.LESS_EQUAL: less_equal, op.SELECT: select,
}  # fmt: skip


class TableRange:
    """Where a table (rows as in `table.Table.rows`) is, at places and over intervals: bounds of its pieces, in runs of
    1, 2, 4 … pieces."""

    def __init__(self, rows, code):
        self.x, inner = np.real(rows[:, 0]).astype(float), np.real(rows[:-1, 2:6]).astype(float)
        ends = np.real(rows[[0, -1], 1]).astype(float) if code < 2 else np.zeros(2)
        outer = np.zeros((2, 4))
        outer[:, 0] = ends
        self.coefficients = np.concatenate([outer[:1], inner, outer[1:]]).T
        self.origin = np.concatenate([self.x[:1], self.x[:-1], self.x[-1:]])
        c = inner.T * np.diff(self.x) ** np.arange(4)[:, None]  # over the piece from 0 to 1
        # Bernstein: the curve is among them
        control = np.stack([c[0], c[0] + c[1] / 3, c[0] + (2 * c[1] + c[2]) / 3, c.sum(axis=0)])
        low, high = (np.concatenate([ends[:1], x, ends[1:]]) for x in (control.min(axis=0), control.max(axis=0)))
        self.runs = [(low, high)]  # piece 0 lies before the first point, the last one after the last
        while 2 ** len(self.runs) <= len(low):
            low, high, half = *self.runs[-1], 2 ** (len(self.runs) - 1)
            self.runs.append((np.minimum(low[:-half], low[half:]), np.maximum(high[:-half], high[half:])))

    def __call__(self, low, high):
        first, last = np.searchsorted(self.x, low, "right"), np.searchsorted(self.x, high, "left")
        last = np.maximum(first, last)
        level = np.floor(np.log2(last - first + 1)).astype(int)
        found = np.empty_like(low), np.empty_like(low)
        for k in np.unique(level):
            at, (bottom, top) = level == k, self.runs[k]
            a, b = first[at], last[at] + 1 - 2**k
            found[0][at], found[1][at] = np.minimum(bottom[a], bottom[b]), np.maximum(top[a], top[b])
        inside = self.within(low, high, first)
        one = first == last
        return np.where(one, np.maximum(found[0], inside[0]), found[0]), np.where(
            one, np.minimum(found[1], inside[1]), found[1]
        )

    def within(self, low, high, piece):
        """Over intervals that lie in one piece each."""
        d, c = (low - self.origin[piece], high - self.origin[piece]), self.coefficients[:, piece]
        found = c[3], c[3]
        for k in (2, 1, 0):
            found = widened(*add(multiply(d, found), (c[k], c[k])))
        return found

    def at(self, x):
        piece = np.searchsorted(self.x, x, "right")
        return np.polynomial.polynomial.polyval(x - self.origin[piece], self.coefficients[:, piece], tensor=False)
