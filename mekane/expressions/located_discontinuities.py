"""Expressions in which comparisons say where a value jumps: floors, and angles of atan2 that change by a whole turn. What
lies between two of them can then be gone on with beyond them, as a frozen comparison does, and the discontinuity be located.

    ⌊x⌋ = ⌊x + ¼⌋ in the first half of [n, n + 1), ⌊x − ¼⌋ in the second      neither jumps near an end of its half
    angle of (x, y) = that of (−x, −y) ± π where x < 0                        which jumps where x > 0 alone
"""

from contextlib import contextmanager
from contextvars import ContextVar

import numpy as np

from mekane.expressions.node import Expr, compute, node
from mekane.expressions.traversal import topological

_wanted = ContextVar("located_discontinuities", default=False)


@contextmanager
def located_discontinuities():
    """Models that are compiled meanwhile have comparisons for their discontinuities."""
    token = _wanted.set(True)
    try:
        yield
    finally:
        _wanted.reset(token)


def are_wanted():
    """Whether models are compiled like that now."""
    return _wanted.get()


def with_comparisons(exprs):
    """The expressions as they are, or, if wanted, with comparisons for their discontinuities."""
    if not are_wanted():
        return exprs
    known = {}
    for one in topological(exprs):
        args = [known.get(x, x) if isinstance(x, Expr) else x for x in one.args]
        if one.op in DISCONTINUOUS:
            known[one] = DISCONTINUOUS[one.op](*args)
        else:
            known[one] = one if not args else compute(one.op, args, one.data)
    return [known[x] if isinstance(x, Expr) else x for x in exprs]


def floor(x):
    if not isinstance(x, Expr):
        return node("floor", x)
    past = x - node("floor", x + 0.5)  # the nearest integer: exactly zero there
    second_half = node("less", node("sin", 2 * np.pi * past), 0.0)  # continuous, also from one half to the other
    return node("select", second_half, node("floor", x - 0.25), node("floor", x + 0.25))


def atan2(y, x):
    if not (isinstance(x, Expr) or isinstance(y, Expr)):
        return node("atan2", y, x)
    turn = node("select", node("less", y, 0.0), -np.pi, np.pi)
    return node("select", node("less", x, 0.0), node("atan2", -y, -x) + turn, node("atan2", y, x))


DISCONTINUOUS = {"floor": floor, "atan2": atan2}
