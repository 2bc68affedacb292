"""Interval arithmetic. Oracle: NumPy's functions at places inside the arguments: every value lies in the enclosure."""

import numpy as np
import pytest

from mekane.expressions import opcodes as op
from mekane.expressions.interval import OPERATIONS, TableRange, enclose
from mekane.expressions.table import Table
from mekane.expressions.tape_ranges import POINTWISE, arguments

NAMES = {number: name for name, number in op.OPCODES.items()}


@pytest.mark.parametrize("opcode", OPERATIONS, ids=NAMES.get)
@pytest.mark.parametrize("scale", [0.1, 1.0, 10.0, 100.0])
def test_values_lie_in_the_enclosure(opcode, scale):
    rng, n = np.random.default_rng(opcode), 2000
    args = []
    for k in range(len(arguments([opcode, 0, 0, 0]))):
        middle, half = rng.normal(size=(2, n)) * scale
        half = np.abs(half) * rng.choice([0.0, 0.01, 1.0], n)
        if opcode == op.POW and k == 1:
            middle, half = np.where(rng.random(n) < 0.5, np.round(middle), middle), 0.0
        args.append((middle - half, middle + half))
    low, high = enclose(opcode, *args)
    with np.errstate(all="ignore"):
        for _ in range(30):
            share = rng.choice([0.0, 1.0, rng.random()], n)
            value = POINTWISE[opcode](*(np.clip(a + (b - a) * share, a, b) for a, b in args))
            assert np.all(np.isnan(value) | ((low <= value) & (value <= high)))


def test_enclosures_are_narrow():
    """Of narrow arguments, to first order: nothing is given away but round-off."""
    x = np.linspace(0.1, 0.9, 50)
    for opcode in (
        op.SIN,
        op.COS,
        op.TAN,
        op.ASIN,
        op.ACOS,
        op.ATAN,
        op.SINH,
        op.COSH,
        op.TANH,
        op.EXP,
        op.LOG,
        op.SQRT,
    ):
        low, high = enclose(opcode, (x, x + 1e-6))
        assert np.all(high - low < 1e-4)
    low, high = enclose(op.MUL, (-x, x), (-x, x), same=True)
    assert np.all(low == 0.0) and high == pytest.approx(x * x)


@pytest.mark.parametrize("kind, order", [("linear", 0), ("linear", 1), ("cubic", 0), ("cubic", 1), ("cubic", 2)])
def test_tables(kind, order):
    """At places as the table itself; over intervals around them, within them. Tolerance: round-off."""
    rng = np.random.default_rng(3)
    table = Table(tuple(np.cumsum(rng.random(50) + 0.01)), tuple(rng.normal(size=50)), kind, order)
    ranges, n = TableRange(table.rows, table.code), 1000
    middle, half = rng.random(n) * 30 - 2, rng.random(n) * rng.choice([0.0, 1e-3, 1.0, 10.0], n)
    low, high = ranges(middle - half, middle + half)
    for _ in range(10):
        x = middle + half * (2 * rng.random(n) - 1)
        value = np.array([table(one) for one in x])
        near = 1e-12 * (1 + np.abs(value))
        assert ranges.at(x) == pytest.approx(value, rel=1e-9, abs=1e-9)
        assert np.all((low - near <= value) & (value <= high + near))
