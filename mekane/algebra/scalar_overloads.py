"""The functions of `scalar` in compiled kernels: on floats, complex numbers, dual numbers and lanes."""

import numpy as np
from numba import types
from numba.extending import overload, register_jitable

from mekane.algebra.scalar import DERIVATIVES, along, atan2, atan2_step, power, power_step, real, select, zero_like
from mekane.numba_backend.dual import Dual, as_dual, carried, carried2
from mekane.numba_backend.lane import Lane, select_lanes, zero_lanes


@overload(real)
def _(x):
    if isinstance(x, types.Complex | Dual):
        return lambda x: x.real
    return lambda x: x


@overload(select)
def _(condition, yes, no):
    if isinstance(condition, Lane):
        return lambda condition, yes, no: select_lanes(condition, yes, no)
    return lambda condition, yes, no: yes if real(condition) != 0 else no


@overload(zero_like)
def _(x):
    if isinstance(x, types.Complex):
        return lambda x: 0j
    if isinstance(x, Dual):
        return lambda x: as_dual(0.0)
    if isinstance(x, Lane):
        return lambda x: zero_lanes(x)
    return lambda x: 0.0


def carry_by_derivative(scalar_function, function, derivative):
    """f(x + i h) = f(x) + i h f'(x), and the same of a dual number."""

    @overload(scalar_function)
    def _(x):
        if isinstance(x, types.Complex):
            return lambda x: complex(function(x.real), along(derivative(x.real), x.imag))
        if isinstance(x, Dual):
            return lambda x: carried(x, function(x.real), derivative(x.real))
        return lambda x: function(x)


for _function, _pair in DERIVATIVES.items():
    carry_by_derivative(_function, *_pair)


@overload(atan2)
def _(y, x):
    if isinstance(y, types.Complex) or isinstance(x, types.Complex):
        return lambda y, x: atan2_step(complex(y), complex(x))
    if isinstance(y, Dual) or isinstance(x, Dual):
        return lambda y, x: atan2_dual(as_dual(y), as_dual(x))
    return lambda y, x: np.arctan2(y, x)


@register_jitable
def atan2_dual(y, x):
    squared = x.real * x.real + y.real * y.real
    return carried2(y, x, np.arctan2(y.real, x.real), x.real / squared, -y.real / squared)


@overload(power)
def _(x, y):
    if isinstance(x, types.Complex) or isinstance(y, types.Complex):
        return lambda x, y: power_step(complex(x), complex(y))
    if isinstance(y, Dual):
        return lambda x, y: power_dual(as_dual(x), y)
    if isinstance(x, Dual):
        return lambda x, y: carried(x, x.real**y, y * x.real ** (y - 1.0))
    return lambda x, y: x**y


@register_jitable
def power_dual(x, y):
    value = x.real**y.real
    by_y = np.log(x.real) * value if x.real > 0.0 else 0.0  # where it does not exist, the exponent is a fixed number
    return carried2(x, y, value, y.real * x.real ** (y.real - 1.0), by_y)
