"""Arrays at raw addresses and calls by address, for compiled code: what `mekane.tables.handle` is made of.

Compiled code makes arrays of a header and calls its functions, without Numba knowing either.
"""

import math

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, intrinsic, lower_getattr_generic, models, register_model
from numba.np.arrayobj import populate_array

from mekane.numba_backend.dual import dual
from mekane.numba_backend.header import MAGIC, WIDTH

SCALARS = {"float64": types.float64, "int64": types.int64, "dual": dual}


def call_through(length):
    """A function (header, which, t, a, b) that compiled code has: entry `which` of a header of this length, called with
    (header, t, a, b); header, a and b are arrays, or addresses.

    Not-a-number, and no call, where there is no such header."""

    def call(typing, header, which, t, a, b):
        def codegen(context, builder, signature, args):
            integer, double = ir.IntType(64), ir.DoubleType()

            def address(i):
                kind = signature.args[i]
                if isinstance(kind, types.Array):
                    return builder.ptrtoint(context.make_array(kind)(context, builder, args[i]).data, integer)
                return args[i]

            header, a, b = address(0), address(3), address(4)
            numbers = builder.inttoptr(header, integer.as_pointer())
            number = lambda k: builder.load(builder.gep(numbers, [k]))
            result = cgutils.alloca_once_value(builder, double(math.nan))
            with builder.if_then(builder.icmp_signed("==", number(integer(0)), integer(MAGIC)), likely=True):
                with builder.if_then(builder.icmp_signed("==", number(integer(1)), integer(length)), likely=True):
                    function = builder.inttoptr(
                        number(args[1]), ir.FunctionType(double, [integer, double, integer, integer]).as_pointer()
                    )
                    builder.store(builder.call(function, [header, args[2], a, b]), result)
            return builder.load(result)

        return types.float64(header, types.int64, types.float64, a, b), codegen

    return intrinsic(call)


def build_array(context, builder, array_type, address, shape):
    """A C-contiguous array that owns nothing, at an address."""
    array = context.make_array(array_type)(context, builder)
    data_type = context.get_data_type(array_type.dtype)
    item = context.get_constant(types.intp, context.get_abi_sizeof(data_type))
    populate_array(
        array,
        data=builder.inttoptr(address, data_type.as_pointer()),
        shape=cgutils.pack_array(builder, shape),
        strides=cgutils.pack_array(builder, [item] if len(shape) == 1 else [builder.mul(shape[1], item), item]),
        itemsize=item,
        meminfo=None,
    )
    return array._getvalue()


def array_at(scalar, axes=1):
    """A function (address, shape …) that compiled code has: the array there."""
    result = types.Array(scalar, axes, "C")
    codegen = lambda context, builder, signature, args: build_array(context, builder, result, args[0], list(args[1:]))
    if axes == 1:
        return intrinsic(lambda typing, address, n: (result(types.int64, types.int64), codegen))
    return intrinsic(lambda typing, address, n, m: (result(types.int64, types.int64, types.int64), codegen))


def arguments_at(kind):
    """A function (address) that compiled code has: the arrays and tuples of arrays of a Numba type, of which
    `listed` there gives addresses and shapes. One integer is quicker handed over than many arrays."""

    def built(context, builder, numbers, place, kind):
        if isinstance(kind, types.Array):
            fields = [
                builder.load(builder.gep(numbers, [ir.Constant(ir.IntType(64), place + k)]))
                for k in range(1 + kind.ndim)
            ]
            return place + WIDTH, build_array(context, builder, kind, fields[0], fields[1:])
        parts = []
        for one in kind:
            place, part = built(context, builder, numbers, place, one)
            parts.append(part)
        return place, context.make_tuple(builder, kind, parts)

    def codegen(context, builder, signature, args):
        numbers = builder.inttoptr(args[0], ir.IntType(64).as_pointer())
        return built(context, builder, numbers, 0, kind)[1]

    return intrinsic(lambda typing, address: (kind(types.int64), codegen))


@intrinsic
def call_function(typing, address, r):
    """void f(double *r) at `address`."""

    def codegen(context, builder, signature, args):
        pointer = ir.DoubleType().as_pointer()
        function = builder.inttoptr(args[0], ir.FunctionType(ir.VoidType(), [pointer]).as_pointer())
        data = context.make_array(signature.args[1])(context, builder, args[1]).data
        builder.call(function, [builder.bitcast(data, pointer)])
        return context.get_dummy_value()

    return types.void(types.int64, r), codegen


class View(types.Type):
    """The Numba type of Tables or Workspace behind a header: one address, whose attributes are arrays made when
    read.

    Its name tells where the arrays stand: compiled kernels are kept by the names of their types, and rely on that."""

    def __init__(self, layout, scalar=types.float64):
        self.arrays = {
            field: (place, types.Array(types.int64 if kind == "i" else scalar, axes, "C"))
            for field, (place, kind, axes) in layout.arrays.items()
        }
        super().__init__(f"View({layout.cls.__name__}, {scalar}, {layout.place}, {', '.join(layout.arrays)})")


@register_model(View)
class Address(models.PrimitiveModel):
    def __init__(self, manager, view):
        super().__init__(manager, view, ir.IntType(64))


@infer_getattr
class Arrays(AttributeTemplate):
    key = View

    def generic_resolve(self, view, name):
        return view.arrays[name][1]


@lower_getattr_generic(View)
def make_array(context, builder, view, header, name):
    place, array_type = view.arrays[name]
    pointer, fields = builder.inttoptr(header, ir.IntType(64).as_pointer()), []
    for k in range(1 + array_type.ndim):
        fields.append(builder.load(builder.gep(pointer, [ir.Constant(ir.IntType(64), place + k)])))
        fields[-1].set_metadata("invariant.load", builder.module.add_metadata([]))  # a header is never written to
    return build_array(context, builder, array_type, fields[0], fields[1:])


def unpack_as(*views):
    """A function (header) that compiled code has: a tuple of what is behind it, such as Tables and Workspace."""

    def unpack(typing, header):
        codegen = lambda context, builder, signature, args: context.make_tuple(
            builder, signature.return_type, [args[0]] * len(views)
        )
        return types.Tuple(views)(types.int64), codegen

    return intrinsic(unpack)


def numbers_at(scalar, axes=1):
    """As `array_at`, by the name of the scalar."""
    return array_at(SCALARS[scalar], axes)


def unpack_layouts(*layouts_and_scalars):
    """As `unpack_as`, of layouts and names of scalars."""
    return unpack_as(*(View(layout, SCALARS[scalar]) for layout, scalar in layouts_and_scalars))
