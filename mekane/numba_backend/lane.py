"""Lanes as one more scalar of compiled kernels: a number for each of L runs, side by side in one vector register.

A kernel that computes with lanes computes L runs at once: the same source as for floats (DESIGN, one physics source).
It must branch on integers alone; a comparison gives 1 or 0 in every lane. In arrays a number is L floats side by side,
aligned: see `lane_array`.

Every rounding is settled here, so that a run's numbers are the same bits on any number of lanes and beside any other
run: operations carry no flag that lets the compiler reorder or fuse. A sum that directly follows a product is one `fma`
with it. Elementary functions are called by name (`library_name`) and must be known to the linker before kernels are
compiled or loaded: `mekane.codegen.functions.lane_library` makes them.
"""

import operator

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.core.typeconv import Conversion
from numba.core.typing import signature
from numba.core.typing.templates import ConcreteTemplate, infer_global
from numba.extending import intrinsic, lower_builtin, lower_cast, models, register_model

LANES = (1, 2, 4, 8)
ALIGNED = 64
DOUBLE, INDEX = ir.DoubleType(), ir.IntType(32)
# It says nothing about sums, products and comparisons. Where an instruction has a flag, Numba adds none of its own.
KEPT = ("afn",)
LIBRARY = {  # {function of NumPy or operator: name, number of arguments}
    np.tan: ("tan", 1), np.arcsin: ("asin", 1), np.arccos: ("acos", 1), np.arctan: ("atan", 1), np.arctan2: ("atan2", 2),
    np.sinh: ("sinh", 1), np.cosh: ("cosh", 1), np.tanh: ("tanh", 1), np.exp: ("exp", 1), np.log: ("log", 1),
    operator.pow: ("pow", 2),
}  # fmt: skip


class Lane(types.Type):
    def __init__(self, lanes):
        self.lanes = lanes
        super().__init__(f"Lane{lanes}")

    def can_convert_from(self, context, other):
        return Conversion.safe if isinstance(other, types.Float | types.Integer) else None


KINDS = {lanes: Lane(lanes) for lanes in LANES}


def vector(lanes):
    return ir.VectorType(DOUBLE, lanes)


@register_model(Lane)
class LaneModel(models.PrimitiveModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, vector(kind.lanes))


