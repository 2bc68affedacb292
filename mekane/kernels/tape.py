"""The machine that runs tapes of expressions (`mekane.expressions.tape`) on floats, complex numbers or expressions."""

import numpy as np

from mekane.algebra import scalar
from mekane.expressions import opcodes
from mekane.expressions.table import interpolate
from mekane.numba_backend.kernel import kernel

NOTHING, EVERYTHING, COMPARISONS = range(3)  # what is frozen


@kernel(exact=True, outer=True)
def run_tape(code, begin, end, first, table_i, table_f, r, modes, frozen):
    """Compute the results of instructions [begin, end) from the inputs, constants and callbacks that stand at the front
    of r. first: the register of the first result.

    Comparisons are decided anew and their outcomes kept in `modes`; when `frozen`, the outcomes in `modes` are used
    instead. So are located jumps of floors and angles (`expressions.frozen_discontinuities`), if it is EVERYTHING, and
    always those that are marked as known, by the number after them.
    """
    for i in range(begin, end):
        op, a, b, c = code[i, 0], code[i, 1], code[i, 2], code[i, 3]
        if op == opcodes.ADD:
            r[first + i] = r[a] + r[b]
        elif op == opcodes.SUB:
            r[first + i] = r[a] - r[b]
        elif op == opcodes.MUL:
            r[first + i] = r[a] * r[b]
        elif op == opcodes.DIV:
            r[first + i] = r[a] / r[b]
        elif op == opcodes.NEG:
            r[first + i] = -r[a]
        elif op == opcodes.SELECT:
            r[first + i] = scalar.select(r[a], r[b], r[c])
        elif op == opcodes.LESS or op == opcodes.LESS_EQUAL:
            if not frozen:
                holds = scalar.less(r[a], r[b]) if op == opcodes.LESS else scalar.less_equal(r[a], r[b])
                modes[c] = scalar.select(holds, 1.0, 0.0)
            r[first + i] = modes[c]
        elif op == opcodes.ATAN2:
            r[first + i] = scalar.atan2(r[a], r[b])
            if c >= 0:
                if frozen != EVERYTHING:
                    modes[c] = scalar.select(modes[c + 1], modes[c], scalar.real(r[first + i]))
                r[first + i] = r[first + i] + 2.0 * np.pi * whole_turns(modes[c] - r[first + i])
        elif op == opcodes.POW:
            r[first + i] = scalar.power(r[a], r[b])
        elif op == opcodes.FLOOR:
            if c < 0:
                r[first + i] = scalar.floor(r[a])
            else:
                if frozen != EVERYTHING:
                    modes[c] = scalar.select(modes[c + 1], modes[c], scalar.floor(r[a]))
                r[first + i] = modes[c]
        elif op == opcodes.TABLE:
            r[first + i] = interpolate(table_f, table_i[b, 0], table_i[b, 1], table_i[b, 2], r[a])
        else:
            r[first + i] = function(op, r[a])


@kernel(exact=True)
def whole_turns(angle):
    """The nearest number of turns."""
    return scalar.floor(angle / (2.0 * np.pi) + 0.5)


@kernel(exact=True)
def function(op, x):
    """A function of one scalar, by its opcode."""
    if op == opcodes.SIN:
        return np.sin(x)
    if op == opcodes.COS:
        return np.cos(x)
    if op == opcodes.TAN:
        return scalar.tan(x)
    if op == opcodes.ASIN:
        return scalar.asin(x)
    if op == opcodes.ACOS:
        return scalar.acos(x)
    if op == opcodes.ATAN:
        return scalar.atan(x)
    if op == opcodes.SINH:
        return scalar.sinh(x)
    if op == opcodes.COSH:
        return scalar.cosh(x)
    if op == opcodes.TANH:
        return scalar.tanh(x)
    if op == opcodes.EXP:
        return np.exp(x)
    if op == opcodes.LOG:
        return np.log(x)
    if op == opcodes.SQRT:
        return np.sqrt(x)
    return x * np.nan
