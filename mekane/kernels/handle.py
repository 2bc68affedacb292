"""A compiled model behind one small handle, so that time loops are compiled without the physics and call it by address.

All entries have the C signature  double f(int64 header, double t, int64 a, int64 b), the integers being addresses. The header lists
address and shape of every array of Tables and Workspace; `unpack` makes arrays of it again.
"""

from typing import NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from mekane.compile.tables import Tables, Workspace

SIGNATURE = types.float64(types.int64, types.float64, types.int64, types.int64)
WIDTH = 3  # address, rows, columns


class Handle(NamedTuple):
    """What a time loop holds of a model."""

    entries: np.ndarray  # (entries,) int   addresses of compiled functions
    header: np.ndarray  # (arrays * 3,) int  where the arrays of the model are
    count: np.ndarray  # Tables.count
    state: np.ndarray  # Workspace.state
    r: np.ndarray  # Workspace.r
    gauge_rate: np.ndarray  # Workspace.gauge_rate
    row: np.ndarray  # Workspace.row
    modes: np.ndarray  # Workspace.modes
    block_i: np.ndarray  # Tables.block_i


def handle(tables, workspace, addresses):
    """The arrays must stay alive as long as the handle is used."""
    header = []
    for array in (*tables, *workspace):
        assert array.flags.c_contiguous
        header += [array.ctypes.data, array.shape[0], array.shape[1] if array.ndim == 2 else 1]
    T, W = tables, workspace
    addresses, header = np.array(addresses, np.int64), np.array(header, np.int64)
    return Handle(addresses, header, T.count, W.state, W.r, W.gauge_rate, W.row, W.modes, T.block_i)


@intrinsic
def call(typing, address, header, t, a, b):
    """f(header, t, a, b) for the entry at `address`; header, a and b are arrays."""

    def codegen(context, builder, signature, args):
        integer, double = ir.IntType(64), ir.DoubleType()
        data = [context.make_array(signature.args[i])(context, builder, args[i]).data for i in (1, 3, 4)]
        header, a, b = (builder.ptrtoint(pointer, integer) for pointer in data)
        function = builder.inttoptr(args[0], ir.FunctionType(double, [integer, double, integer, integer]).as_pointer())
        return builder.call(function, [header, args[2], a, b])

    return types.float64(types.int64, header, types.float64, a, b), codegen


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


@intrinsic
def floats1(typing, address, n):
    """The n floats at an address."""
    result = types.Array(types.float64, 1, "C")
    codegen = lambda context, builder, signature, args: build_array(context, builder, result, args[0], [args[1]])
    return result(types.int64, types.int64), codegen


def tuple_type(cls):
    """The Numba type of Tables or Workspace: fields are float arrays unless their comment in `tables` says int."""
    return types.NamedTuple([types.Array(types.int64 if kind == "i" else types.float64, n, "C") for kind, n in cls.kinds()], cls)


@intrinsic
def unpack(typing, header):
    """Tables and Workspace behind a header."""
    parts = [tuple_type(Tables), tuple_type(Workspace)]

    def codegen(context, builder, signature, args):
        pointer, place, made = builder.inttoptr(args[0], ir.IntType(64).as_pointer()), 0, []
        for part in parts:
            arrays = []
            for array_type in part.types:
                words = [builder.load(builder.gep(pointer, [ir.Constant(ir.IntType(64), place + k)])) for k in range(WIDTH)]
                arrays.append(build_array(context, builder, array_type, words[0], words[1 : 1 + array_type.ndim]))
                place += WIDTH
            made.append(context.make_tuple(builder, part, arrays))
        return context.make_tuple(builder, signature.return_type, made)

    return types.Tuple(parts)(types.int64), codegen
