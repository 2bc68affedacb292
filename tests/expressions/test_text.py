"""Text of an expression reads back to the very same expression."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mekane.expressions import node as nodes
from mekane.expressions.graph import (
    Expr,
    Table,
    atan2,
    callback,
    evaluate,
    maximum,
    select,
    symbol,
    to_text,
    topological,
)
from mekane.expressions.parse import parse

x, y = symbol("x"), symbol("y")


# fmt: off
@pytest.mark.parametrize(("expr", "text"), [
    (x + y - 2, "x + y - 2"), (x - (y - 2), "x - (y - 2)"), (x + (y + 2), "x + (y + 2)"), ((x + y) * 2, "(x + y)*2"), (x * y / 2, "x*y/2"),
    (x / (y * 2), "x/(y*2)"), (-x * y, "-x*y"), (-(x * y), "-(x*y)"), (x * -2.5, "x*-2.5"), (-x - y, "-x - y"), ((-x)**y, "(-x)**y"),
    (x**-y, "x**-y"), (x**(y**1.5), "x**y**1.5"), ((x**y)**1.5, "(x**y)**1.5"), (2.0**x, "2**x"), (np.float64(-2)**x, "(-2)**x"),
    (x < y, "x < y"), ((x < y) <= 1, "(x < y) <= 1"), ((x < y) * 2, "(x < y)*2"), (select(x, y, 2), "y if x else 2"),
    (select(x, select(y, 1, 2), 3), "(1 if y else 2) if x else 3"), (select(x, 3, select(y, 1, 2)), "3 if x else 1 if y else 2"),
    (np.sin(x + 1), "sin(x + 1)"), (atan2(x, 1e-7), "atan2(x, 1e-07)"), (symbol("arm.angle"), "arm.angle"), (x * 1e300, "x*1e+300"),
    (symbol("odd name.angle"), 'state["odd name.angle"]'), (symbol("pi"), 'state["pi"]'), (symbol("sin"), 'state["sin"]'),
    (symbol("a.if"), 'state["a.if"]'), (symbol("ﬁ"), 'state["\\ufb01"]'), (symbol("__x"), 'state["__x"]'), (symbol(""), 'state[""]'),
    (Table((0, 1), (2, -3))(x), "table(x, (0, 2), (1, -3))"), (Table((0, 1), (2, 3), "cubic", 1)(x), "spline(x, (0, 2), (1, 3), order=1)"),
    (3.0, "3"), (-0.1, "-0.1"),
])  # fmt: on
def test_text_is_lean_and_reads_back(expr, text):
    assert to_text(expr) == text
    assert parse(text) is expr or parse(text) == expr == float(expr)


def test_callback_is_shown_by_name():
    assert to_text(callback(math.sin) * 2) == "<sin>*2"


numbers = st.one_of(st.integers(-5, 5).map(float), st.floats(-1e6, 1e6))
names = st.sampled_from(["x", "y", "arm.angle.rate", "odd name", "e", "θ"])
UNARY = [np.negative, np.abs, *(lambda a, op=op: nodes.node(op, a) for op in ("sin", "atan", "tanh", "exp", "floor", "sqrt", "log"))]
BINARY = [nodes.add, nodes.sub, nodes.mul, nodes.div, nodes.power, nodes.less, nodes.less_equal, nodes.remainder, atan2, maximum]


def grow(parts):
    return st.one_of(
        st.builds(lambda f, a: f(a), st.sampled_from(UNARY), parts),
        st.builds(lambda f, a, b: nodes.scalar(f(a, b)), st.sampled_from(BINARY), parts, parts),
        st.builds(nodes.select, parts, parts, parts),
        st.builds(lambda a: Table((0, 1, 3), (1, -1, 0.5))(a), parts),
    )


expressions = st.recursive(names.map(symbol), lambda parts: grow(st.one_of(parts, numbers)), max_leaves=12)


def is_readable(expr):
    """Text holds finite numbers only, and no division by the number zero."""
    constants = [a for node in topological([expr]) for a in node.args if isinstance(a, float)]
    zero_divisors = [node for node in topological([expr]) if node.op == "div" and isinstance(node.args[1], float) and node.args[1] == 0]
    return all(map(math.isfinite, constants)) and not zero_divisors


@settings(max_examples=300, deadline=None)
@given(expressions, numbers, numbers)
def test_round_trip(expr, a, b):
    assume(isinstance(expr, Expr) and is_readable(expr) and len(to_text(expr)) <= 10_000)
    again = parse(to_text(expr))
    assert again is expr
    values = {"x": a, "y": b, "arm.angle.rate": 0.5, "odd name": -2.0, "e": 3.0, "θ": 1.0}
    assert np.array_equal(evaluate(again, values), evaluate(expr, values), equal_nan=True)
