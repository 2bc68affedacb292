"""Numbers with a complex value and complex derivatives, for kernels that are run uncompiled: derivatives of
derivatives.

    x = (x0, x1 … xn)       x0 = value + i h derivative along a parameter,  xk = the same of the derivative along direction k

A dual number (see `dual`) over the complex step: imaginary parts over h are derivatives with respect to the parameter,
of the value and of every derivative, exact to round-off. Nothing on the way takes absolute values or conjugates; whatever
decides looks at the real value. With real parts alone it is a value and its gradient, for objectives of a design.
"""

import numpy as np

from mekane.algebra import scalar


class Jet:
    """Behaves like a number: Python's operators, numpy's functions and arrays of objects work on it."""

    __slots__ = ("v",)
    __array_priority__ = -1.0  # above numpy's scalars, below its arrays
    __hash__ = object.__hash__

    def __init__(self, v):
        self.v = v

    @property
    def real(self):
        return self.v[0].real

    @property
    def value(self):
        return self.v[0]

    @property
    def derivatives(self):
        return self.v[1:]

    def __repr__(self):
        return f"{self.v[0]:.6g} with derivatives {self.v[1:]}"

    def carried(self, value, derivative):
        """f(x) from its value and derivative at x0; zero along directions in which x stays, however steep f is there."""
        v = np.where(self.v == 0.0, 0.0, derivative * self.v)
        v[0] = value
        return Jet(v)

    def plus(self, number):
        v = self.v.copy()
        v[0] += number
        return Jet(v)

    # ---------------------------------------------------------------- arithmetic

    def __add__(self, other):
        return Jet(self.v + other.v) if isinstance(other, Jet) else self.plus(other)

    __radd__ = __add__

    def __sub__(self, other):
        return Jet(self.v - other.v) if isinstance(other, Jet) else self.plus(-other)

    def __rsub__(self, other):
        return (-self).plus(other)

    def __mul__(self, other):
        if not isinstance(other, Jet):
            return Jet(self.v * other)
        a, b = self.v[0], other.v[0]
        v = a * other.v + b * self.v
        v[0] = a * b
        return Jet(v)

    __rmul__ = __mul__

    def __truediv__(self, other):
        if not isinstance(other, Jet):
            return Jet(self.v / other)
        quotient = self.v[0] / other.v[0]
        v = (self.v - quotient * other.v) / other.v[0]
        v[0] = quotient
        return Jet(v)

    def __rtruediv__(self, other):
        quotient = other / self.v[0]
        return self.carried(quotient, -quotient / self.v[0])

    def __pow__(self, other):
        if isinstance(other, Jet):
            value = scalar.power(self.v[0], other.v[0])
            # where it does not exist, the exponent is a fixed number
            by_power = np.log(self.v[0]) * value if self.v[0].real > 0.0 else 0.0
            v = self.carried(value, other.v[0] * scalar.power(self.v[0], other.v[0] - 1.0)).v + by_power * other.v
            v[0] = value
            return Jet(v)
        return self.carried(scalar.power(self.v[0], other), other * scalar.power(self.v[0], other - 1.0))

    def __rpow__(self, other):
        return Jet(np.append(other, 0.0 * self.v[1:])) ** self

    def __neg__(self):
        return Jet(-self.v)

    def __pos__(self):
        return self

    def __abs__(self):
        return -self if self.real < 0.0 else self

    # ---------------------------------------------------------------- decisions

    def __lt__(self, other):
        return self.real < other.real

    def __le__(self, other):
        return self.real <= other.real

    def __gt__(self, other):
        return self.real > other.real

    def __ge__(self, other):
        return self.real >= other.real

    def __eq__(self, other):
        return self.real == other.real

    def __ne__(self, other):
        return self.real != other.real

    def floor(self):
        return np.floor(self.real)

    # ---------------------------------------------------------------- functions

    def arctan2(self, other):
        x = other.v if isinstance(other, Jet) else np.append(other, 0.0 * self.v[1:])
        return _angle(self.v, x)

    def arctan2_of(self, other):
        return _angle(np.append(other, 0.0 * self.v[1:]), self.v)


def _angle(y, x):
    v = (x[0] * y - y[0] * x) / (x[0] * x[0] + y[0] * y[0])
    v[0] = scalar.atan2(y[0], x[0])
    return Jet(v)


def _method(function, derivative):
    return lambda self: self.carried(function(self.v[0]), derivative(self.v[0]))


DERIVATIVES = {
    "sin": (np.sin, np.cos),
    "cos": (np.cos, lambda x: -np.sin(x)),
    "tan": (scalar.tan, lambda x: 1.0 + scalar.tan(x) ** 2),
    "arcsin": (scalar.asin, lambda x: 1.0 / np.sqrt(1.0 - x * x)),
    "arccos": (scalar.acos, lambda x: -1.0 / np.sqrt(1.0 - x * x)),
    "arctan": (scalar.atan, lambda x: 1.0 / (1.0 + x * x)),
    "sinh": (scalar.sinh, scalar.cosh),
    "cosh": (scalar.cosh, scalar.sinh),
    "tanh": (scalar.tanh, lambda x: 1.0 - scalar.tanh(x) ** 2),
    "sqrt": (np.sqrt, lambda x: 0.5 / np.sqrt(x)),
    "exp": (np.exp, np.exp),
    "log": (np.log, lambda x: 1.0 / x),
}
for _name, _pair in DERIVATIVES.items():
    setattr(Jet, _name, _method(*_pair))
