"""Dual numbers as one more scalar of compiled kernels: a value and its derivatives along seven directions, in one SIMD
register file.

    x = (x0, x1 … x7)       x0 is the value, x1 … x7 its derivatives

A kernel that computes with duals computes the derivatives of its results exactly, whatever it consists of: the same
source as for floats (DESIGN, one physics source). Arithmetic is vector instructions; a function f is carried by its
derivative: f(x) = (f(x0), f'(x0) x1, …). In arrays a dual is eight floats side by side, aligned: see `dual_array`.
"""

import math
import operator

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.core.typeconv import Conversion
from numba.core.typing import signature
from numba.core.typing.templates import AttributeTemplate, ConcreteTemplate, infer_getattr, infer_global
from numba.extending import intrinsic, lower_builtin, lower_cast, lower_getattr, models, register_model

WIDTH = 8
DIRECTIONS = WIDTH - 1
DOUBLE, LANE = ir.DoubleType(), ir.IntType(32)
VECTOR = ir.VectorType(DOUBLE, WIDTH)
ALIGNED = 64


class Dual(types.Type):
    def __init__(self):
        super().__init__("Dual")

    def can_convert_from(self, context, other):
        return Conversion.safe if isinstance(other, types.Float | types.Integer) else None


dual = Dual()


@register_model(Dual)
class DualModel(models.PrimitiveModel):
    def __init__(self, manager, fe_type):
        super().__init__(manager, fe_type, VECTOR)


def dual_array(*shape):
    """Zeros, with one more axis for value and derivatives, where vector instructions may reach them."""
    size = int(np.prod(shape)) * WIDTH
    buffer = np.zeros(size + WIDTH)
    first = -buffer.ctypes.data % ALIGNED // 8
    return buffer[first : first + size].reshape(*shape, WIDTH)


# ---------------------------------------------------------------- pieces of vector code


def value_of(builder, x):
    return builder.extract_element(x, LANE(0))


def everywhere(builder, number):
    """A vector of one number."""
    one = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), number, LANE(0))
    return builder.shuffle_vector(
        one, ir.Constant(VECTOR, ir.Undefined), ir.Constant(ir.VectorType(LANE, WIDTH), [0] * WIDTH)
    )


def derivatives_of(builder, x):
    """x with zero in place of its value."""
    return builder.insert_element(x, DOUBLE(0.0), LANE(0))


def constant(builder, number):
    """A float as a dual."""
    return builder.insert_element(ir.Constant(VECTOR, [0.0] * WIDTH), number, LANE(0))


def along(builder, derivative, x):
    """derivative times the derivatives of x; zero along directions in which x stays, however steep the function is."""
    zero = ir.Constant(VECTOR, [0.0] * WIDTH)
    return builder.select(builder.fcmp_ordered("==", x, zero), zero, builder.fmul(everywhere(builder, derivative), x))


def chained(builder, x, value, derivative):
    """(value, derivative times the derivatives of x)"""
    return builder.insert_element(along(builder, derivative, x), value, LANE(0))


# ---------------------------------------------------------------- arithmetic


def dual_and_float(op, inplace=None):
    """Typing of a binary operator."""
    cases = [signature(dual, dual, dual), signature(dual, dual, types.float64), signature(dual, types.float64, dual)]
    for key in filter(None, (op, inplace)):
        infer_global(key)(type("DualOperator", (ConcreteTemplate,), {"key": key, "cases": cases}))


def lower(op, inplace, both, first, second):
    """Code of a binary operator for (dual, dual), (dual, float), (float, dual)."""
    dual_and_float(op, inplace)
    for key in filter(None, (op, inplace)):
        for code, kinds in ((both, (Dual, Dual)), (first, (Dual, types.Float)), (second, (types.Float, Dual))):
            lower_builtin(key, *kinds)(lambda context, builder, sig, args, code=code: code(builder, *args))


def multiply(b, x, y):
    return b.fadd(b.fmul(everywhere(b, value_of(b, x)), y), b.fmul(everywhere(b, value_of(b, y)), derivatives_of(b, x)))


def multiply_float(b, x, c):
    return b.fmul(x, everywhere(b, c))


