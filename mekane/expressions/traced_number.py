"""Numbers that carry an expression: a value to decide by, and how it was computed from symbols.

A model built with `TracedNumber` objects in place of its parameters comes out with expressions in place of numbers.
Everything on the way is worked out twice, on values and on expressions; comparisons, `.real` and the sign that abs
needs use the value. There is no way back to a float but `.real`, so that no number loses its expression by a
conversion. Arrays of such numbers are arrays of objects.
"""

import operator

import numpy as np

from mekane.expressions import node as graph
from mekane.expressions.node import Carrier, Expr, node

NUMBERS = (float, int, np.floating, np.integer)


def traced(value, expr):
    """A number that carries an expression; a plain one where the expression is a number."""
    return TracedNumber(float(value), expr) if isinstance(expr, Expr) else float(value)


def _operator(compute, build):
    """The methods for `number (op) other` and `other (op) number`. With an expression the result is one."""

    def combined(a, b):
        if isinstance(a, Expr) or isinstance(b, Expr):
            return build(a, b)
        with np.errstate(all="ignore"):
            return traced(compute(np.float64(a.real), np.float64(b.real)), build(a, b))

    def method(self, other):
        return combined(self, other) if isinstance(other, KNOWN) else NotImplemented

    def reflected(self, other):
        return combined(other, self) if isinstance(other, KNOWN) else NotImplemented

    return method, reflected


def _function(compute, op):
    return lambda self: traced(compute(self.value), node(op, self))


def _comparison(compare):
    return lambda self, other: (
        compare(self.value, other.real) if isinstance(other, (TracedNumber, *NUMBERS)) else NotImplemented
    )


class TracedNumber(Carrier):
    """A value and the expression it comes from. It equals only what has both: a zero that may change is not the number
    zero."""

    __slots__ = ("value", "expr")
    __array_priority__ = -1.0  # as Expr

    def __init__(self, value: float, expr: Expr):
        self.value, self.expr = value, expr

    __add__, __radd__ = _operator(operator.add, graph.add)
    __sub__, __rsub__ = _operator(operator.sub, graph.sub)
    __mul__, __rmul__ = _operator(operator.mul, graph.mul)
    __truediv__, __rtruediv__ = _operator(operator.truediv, graph.div)
    __pow__, __rpow__ = _operator(operator.pow, graph.power)
    arctan2, arctan2_of = _operator(np.arctan2, lambda y, x: node("atan2", y, x))
    hypot = _operator(np.hypot, graph.hypot)[0]
    __lt__, __le__ = _comparison(operator.lt), _comparison(operator.le)
    __gt__, __ge__ = _comparison(operator.gt), _comparison(operator.ge)

    sin, cos, tan = _function(np.sin, "sin"), _function(np.cos, "cos"), _function(np.tan, "tan")
    arcsin, arccos, arctan = _function(np.arcsin, "asin"), _function(np.arccos, "acos"), _function(np.arctan, "atan")
    sinh, cosh, tanh = _function(np.sinh, "sinh"), _function(np.cosh, "cosh"), _function(np.tanh, "tanh")
    exp, log, sqrt = _function(np.exp, "exp"), _function(np.log, "log"), _function(np.sqrt, "sqrt")

    @property
    def real(self) -> float:
        return self.value

    def conjugate(self):
        return self

    def __pos__(self):
        return self

    def __neg__(self):
        return traced(-self.value, graph.neg(self.expr))

    def __abs__(self):
        return -self if self.value < 0.0 else self

    def __eq__(self, other):
        return isinstance(other, TracedNumber) and self.value == other.value and self.expr is other.expr

    def __hash__(self):
        return hash((self.value, self.expr))

    def __format__(self, spec):
        return format(self.value, spec)

    def __repr__(self):
        return f"{self.value!r}: {self.expr!r}"


KNOWN = (TracedNumber, Expr, *NUMBERS)


# ---------------------------------------------------------------- arrays


def reals(array) -> np.ndarray:
    """The values of an array of floats, of complex numbers (complex step) or of numbers with expressions."""
    array = np.asarray(array)
    return (
        np.array([x.real for x in array.ravel()], float).reshape(array.shape) if array.dtype == object else array.real
    )


def has_traced(array) -> bool:
    """True if a number in it carries an expression."""
    array = np.asarray(array)
    return array.dtype == object and any(isinstance(x, TracedNumber) for x in array.ravel())


def kind_of_numbers(numbers):
    """The type of an array that holds all of these: float, complex where some carry derivatives, object where some
    carry expressions."""
    return object if any(isinstance(x, TracedNumber) for x in numbers) else np.result_type(float, *numbers)
