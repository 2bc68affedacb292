"""Calls by address of functions over lanes, and a counter that threads share, for compiled code."""

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


def calling(arrays, integers=0):
    """Code of a call (address, array …, integer …):  void f(ptr …, i64 …)"""

    def codegen(context, builder, signature, args):
        pointer, integer = ir.IntType(8).as_pointer(), ir.IntType(64)
        given = zip(signature.args[1 : arrays + 1], args[1 : arrays + 1], strict=True)
        data = [builder.bitcast(context.make_array(kind)(context, builder, x).data, pointer) for kind, x in given]
        kind = ir.FunctionType(ir.VoidType(), [pointer] * arrays + [integer] * integers)
        builder.call(builder.inttoptr(args[0], kind.as_pointer()), [*data, *args[arrays + 1 :]])
        return context.get_dummy_value()

    return codegen


@intrinsic
def call_lanes(typing, address, t, y, p, out):
    """A function of a model over lanes (codegen.lanes.lane_code)."""
    return types.void(types.int64, t, y, p, out), calling(4)


@intrinsic
def call_each(typing, address, y, new, numbers, derivatives, out, n):
    """A function of a step, over the first n numbers of the state (solvers.lanes.step_code)."""
    return types.void(types.int64, y, new, numbers, derivatives, out, types.int64), calling(5, 1)


@intrinsic
def next_number(typing, counter, k):
    """counter[k], which is one more afterwards, whatever other threads do."""

    def codegen(context, builder, signature, args):
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        one = ir.Constant(ir.IntType(64), 1)
        return builder.atomic_rmw("add", builder.gep(data, [args[1]]), one, "monotonic")

    return types.int64(counter, types.int64), codegen
