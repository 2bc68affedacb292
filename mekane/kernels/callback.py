"""Laws that are Python functions and cannot be traced: called back from the compiled loop, through an integer address."""

import ctypes

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from mekane.algebra.kernel import kernel
from mekane.compile.tables import CALLBACK

FUNCTION = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_double))


@intrinsic
def _call(typing, address, r):
    """void f(double *r) at `address`."""

    def codegen(context, builder, signature, args):
        pointer = ir.DoubleType().as_pointer()
        function = builder.inttoptr(args[0], ir.FunctionType(ir.VoidType(), [pointer]).as_pointer())
        data = context.make_array(signature.args[1])(context, builder, args[1]).data
        builder.call(function, [builder.bitcast(data, pointer)])
        return context.get_dummy_value()

    return types.void(types.int64, r), codegen


@kernel
def call_back(address, r):
    """Let the model's Python functions read and write the registers r."""
    _call(address, r)


class State:
    """What a called-back function sees: state["joint.angle"], state["body.position"] …"""

    def __init__(self, places, r):
        self._places, self._r = places, r

    def __getitem__(self, name):
        if name in self._places:
            return self._r[self._places[name]]
        if f"{name}.x" in self._places:
            return np.array([self._r[self._places[f"{name}.{axis}"]] for axis in "xyz"])
        raise KeyError(f"the model has no {name!r}; it has {', '.join(self._places)}")


class Callbacks:
    """Makes the model's Python functions callable from compiled code. An exception is kept, and its value becomes not-a-number."""

    def __init__(self, program, tables):
        self.error = None
        if not program.callbacks:
            return
        places = {name: i for i, name in enumerate(program.inputs)}
        size = len(program.registers())

        def fill(pointer):
            r = np.ctypeslib.as_array(pointer, (size,))
            for register, function in program.callbacks:
                try:
                    r[register] = float(function(float(r[0]), State(places, r)))
                except BaseException as error:  # Ctrl-C too: nothing can be raised through compiled code
                    r[register] = np.nan
                    self.error = self.error or error

        self._alive = FUNCTION(fill)
        tables.count[CALLBACK] = ctypes.cast(self._alive, ctypes.c_void_p).value
