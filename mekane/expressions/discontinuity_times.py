"""Instants at which expressions of time, or their slopes, are discontinuous; known exactly beforehand.

A line in time is a pair (slope, start) of rational numbers, slope * t + start; so `t/3 >= 1` changes at 3 and not near
it.
"""

import math
from fractions import Fraction

from mekane.algebra.scalar import real
from mekane.expressions.node import Expr
from mekane.expressions.opcodes import COMPARISONS

TIME = "t"

ARITHMETIC = {  # op -> the line that comes of lines p, q; None if it is not one
    "add": lambda p, q: (p[0] + q[0], p[1] + q[1]),
    "sub": lambda p, q: (p[0] - q[0], p[1] - q[1]),
    "neg": lambda p: (-p[0], -p[1]),
    "mul": lambda p, q: (p[0] * q[1] + q[0] * p[1], p[1] * q[1]) if p[0] == 0 or q[0] == 0 else None,
    "div": lambda p, q: (p[0] / q[1], p[1] / q[1]) if q[0] == 0 and q[1] != 0 else None,
}


def lines_in_time(nodes):
    """{node: line} for each of some nodes (in topological order) that is a line in time."""
    lines = {}
    for node in nodes:
        if node.op == "input" and node.name == TIME:
            lines[node] = Fraction(1), Fraction(0)
        elif node.op in ARITHMETIC and all(_is_line(x, lines) for x in node.args):
            line = ARITHMETIC[node.op](*[_line(x, lines) for x in node.args])
            if line is not None:
                lines[node] = line
    return lines


def event_time(comparison, lines):
    """The one instant at which a comparison changes; None if that is not known beforehand."""
    if not all(_is_line(x, lines) for x in comparison.args):
        return None
    (a, b), (c, d) = (_line(x, lines) for x in comparison.args)
    return _instant(a - c, b - d)


def event_sizes(nodes, lines):
    """{instant: size}, sorted: where a comparison changes (inf), or a table has a slope discontinuity
    (Table.slope_discontinuity_sizes)."""
    sizes = {event_time(node, lines): math.inf for node in nodes if node.op in COMPARISONS}
    for node in nodes:
        if node.op == "table" and node.args[0] in lines:
            for t, size in zip(
                _slope_discontinuity_times(node.data, *lines[node.args[0]]),
                node.data.slope_discontinuity_sizes().tolist(),
                strict=True,
            ):
                sizes[t] = max(size, sizes.get(t, 0.0))
    sizes.pop(None, None)
    return dict(sorted(sizes.items()))


def _slope_discontinuity_times(table, slope, start):
    """Where a table of slope * t + start has its slope discontinuities."""
    points = map(real, table.slope_discontinuities())
    return points if (slope, start) == (1, 0) else (_instant(slope, start - Fraction(x)) for x in points)


def _instant(slope, start):
    """Where slope * t + start is zero; None if nowhere that a float could name."""
    try:
        return float(-start / slope)
    except (ZeroDivisionError, OverflowError):
        return None


def _is_line(x, lines):
    return x in lines if isinstance(x, Expr) else math.isfinite(real(x))


def _line(x, lines):
    return lines[x] if isinstance(x, Expr) else (Fraction(0), Fraction(real(x)))
