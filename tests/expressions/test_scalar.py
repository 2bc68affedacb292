"""Every scalar function gives the same answer compiled and plain, real and complex, and on symbols.

Oracles: Python's math module for values, the textbook derivative for the complex step. Both sides round a few times, so
1e-14 relative.
"""

import math

import numba
import numpy as np
import pytest

from mekane.algebra import scalar
from mekane.expressions.graph import evaluate, symbol

H = 1e-30  # complex step: exact to rounding, because h^2 vanishes

# function, math's value, derivative
UNARY = {
    "tan": (scalar.tan, math.tan, lambda x: 1 / math.cos(x) ** 2),
    "asin": (scalar.asin, math.asin, lambda x: 1 / math.sqrt(1 - x * x)),
    "acos": (scalar.acos, math.acos, lambda x: -1 / math.sqrt(1 - x * x)),
    "atan": (scalar.atan, math.atan, lambda x: 1 / (1 + x * x)),
    "sinh": (scalar.sinh, math.sinh, math.cosh),
    "cosh": (scalar.cosh, math.cosh, math.sinh),
    "tanh": (scalar.tanh, math.tanh, lambda x: 1 / math.cosh(x) ** 2),
    "floor": (scalar.floor, math.floor, lambda x: 0.0),
    "absolute": (scalar.absolute, abs, lambda x: math.copysign(1, x)),
    "sign": (scalar.sign, lambda x: math.copysign(1, x), lambda x: 0.0),
}
BINARY = {
    "atan2": (scalar.atan2, math.atan2, lambda y, x: (x / (x * x + y * y), -y / (x * x + y * y))),
    "minimum": (scalar.minimum, min, lambda a, b: (float(a < b), float(b <= a))),
    "maximum": (scalar.maximum, max, lambda a, b: (float(a > b), float(b >= a))),
}


def close(a, b):
    return a == pytest.approx(b, rel=1e-14, abs=1e-300)


@pytest.mark.thinned("x")
@pytest.mark.parametrize("name", UNARY)
@pytest.mark.parametrize("x", [0.3, -0.7, 0.95])
def test_function_of_one_scalar(name, x):
    function, value, derivative = UNARY[name]
    compiled = numba.njit(lambda x: function(x))
    assert close(function(x), value(x)) and close(compiled(x), value(x))
    assert close(evaluate(function(symbol("x")), {"x": x}), value(x))
    for stepped in (
        function(complex(x, H)),
        compiled(complex(x, H)),
        evaluate(function(symbol("x")), {"x": complex(x, H)}),
    ):
        assert close(stepped.real, value(x)) and close(stepped.imag / H, derivative(x))


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.parametrize(("a", "b"), [(0.3, 1.2), (-0.5, -2.0), (2.0, -0.25)])
def test_function_of_two_scalars(name, a, b):
    function, value, derivatives = BINARY[name]
    compiled = numba.njit(lambda a, b: function(a, b))
    assert close(function(a, b), value(a, b)) and close(compiled(a, b), value(a, b))
    for expr in (function(symbol("a"), b), function(a, symbol("b")), function(symbol("a"), symbol("b"))):
        assert close(evaluate(expr, {"a": a, "b": b}), value(a, b))
    for f in (function, compiled):
        assert close(f(complex(a, H), b).imag / H, derivatives(a, b)[0])
        assert close(f(a, complex(b, H)).imag / H, derivatives(a, b)[1])


@pytest.mark.parametrize(("x", "y"), [(2.0, 3.0), (-2.0, 3.0), (0.7, -1.3)])
def test_power_has_exact_derivatives_also_for_negative_bases(x, y):
    compiled = numba.njit(lambda x, y: scalar.power(x, y))
    for f in (scalar.power, compiled):
        assert close(f(x, y), x**y)
        assert close(f(complex(x, H), y).imag / H, y * x ** (y - 1))
        if x > 0:
            assert close(f(x, complex(y, H)).imag / H, math.log(x) * x**y)


def test_power_that_does_not_exist_is_not_a_number():
    with np.errstate(invalid="ignore"):
        assert math.isnan(scalar.power(-2.0, 0.5))
    assert math.isnan(numba.njit(lambda x: scalar.power(x, 0.5))(-2.0))


def test_decisions_look_at_the_real_part():
    compiled = numba.njit(
        lambda a, b: (scalar.less(a, b), scalar.less_equal(a, b), scalar.select(scalar.less(a, b), a, b))
    )
    a, b = complex(1, 5), complex(1, -5)
    assert compiled(a, b) == (False, True, b)
    assert (scalar.less(a, b), scalar.less_equal(a, b), scalar.select(scalar.less(a, b), a, b)) == (False, True, b)


def test_select_mixes_real_and_complex_when_compiled():
    compiled = numba.njit(lambda c, x: scalar.select(c, 0.0, x))
    assert compiled(0.0, 2 + 3j) == 2 + 3j and compiled(1.0, 2 + 3j) == 0 and compiled(1j, 2.0) == 2.0


def test_an_angle_of_nothing_has_a_value_and_no_slope():
    with np.errstate(invalid="ignore"):
        found = scalar.atan2(np.complex128(1e-30j), np.complex128(0.0))
    assert found.real == 0.0 and np.isnan(found.imag)
