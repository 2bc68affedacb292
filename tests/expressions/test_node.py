"""Building expressions: one object per expression, constants folded, numpy and Python numbers welcome."""

import copy
import gc
import math
import operator
import pickle

import numpy as np
import pytest

from mekane.expressions import node as nodes
from mekane.expressions.graph import (
    Expr,
    Untraceable,
    absolute,
    atan2,
    callback,
    evaluate,
    maximum,
    minimum,
    select,
    sign,
    symbol,
)

x, y = symbol("x"), symbol("y")


def test_equal_expressions_are_one_object():
    assert symbol("x") is x
    assert np.sin(x) * y + 2 is np.sin(symbol("x")) * symbol("y") + 2.0
    assert x * y is not y * x  # the order of writing is kept


def test_unused_nodes_are_forgotten():
    before = len(nodes._nodes)
    e = x
    for i in range(1000):
        e = np.cos(e) + i * y
    del e
    gc.collect()
    assert len(nodes._nodes) <= before + 1  # y may be new


# fmt: off
@pytest.mark.parametrize(("built", "simple"), [
    (x + 0, x), (0.0 + x, x), (x - 0, x), (x - x, 0.0), (0 - x, -x), (x - (-y), x + y), (x + (-y), x - y), (-nodes.neg(x), x),
    (x + x, 2 * x), (x * 0, 0.0), (0 * x, 0.0), (x * 1, x), (1 * x, x), (x * -1, -x), (x / 1, x), (x / -1, -x), (0 / x, 0.0), (+x, x),
    (x**0, 1.0), (x**1, x), (x**2, x * x), (x**3, x * x * x), (x**4, (x * x) * (x * x)), (x**-1, 1 / x), (x**0.5, np.sqrt(x)),
    (x < x, 0.0), (x <= x, 1.0), (x == x, 1.0), (x != x, 0.0), (x > y, y < x), (x >= y, y <= x),
    (select(x < y, 3, 3), 3.0), (select(x < y, x, x), x), (select(x < y, 1, 0), x < y), (select(1.0, x, y), x), (select(0, x, y), y),
    (select(~x, 2, y), select(x, y, 2)), (abs(x), absolute(x)),
])  # fmt: on
def test_simplification(built, simple):
    assert built is simple or (isinstance(built, float) and built == simple)


def test_constants_are_python_floats():
    for e in (x - x, x * 0, nodes.node("sin", np.float64(1)), nodes.power(2, 3), nodes.less(1, 2), nodes.neg(0.0)):
        assert type(e) is float
    assert math.copysign(1, nodes.neg(0.0)) == 1  # no negative zeros, so that equal constants are equal
    assert all(type(a) in (float, Expr) for a in (np.int64(3) * (x + np.float32(0.5))).args)


NUMBERS = [2, 2.5, True, np.float64(2.5), np.float32(2.5), np.int64(3), np.bool_(True)]
OPERATORS = ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lt", "le", "gt", "ge", "eq", "ne"]


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("number", NUMBERS, ids=lambda n: f"{type(n).__name__}")
def test_numbers_on_either_side(name, number):
    """Oracle: the same operator on floats. Tolerance: a few roundings."""
    operation = getattr(operator, name)
    for a, b in ((x, number), (number, x)):
        built = operation(a, b)
        assert isinstance(built, Expr) or (name, float(number)) == ("pow", 1.0)
        value = operation(*[1.7 if v is x else float(v) for v in (a, b)])
        assert evaluate(built, {"x": 1.7}) == pytest.approx(float(value), rel=1e-15)


def test_numpy_functions_work_on_symbols_and_on_arrays_of_them():
    names = "sin cos tan arcsin arccos arctan sinh cosh tanh exp log log10 sqrt square floor ceil absolute radians degrees deg2rad rad2deg"
    for name in names.split():
        function = getattr(np, name)
        assert isinstance(function(x), Expr), name
        assert evaluate(function(x), {"x": 0.4}) == pytest.approx(function(0.4), rel=1e-14), name
    array = np.array([x, y], dtype=object)
    assert (array * 2.0)[0] is x * 2.0 and np.sin(array)[1] is np.sin(y) and array.sum() is x + y
    assert (np.array([1.5, 2.5]) * x)[1] is 2.5 * x and (x * np.array([1.5, 2.5]))[1] is x * 2.5
    assert np.hypot(x, 3.0) is np.sqrt(x * x + 9.0) and np.arctan2(x, 3.0) is atan2(x, 3.0)


def test_truth_of_an_expression_is_refused():
    for attempt in (lambda: bool(x), lambda: 1 if x < 1 else 2, lambda: x in (1, 2), lambda: 0 < x < 1, lambda: min(x, 1), lambda: not x):
        with pytest.raises(Untraceable, match="select"):
            attempt()
    for attempt in (lambda: math.sin(x), lambda: float(x), lambda: int(x), lambda: x + 1j, lambda: x + "a", lambda: list(x)):
        with pytest.raises(TypeError):
            attempt()
    assert (x == None) is False and (x != "x") is True  # noqa: E711  (compared with something that is no number)


@pytest.mark.parametrize("a", [-1.5, 0.0, 2.0])
@pytest.mark.parametrize("b", [-2.0, 0.0, 2.0])
def test_choices(a, b):
    values = {"x": a, "y": b}
    expected = [min(a, b), max(a, b), abs(a), float(np.sign(a)), a == b, a != b, bool(a and b), bool(a or b), not a, a < b and b < 1]
    built = [minimum(x, y), maximum(x, y), absolute(x), sign(x), x == y, x != y, x & y, x | y, ~x, (x < y) & (y < 1)]
    assert evaluate(built, values) == [float(v) for v in expected]


def test_copies_and_pickles_are_the_same_node():
    e = np.sin(x) * y**2 + 1
    assert copy.copy(e) is e and copy.deepcopy(e) is e and pickle.loads(pickle.dumps(e)) is e


def test_callback_is_distinguished_by_its_function():
    def f(t):
        return t

    assert callback(f) is callback(f) and callback(f) is not callback(max)
    assert evaluate(callback(f) * x, {"x": 2.0, f: 3.0}) == 6.0