def divide(b, x, y):
    inverse = b.fdiv(DOUBLE(1.0), value_of(b, y))
    quotient = b.fmul(value_of(b, x), inverse)
    rest = b.fsub(x, b.fmul(everywhere(b, quotient), derivatives_of(b, y)))
    return b.fmul(rest, everywhere(b, inverse))


def float_over(b, c, y):
    inverse = b.fdiv(DOUBLE(1.0), value_of(b, y))
    quotient = b.fmul(c, inverse)
    return chained(b, y, quotient, b.fneg(b.fmul(quotient, inverse)))


def shifted(b, x, c):
    return b.insert_element(x, b.fadd(value_of(b, x), c), LANE(0))


lower(operator.add, operator.iadd, lambda b, x, y: b.fadd(x, y), shifted, lambda b, c, x: shifted(b, x, c))
lower(
    operator.sub, operator.isub, lambda b, x, y: b.fsub(x, y),
    lambda b, x, c: shifted(b, x, b.fneg(c)), lambda b, c, x: shifted(b, b.fneg(x), c),
)  # fmt: skip
lower(operator.mul, operator.imul, multiply, multiply_float, lambda b, c, x: multiply_float(b, x, c))
lower(
    operator.truediv, operator.itruediv, divide, lambda b, x, c: multiply_float(b, x, b.fdiv(DOUBLE(1.0), c)), float_over
)  # fmt: skip

infer_global(operator.neg)(
    type("DualNegative", (ConcreteTemplate,), {"key": operator.neg, "cases": [signature(dual, dual)]})
)
lower_builtin(operator.neg, Dual)(lambda context, builder, sig, args: builder.fneg(args[0]))


@lower_cast(types.Float, Dual)
@lower_cast(types.Integer, Dual)
def from_number(context, builder, from_type, to_type, number):
    return constant(builder, context.cast(builder, number, from_type, types.float64))


@infer_getattr
class DualAttributes(AttributeTemplate):
    key = Dual

    def resolve_real(self, _):
        return types.float64


@lower_getattr(Dual, "real")
def real_part(context, builder, _, x):
    return value_of(builder, x)


# ---------------------------------------------------------------- functions


@intrinsic
def carried(typing, x, value, derivative):
    """The dual of f(x): its value and the derivative of f there."""
    code = lambda context, builder, sig, args: chained(builder, *args)
    return signature(dual, x, types.float64, types.float64), code


@intrinsic
def carried2(typing, x, y, value, by_x, by_y):
    """The dual of f(x, y), both duals."""

    def code(context, builder, sig, args):
        x, y, value, by_x, by_y = args
        derivatives = builder.fadd(along(builder, by_x, x), along(builder, by_y, y))
        return builder.insert_element(derivatives, value, LANE(0))

    return signature(dual, x, y, types.float64, types.float64, types.float64), code


@intrinsic
def as_dual(typing, x):
    """A number as a dual."""
    return signature(dual, x), lambda context, builder, sig, args: context.cast(builder, args[0], sig.args[0], dual)


def lower_function(ufunc, code):
    """A function of numpy that the kernels call by its own name; code: (builder, f, x0) → value and derivative, f being
    compiled functions."""
    template = type("DualFunction", (ConcreteTemplate,), {"key": ufunc, "cases": [signature(dual, dual)]})
    infer_global(ufunc, types.Function(template))

    def implementation(context, builder, sig, args):
        one = signature(types.float64, types.float64)
        f = lambda function, x: context.get_function(function, one)(builder, (x,))
        return chained(builder, args[0], *code(builder, f, value_of(builder, args[0])))

    lower_builtin(ufunc, Dual)(implementation)


def _sqrt(b, f, x):
    root = f(math.sqrt, x)
    return root, b.fdiv(DOUBLE(0.5), root)


def _exp(b, f, x):
    return (f(math.exp, x),) * 2


lower_function(np.sin, lambda b, f, x: (f(math.sin, x), f(math.cos, x)))
lower_function(np.cos, lambda b, f, x: (f(math.cos, x), b.fneg(f(math.sin, x))))
lower_function(np.sqrt, _sqrt)
lower_function(np.exp, _exp)
lower_function(np.log, lambda b, f, x: (f(math.log, x), b.fdiv(DOUBLE(1.0), x)))
