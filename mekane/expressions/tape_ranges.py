"""A tape run by NumPy, register by register, on many values or on many intervals at once; and what its registers depend
on."""

import numpy as np

from mekane.expressions import opcodes as op
from mekane.expressions.interval import TableRange, enclose

ARGUMENTS = {
    op.SELECT: 3,
    op.ADD: 2,
    op.SUB: 2,
    op.MUL: 2,
    op.DIV: 2,
    op.POW: 2,
    op.ATAN2: 2,
    op.LESS: 2,
    op.LESS_EQUAL: 2,
}  # others: 1
FIXED, OF_TIME, OTHER = range(3)  # what a register depends on


class TapeRanges:
    """n_fixed: the inputs after t that keep their value during a run (parameters).

    kind: FIXED, OF_TIME or OTHER for each register; first: the first register that an instruction writes."""

    def __init__(self, tape, n_fixed):
        self.tape, self.code = tape, tape.code.tolist()
        self.first = len(tape.registers()) - len(tape.code)
        n_inputs, n_constants = len(tape.inputs), len(tape.constants)
        kind = [
            OF_TIME,
            *[FIXED] * n_fixed,
            *[OTHER] * (n_inputs - 1 - n_fixed),
            *[FIXED] * n_constants,
            *[OTHER] * len(tape.callbacks),
        ]
        for line in self.code:
            kind.append(max(kind[x] for x in arguments(line)))
        self.kind = kind
        self.tables, self.orders = {}, {}  # what was looked up once

    def needed(self, *registers):
        """Instructions that registers need, in order."""
        if registers not in self.orders:
            self.orders[registers] = self.find_needed(registers)
        return self.orders[registers]

    def find_needed(self, registers):
        found, waiting = set(), list(registers)
        while waiting:
            x = waiting.pop()
            if x >= self.first and x not in found:
                found.add(x)
                waiting += arguments(self.code[x - self.first])
        return sorted(found)

    def read(self, register):
        """Registers that no instruction writes, among those that a register is computed from."""
        found = {y for x in self.needed(register) for y in arguments(self.code[x - self.first])}
        return {x for x in found | {register} if x < self.first}

    def enclosed(self, registers, r, inputs, frozen_at=None):
        """{register: (low, high)} of all that registers need, over intervals. inputs: the same of inputs, the others are
        those in r. frozen_at: {register: values}, where comparisons and floors are decided; else they may come out
        either way."""
        known = dict(inputs)
        decided = {} if frozen_at is None else self.values(registers, r, frozen_at)
        like = next(iter(known.values()))[0]
        for x in self.needed(*registers):
            line = self.code[x - self.first]
            if frozen_at is not None and line[0] in (op.LESS, op.LESS_EQUAL, op.FLOOR):
                known[x] = decided[x], decided[x]
                continue
            args = [known[y] if y in known else (np.full_like(like, r[y]),) * 2 for y in arguments(line)]
            if line[0] == op.TABLE:
                known[x] = self.table_range(line[2])(*args[0])
            else:
                known[x] = enclose(line[0], *args, same=line[1] == line[2])
        return known

    def values(self, registers, r, inputs):
        """{register: values} of all that registers need. inputs: the same of inputs, the others are those in r."""
        known = dict(inputs)
        like = next(iter(known.values()))
        with np.errstate(all="ignore"):
            for x in self.needed(*registers):
                line = self.code[x - self.first]
                args = [known[y] if y in known else np.full_like(like, r[y]) for y in arguments(line)]
                known[x] = self.table_range(line[2]).at(args[0]) if line[0] == op.TABLE else POINTWISE[line[0]](*args)
        return known

    def table_range(self, number):
        if number not in self.tables:
            first, last, code = self.tape.table_i[number]
            self.tables[number] = TableRange(self.tape.table_f[first:last], code)
        return self.tables[number]


def arguments(line):
    """Registers that an instruction reads."""
    return line[1 : 1 + ARGUMENTS.get(line[0], 1)]


POINTWISE = {
    op.ADD: np.add, op.SUB: np.subtract, op.MUL: np.multiply, op.DIV: np.divide, op.NEG: np.negative, op.POW: np.power,
    op.SIN: np.sin, op.COS: np.cos, op.TAN: np.tan, op.ASIN: np.arcsin, op.ACOS: np.arccos, op.ATAN: np.arctan, op.ATAN2: np.arctan2,
    op.SINH: np.sinh, op.COSH: np.cosh, op.TANH: np.tanh, op.EXP: np.exp, op.LOG: np.log, op.SQRT: np.sqrt, op.FLOOR: np.floor,
    op.LESS: lambda a, b: (a < b) * 1.0, op.LESS_EQUAL: lambda a, b: (a <= b) * 1.0,
    op.SELECT: lambda c, yes, no: np.where(c != 0.0, yes, no),
}  # fmt: skip
