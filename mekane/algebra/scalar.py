"""Functions of scalars that mean the same on a float, a complex number, a dual number (compiled) and an expression.

A complex number stands for `value + i h derivative` with a tiny h (complex step). So whatever decides looks at the real
part only (`less`, `select`, `floor`), and a function with branch cuts is carried along by its derivative: f(x + i h) =
f(x) + i h f'(x). An expression answers through its own methods (`select`, `arctan2`, `tan` …), which is all this file
knows about expressions. sin, cos, sqrt, exp and log need no entry here: take them from numpy.
"""

import numpy as np

from mekane.numba_backend.deferred import before_kernels, jitable


def real(x):
    """The real part of a complex number; anything else as it is."""
    return x.real if isinstance(x, complex) else x


def select(condition, yes, no):
    """`yes` where the condition is not zero, else `no`. Both have been computed already; nothing branches."""
    if hasattr(condition, "select"):
        return condition.select(yes, no)
    return yes if real(condition) != 0 else no


def zero_like(x):
    """Zero of the kind of scalar that x is, whatever its value: also where x is infinite or not a number."""
    if isinstance(x, float | complex):
        return type(x)(0.0)
    return 0.0 if isinstance(x, int) else 0.0 * x


# ---------------------------------------------------------------- built from these two


@jitable
def less(a, b):
    return real(a) < real(b)


@jitable
def less_equal(a, b):
    return real(a) <= real(b)


@jitable
def minimum(a, b):
    return select(less(b, a), b, a)


@jitable
def maximum(a, b):
    return select(less(a, b), b, a)


@jitable
def absolute(x):
    return select(less(x, 0.0), -x, x)


@jitable
def sign(x):
    return select(less(x, 0.0), -1.0, select(less(0.0, x), 1.0, 0.0))


@jitable
def floor(x):
    return np.floor(real(x))


# ---------------------------------------------------------------- carried by their derivative


@jitable
def along(derivative, dx):
    """derivative · dx; zero where x stays, however steep the function is there: √max(0, x) has the derivative 0 for x < 0."""
    return derivative * dx if dx != 0.0 else 0.0


def analytic(function, derivative):
    """A function of one scalar that takes complex numbers by its derivative `derivative`."""
    derivative = jitable(derivative)

    def scalar_function(x):
        if isinstance(x, complex):
            return np.complex128(complex(function(x.real), along(derivative(x.real), x.imag)))
        return function(x)

    DERIVATIVES[scalar_function] = function, derivative
    return scalar_function


DERIVATIVES = {}  # {function of a scalar: the function of a float, its derivative}
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
        # of no derivative at (0, 0), where Python's division would raise
        return np.complex128(atan2_step(np.complex128(y), np.complex128(x)))
    if hasattr(y, "arctan2"):
        return y.arctan2(x)
    if hasattr(x, "arctan2_of"):
        return x.arctan2_of(y)
    return np.arctan2(y, x)


@jitable
def atan2_step(y, x):
    squared = x.real * x.real + y.real * y.real
    return complex(np.arctan2(y.real, x.real), (x.real * y.imag - y.real * x.imag) / squared)


def power(x, y):
    """x to the y; not a number (rather than complex) where the real result does not exist."""
    if isinstance(x, complex) or isinstance(y, complex):
        return np.complex128(power_step(np.complex128(x), np.complex128(y)))
    return np.float64(x) ** y if isinstance(x, int | float) else x**y


@jitable
def power_step(x, y):
    value = x.real**y.real
    derivative = along(y.real * x.real ** (y.real - 1.0), x.imag)
    # the logarithm does not exist for the harmless case of a negative base and a fixed whole exponent
    if y.imag != 0.0:
        derivative += np.log(x.real) * value * y.imag
    return complex(value, derivative)


@before_kernels
def overloads():
    """The same functions in kernels."""
    import mekane.algebra.scalar_overloads  # noqa: F401
