"""A compiled model behind one small handle, so that time loops are compiled without the physics and call it by address.

All entries have the C signature  double f(int64 header, double t, int64 a, int64 b), the integers being addresses. The
header lists the addresses of the entries, then address and shape of every array of Tables and Workspace; `unpack` makes
arrays of it again.
"""

from typing import NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, intrinsic, lower_getattr_generic, models, register_model
from numba.np.arrayobj import populate_array

from mekane.errors import ModelError
from mekane.numba_backend.dual import dual
from mekane.tables.tables import Tables, Workspace

SIGNATURE = types.float64(types.int64, types.float64, types.int64, types.int64)
(
    RHS,
    PROJECT,
    KINEMATICS,
    FOLLOW,
    INERTIAS,
    PROJECTION_STEP,
    DERIVE,
    INVERSE,
    MULTIPLIERS,
    PARTITION,
    EQUATION_DERIVATIVES,
    MASS,
    DERIVATIVES,
    ENERGY,
) = range(14)  # the entries
ENTRIES = 14
WIDTH = 3  # address, rows, columns


class Handle(NamedTuple):
    """What a time loop holds of a model."""

    header: np.ndarray  # (ENTRIES + arrays * 3,) int  where the compiled functions and the arrays of the model are
    count: np.ndarray  # Tables.count
    state: np.ndarray  # Workspace.state
    r: np.ndarray  # Workspace.r
    measurement_rate: np.ndarray  # Workspace.gauge_rate
    row: np.ndarray  # Workspace.row
    modes: np.ndarray  # Workspace.modes
    primitive_i: np.ndarray  # Tables.block_i

    def __reduce__(self):
        """The addresses would be those of other arrays, or of another process: what holds a handle must open the model
        anew."""
        raise ModelError(
            "handle", "it holds addresses of memory", "it cannot be copied or sent elsewhere", "Open the model there."
        )


def handle(tables, workspace, addresses):
    """addresses: of those entries that will be called. The arrays must stay alive as long as the handle is used."""
    header = [addresses.get(which, 0) for which in range(ENTRIES)]
    for array, (_, axes) in zip((*tables, *workspace), (*Tables.kinds(), *Workspace.kinds()), strict=True):
        assert array.flags.c_contiguous
        header += [array.ctypes.data, array.shape[0], array.shape[1] if axes == 2 else 1]
    T, W = tables, workspace
    return Handle(np.array(header, np.int64), T.count, W.state, W.r, W.measurement_rate, W.row, W.modes, T.primitive_i)


@intrinsic
def call(typing, header, which, t, a, b):
    """Entry `which` of a header, called with (header, t, a, b); header, a and b are arrays, or addresses."""

    def codegen(context, builder, signature, args):
        integer, double = ir.IntType(64), ir.DoubleType()

        def address(i):
            if isinstance(signature.args[i], types.Array):
                return builder.ptrtoint(context.make_array(signature.args[i])(context, builder, args[i]).data, integer)
            return args[i]

        header, a, b = address(0), address(3), address(4)
        place = builder.gep(builder.inttoptr(header, integer.as_pointer()), [args[1]])
        function = builder.inttoptr(
            builder.load(place), ir.FunctionType(double, [integer, double, integer, integer]).as_pointer()
        )
        return builder.call(function, [header, args[2], a, b])

    return types.float64(header, types.int64, types.float64, a, b), codegen


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


floats1, floats2, integers1, duals1 = (
    array_at(types.float64),
    array_at(types.float64, 2),
    array_at(types.int64),
    array_at(dual),
)


class View(types.Type):
    """The Numba type of Tables or Workspace behind a header: one address, whose attributes are arrays made when asked
    for.

    Its name tells where the arrays stand: compiled kernels are kept by the names of their types, and rely on that."""

    def __init__(self, cls, place, scalar=types.float64):
        self.arrays, first = {}, place
        for field, (kind, dimensions) in zip(cls._fields, cls.kinds(), strict=True):
            self.arrays[field] = place, types.Array(types.int64 if kind == "i" else scalar, dimensions, "C")
            place += WIDTH
        self.end = place
        super().__init__(f"View({cls.__name__}, {scalar}, {first}, {', '.join(cls._fields)})")


TABLES = View(Tables, ENTRIES)
WORKSPACE = View(Workspace, TABLES.end)
DUAL_TABLES = View(Tables, ENTRIES, dual)
DUAL_WORKSPACE = View(Workspace, TABLES.end, dual)


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
    pointer, words = builder.inttoptr(header, ir.IntType(64).as_pointer()), []
    for k in range(1 + array_type.ndim):
        words.append(builder.load(builder.gep(pointer, [ir.Constant(ir.IntType(64), place + k)])))
        words[-1].set_metadata("invariant.load", builder.module.add_metadata([]))  # a header is never written to
    return build_array(context, builder, array_type, words[0], words[1:])


def unpack_as(*views):
    """A function (header) that compiled code has: Tables and Workspace behind it."""

    def unpack(typing, header):
        codegen = lambda context, builder, signature, args: context.make_tuple(
            builder, signature.return_type, [args[0], args[0]]
        )
        return types.Tuple(views)(types.int64), codegen

    return intrinsic(unpack)


unpack = unpack_as(TABLES, WORKSPACE)
unpack_duals = unpack_as(TABLES, DUAL_WORKSPACE)  # constants are floats
unpack_all_duals = unpack_as(DUAL_TABLES, DUAL_WORKSPACE)
