"""Functions of scalars that mean the same on a float, a complex number, a dual number (compiled) and an expression.

A complex number stands for `value + i h derivative` with a tiny h (complex step). So whatever decides looks at the real
part only (`less`, `select`, `floor`), and a function with branch cuts is carried along by its derivative: f(x + i h) =
f(x) + i h f'(x). An expression answers through its own methods (`select`, `arctan2`, `tan` …), which is all this file
knows about expressions. sin, cos, sqrt, exp and log need no entry here: take them from numpy.
"""

import numpy as np
from numba import types
from numba.extending import overload, register_jitable

from mekane.numba_backend.dual import Dual, as_dual, carried, carried2


def real(x):
    """The real part of a complex number; anything else as it is."""
    return x.real if isinstance(x, complex) else x


@overload(real)
def _(x):
    if isinstance(x, types.Complex | Dual):
        return lambda x: x.real
    return lambda x: x


def select(condition, yes, no):
    """`yes` where the condition is not zero, else `no`. Both have been computed already; nothing branches."""
    if hasattr(condition, "select"):
        return condition.select(yes, no)
    return yes if real(condition) != 0 else no


@overload(select)
def _(condition, yes, no):
    return lambda condition, yes, no: yes if real(condition) != 0 else no


# ---------------------------------------------------------------- built from these two


@register_jitable
def less(a, b):
    return real(a) < real(b)


@register_jitable
def less_equal(a, b):
    return real(a) <= real(b)


@register_jitable
def minimum(a, b):
    return select(less(b, a), b, a)


@register_jitable
def maximum(a, b):
    return select(less(a, b), b, a)


@register_jitable
def absolute(x):
    return select(less(x, 0.0), -x, x)


@register_jitable
def sign(x):
    return select(less(x, 0.0), -1.0, select(less(0.0, x), 1.0, 0.0))


@register_jitable
def floor(x):
    return np.floor(real(x))


# ---------------------------------------------------------------- carried by their derivative


@register_jitable
def along(slope, dx):
    """slope · dx; zero where x stays, however steep the function is there: √max(0, x) has the slope 0 for x < 0."""
    return slope * dx if dx != 0.0 else 0.0


def analytic(function, slope):
    """A function of one scalar that takes complex numbers by its derivative `slope`."""
    slope = register_jitable(slope)

    def scalar_function(x):
        if isinstance(x, complex):
            return np.complex128(complex(function(x.real), along(slope(x.real), x.imag)))
        return function(x)

    @overload(scalar_function)
    def _(x):
        if isinstance(x, types.Complex):
            return lambda x: complex(function(x.real), along(slope(x.real), x.imag))
        if isinstance(x, Dual):
            return lambda x: carried(x, function(x.real), slope(x.real))
        return lambda x: function(x)

    return scalar_function


tan = analytic(np.tan, lambda x: 1.0 + np.tan(x) ** 2)
asin = analytic(np.arcsin, lambda x: 1.0 / np.sqrt((1.0 - x) * (1.0 + x)))
acos = analytic(np.arccos, lambda x: -1.0 / np.sqrt((1.0 - x) * (1.0 + x)))
atan = analytic(np.arctan, lambda x: 1.0 / (1.0 + x * x))
sinh = analytic(np.sinh, lambda x: np.cosh(x))
cosh = analytic(np.cosh, lambda x: np.sinh(x))
tanh = analytic(np.tanh, lambda x: 1.0 / np.cosh(x) ** 2)


def atan2(y, x):
    """The angle of the point (x, y), in (-pi, pi]."""
    if isinstance(y, complex) or isinstance(x, complex):
        # of no slope at (0, 0), where Python's division would raise
        return np.complex128(_atan2_step(np.complex128(y), np.complex128(x)))
    if hasattr(y, "arctan2"):
        return y.arctan2(x)
    if hasattr(x, "arctan2_of"):
        return x.arctan2_of(y)
    return np.arctan2(y, x)


@overload(atan2)
def _(y, x):
    if isinstance(y, types.Complex) or isinstance(x, types.Complex):
        return lambda y, x: _atan2_step(complex(y), complex(x))
    if isinstance(y, Dual) or isinstance(x, Dual):
        return lambda y, x: _atan2_dual(as_dual(y), as_dual(x))
    return lambda y, x: np.arctan2(y, x)


@register_jitable
def _atan2_step(y, x):
    squared = x.real * x.real + y.real * y.real
    return complex(np.arctan2(y.real, x.real), (x.real * y.imag - y.real * x.imag) / squared)


@register_jitable
def _atan2_dual(y, x):
    squared = x.real * x.real + y.real * y.real
    return carried2(y, x, np.arctan2(y.real, x.real), x.real / squared, -y.real / squared)


def power(x, y):
    """x to the y; not a number (rather than complex) where the real result does not exist."""
    if isinstance(x, complex) or isinstance(y, complex):
        return np.complex128(_power_step(np.complex128(x), np.complex128(y)))
    return np.float64(x) ** y if isinstance(x, int | float) else x**y


@overload(power)
def _(x, y):
    if isinstance(x, types.Complex) or isinstance(y, types.Complex):
        return lambda x, y: _power_step(complex(x), complex(y))
    if isinstance(y, Dual):
        return lambda x, y: _power_dual(as_dual(x), y)
    if isinstance(x, Dual):
        return lambda x, y: carried(x, x.real**y, y * x.real ** (y - 1.0))
    return lambda x, y: x**y


@register_jitable
def _power_step(x, y):
    value = x.real**y.real
    slope = along(y.real * x.real ** (y.real - 1.0), x.imag)
    # the logarithm does not exist for the harmless case of a negative base and a fixed whole exponent
    if y.imag != 0.0:
        slope += np.log(x.real) * value * y.imag
    return complex(value, slope)


@register_jitable
def _power_dual(x, y):
    value = x.real**y.real
    by_y = np.log(x.real) * value if x.real > 0.0 else 0.0  # where it does not exist, the exponent is a fixed number
    return carried2(x, y, value, y.real * x.real ** (y.real - 1.0), by_y)