def lane_array(lanes, *shape):
    """Zeros, with one more axis for the lanes, where vector instructions may reach them."""
    size = int(np.prod(shape)) * lanes
    buffer = np.zeros(size + ALIGNED // 8)
    first = -buffer.ctypes.data % ALIGNED // 8
    return buffer[first : first + size].reshape(*shape, lanes)


# ---------------------------------------------------------------- pieces of vector code


def everywhere(builder, number, lanes):
    """A vector of one number."""
    nothing = ir.Constant(vector(lanes), ir.Undefined)
    one = builder.insert_element(nothing, number, INDEX(0))
    return builder.shuffle_vector(one, nothing, ir.Constant(ir.VectorType(INDEX, lanes), [0] * lanes))


def call(builder, name, result, args):
    """A function known to LLVM or to the linker."""
    kind = ir.FunctionType(result, [x.type for x in args])
    function = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
    if not name.startswith("llvm."):
        function.attributes.add("readnone")
        function.attributes.add("nounwind")
    return builder.call(function, args)


def fma(builder, a, b, c):
    return call(builder, f"llvm.fma.v{a.type.count}f64", a.type, [a, b, c])


def product(x):
    """The factors where a value is a product of lanes, else None."""
    is_product = isinstance(x, ir.Instruction) and x.opname == "fmul" and tuple(x.flags) == KEPT
    return x.operands if is_product else None


def add(b, x, y):
    if product(x):
        return fma(b, *product(x), y)
    return fma(b, *product(y), x) if product(y) else b.fadd(x, y, flags=KEPT)


def subtract(b, x, y):
    if product(x):
        return fma(b, *product(x), b.fneg(y))
    if product(y):
        first, second = product(y)
        return fma(b, b.fneg(first), second, x)
    return b.fsub(x, y, flags=KEPT)


def compare(sign):
    """1 in the lanes where it holds, else 0."""

    def code(b, x, y):
        one, zero = ir.Constant(x.type, [1.0] * x.type.count), ir.Constant(x.type, [0.0] * x.type.count)
        return b.select(b.fcmp_ordered(sign, x, y, flags=KEPT), one, zero)

    return code


# ---------------------------------------------------------------- what kernels call


def lower(key, code, n=2, is_function=False):
    """An operator or function of n numbers, lanes or floats, by its code: (builder, vectors …) → vector."""
    kinds = {
        lanes: [(one,)] if n == 1 else [(one, one), (one, types.float64), (types.float64, one)]
        for lanes, one in KINDS.items()
    }
    cases = [signature(KINDS[lanes], *args) for lanes, found in kinds.items() for args in found]
    template = type("OnLanes", (ConcreteTemplate,), {"key": key, "cases": cases})
    infer_global(key, types.Function(template)) if is_function else infer_global(key)(template)

    def implementation(context, builder, sig, args):
        lanes = sig.return_type.lanes
        spread = lambda x, kind: x if isinstance(kind, Lane) else everywhere(builder, x, lanes)
        return code(builder, *(spread(x, kind) for x, kind in zip(args, sig.args, strict=True)))

    for args in {tuple(Lane if isinstance(one, Lane) else types.Float for one in case.args) for case in cases}:
        lower_builtin(key, *args)(implementation)


for _op, _code in {
    "add": add, "sub": subtract, "mul": lambda b, x, y: b.fmul(x, y, flags=KEPT), "truediv": lambda b, x, y: b.fdiv(x, y, flags=KEPT)
}.items():  # fmt: skip
    lower(getattr(operator, _op), _code)
    lower(getattr(operator, f"i{_op}"), _code)
lower(operator.neg, lambda b, x: b.fneg(x), 1)
lower(operator.lt, compare("<"))
lower(operator.le, compare("<="))


def intrinsic_of_llvm(name):
    return lambda b, x: call(b, f"llvm.{name}.v{x.type.count}f64", x.type, [x])


def library_name(name, lanes):
    """Under which the linker knows an elementary function of lanes."""
    return f"mekane_lanes_{name}_{lanes}"


def of_library(name):
    return lambda b, *args: call(b, library_name(name, args[0].type.count), args[0].type, list(args))


def half_of_sincos(k):
    """Sine or cosine; the compiler makes one call of two with the same argument."""

    def code(b, x):
        pair = ir.LiteralStructType([x.type, x.type])
        return b.extract_value(call(b, library_name("sincos", x.type.count), pair, [x]), k)

    return code


lower(np.sin, half_of_sincos(0), 1, True)
lower(np.cos, half_of_sincos(1), 1, True)
lower(np.sqrt, intrinsic_of_llvm("sqrt"), 1, True)
lower(np.floor, intrinsic_of_llvm("floor"), 1, True)
for _key, (_name, _n) in LIBRARY.items():
    lower(_key, of_library(_name), _n, isinstance(_key, np.ufunc))


@lower_cast(types.Float, Lane)
@lower_cast(types.Integer, Lane)
def from_number(context, builder, from_type, to_type, number):
    return everywhere(builder, context.cast(builder, number, from_type, types.float64), to_type.lanes)


infer_global(bool)(
    type(
        "TruthOfLanes",
        (ConcreteTemplate,),
        {"key": bool, "cases": [signature(types.boolean, x) for x in KINDS.values()]},
    )
)


@lower_builtin(bool, Lane)
def in_every_lane(context, builder, sig, args):
    """Whether it is not zero in any lane. Kernels on lanes hold such branches, and must not come to them."""
    truths = builder.fcmp_unordered("!=", args[0], ir.Constant(args[0].type, [0.0] * args[0].type.count), flags=KEPT)
    bits = builder.bitcast(truths, ir.IntType(args[0].type.count))
    return builder.icmp_unsigned("==", bits, ir.Constant(bits.type, -1))


@intrinsic
def zero_lanes(typing, x):
    """Zero in as many lanes as x has."""
    code = lambda context, builder, sig, args: ir.Constant(vector(x.lanes), [0.0] * x.lanes)
    return signature(x, x), code


@intrinsic
def select_lanes(typing, condition, yes, no):
    """yes in the lanes where the condition is not zero, else no."""

    def code(context, builder, sig, args):
        kind = sig.return_type
        condition, yes, no = (context.cast(builder, x, one, kind) for x, one in zip(args, sig.args, strict=True))
        zero = ir.Constant(vector(kind.lanes), [0.0] * kind.lanes)
        return builder.select(builder.fcmp_unordered("!=", condition, zero, flags=KEPT), yes, no)

    return signature(condition, condition, yes, no), code


@intrinsic
def lane_count(typing, x):
    return signature(types.int64, x), lambda context, builder, sig, args: ir.IntType(64)(sig.args[0].lanes)


@intrinsic
def lane_of(typing, x, k):
    """The number in lane k."""
    code = lambda context, builder, sig, args: builder.extract_element(*args)
    return signature(types.float64, x, types.int64), code


@intrinsic
def with_lane(typing, x, k, number):
    """x with another number in lane k."""
    code = lambda context, builder, sig, args: builder.insert_element(args[0], args[2], args[1])
    return signature(x, x, types.int64, types.float64), code
