"""Derivatives are exact. Oracle: complex step through the same expression (exact to rounding), relative 1e-13 for a few
dozen roundings."""

import numpy as np
import pytest

from mekane.expressions.graph import differentiate, evaluate, jacobian, symbol
from mekane.expressions.parse import parse

H = 1e-30
x, y = symbol("x"), symbol("y")

EXPRESSIONS = """
x + y*x - x/y; y/x; -x; 3 - x; x**2; x**7; x**-3; x**2.5; y**x; x**y; 2**x; sqrt(x)
sin(x*y); cos(x/y); tan(x); asin(x/3); acos(x/3); atan(x*y); atan2(x, y); atan2(y, x); atan2(2, x); atan2(x, 2); sinh(x); cosh(x); tanh(x)
exp(-x*y); log(x); log10(x*y); hypot(x, y); abs(x - 2); abs(x - 0.1); sign(x)*x; floor(3*x)*x; ceil(x)*x; min(x, y)*x; max(x, y)*y
x*x if x < y else sin(x); x if y < x else 1/x; (x < 1)*x; step(x)*x**2; x % 0.3; degrees(x)*radians(y); x*y if x < 1 and y > 0 else 0
table(x*y, (0, 1), (0.5, 3), (2, -1)); spline(x, (0, 1), (0.5, 3), (2, -1), (3, 5)); spline(x + y, (0, 1), (0.1, 3))
exp(sin(x)**2/(1 + y*x))
""".replace("\n", ";").split(";")


@pytest.mark.parametrize("text", [t.strip() for t in EXPRESSIONS if t.strip()])
@pytest.mark.parametrize("point", [{"x": 0.7, "y": 1.3}, {"x": 1.9, "y": 0.4}])
def test_against_complex_step(text, point):
    expr = parse(text)
    for s in (x, y):
        step = evaluate(expr, point | {s.name: point[s.name] + H * 1j})
        assert evaluate(differentiate(expr, s), point) == pytest.approx(step.imag / H, rel=1e-13, abs=1e-15)


@pytest.mark.parametrize("text", [t.strip() for t in EXPRESSIONS if t.strip()])
def test_all_at_once_as_one_by_one(text):
    """Oracle: differentiate. Relative 1e-13: a few dozen roundings."""
    expr, point = parse(text), {"x": 0.7, "y": 1.3}
    forward = [evaluate(differentiate(expr, s), point) for s in (x, y)]
    assert evaluate(jacobian([expr], [x, y])[0], point) == pytest.approx(forward, rel=1e-13, abs=1e-15)
    assert evaluate(jacobian([expr], [y])[0], point) == pytest.approx(forward[1:], rel=1e-13, abs=1e-15)


def test_second_derivatives_of_tables_against_complex_step():
    for text in ("spline(x, (0, 1), (0.5, 3), (2, -1), (3, 5))", "table(x*x, (0, 1), (0.5, 3), (2, -1))"):
        derivative = differentiate(parse(text), x)
        step = evaluate(derivative, {"x": 0.8 + H * 1j})
        assert evaluate(differentiate(derivative, x), {"x": 0.8}) == pytest.approx(step.imag / H, rel=1e-13)


def test_simple_results_are_simple():
    assert differentiate(x * x, x) is 2 * x
    assert differentiate(3 * x + y, x) == 3.0 and differentiate(y, x) == 0.0 and differentiate(4.0, x) == 0.0
    assert differentiate(np.floor(x) + (x < y), x) == 0.0
    assert differentiate(parse("table(x, (0, 0), (1, 2))"), x).data.derivative() == 0.0


def test_any_node_may_be_the_variable():
    s = np.sin(x)
    assert differentiate(s * s * y, s) is y * (2 * s)
    by_sine, by_angle = jacobian([s * s * y + x], [s, x])[0]  # what lies below a variable does not matter
    assert evaluate(by_sine, {"x": 0.3, "y": 2.0}) == pytest.approx(4.0 * np.sin(0.3)) and by_angle == 1.0


def test_jacobians_of_numbers_and_of_the_symbols_themselves():
    assert jacobian([3.0, y], [x, y]) == [[0.0, 0.0], [0.0, 1.0]] and jacobian([x], []) == [[]]


def test_branch_not_taken_may_be_infinite():
    expr = parse("3*(sqrt(x) if x > 0 else 0)")
    for derivative in (differentiate(expr, x), *jacobian([expr], [x])[0]):
        assert evaluate(derivative, {"x": -1.0}) == 0.0


@pytest.mark.parametrize("x", [0.3, 8.0, -12.0, 25.0])
def test_slope_of_tanh_keeps_its_digits(x):
    """Oracle: 1/cosh² by NumPy. Where tanh is 1 to round-off, 1 − tanh² is no derivative; two roundings and those of cosh
    are allowed."""
    assert evaluate([differentiate(parse("tanh(x)"), symbol("x"))], {"x": x})[0] == pytest.approx(
        np.cosh(x) ** -2, rel=1e-15, abs=0
    )
