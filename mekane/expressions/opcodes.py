"""Every operation an expression can hold: its opcode on a tape and its function of scalars."""

import operator

import numpy as np

from mekane.algebra import scalar

# fmt: off
(ADD, SUB, MUL, DIV, NEG, POW, SIN, COS, TAN, ASIN, ACOS, ATAN, ATAN2, SINH, COSH, TANH,
 EXP, LOG, SQRT, FLOOR, LESS, LESS_EQUAL, SELECT, TABLE) = range(24)
# fmt: on

OPERATIONS = {
    "add": (ADD, operator.add),
    "sub": (SUB, operator.sub),
    "mul": (MUL, operator.mul),
    "div": (DIV, operator.truediv),
    "neg": (NEG, operator.neg),
    "pow": (POW, scalar.power),
    "sin": (SIN, np.sin),
    "cos": (COS, np.cos),
    "tan": (TAN, scalar.tan),
    "asin": (ASIN, scalar.asin),
    "acos": (ACOS, scalar.acos),
    "atan": (ATAN, scalar.atan),
    "atan2": (ATAN2, scalar.atan2),
    "sinh": (SINH, scalar.sinh),
    "cosh": (COSH, scalar.cosh),
    "tanh": (TANH, scalar.tanh),
    "exp": (EXP, np.exp),
    "log": (LOG, np.log),
    "sqrt": (SQRT, np.sqrt),
    "floor": (FLOOR, scalar.floor),
    "less": (LESS, lambda a, b: scalar.select(scalar.less(a, b), np.float64(1.0), np.float64(0.0))),
    "less_equal": (LESS_EQUAL, lambda a, b: scalar.select(scalar.less_equal(a, b), np.float64(1.0), np.float64(0.0))),
    "select": (SELECT, scalar.select),
    "table": (TABLE, lambda x, table: table(x)),
}
OPCODES = {name: opcode for name, (opcode, _) in OPERATIONS.items()}
FUNCTIONS = {name: function for name, (_, function) in OPERATIONS.items()}
COMPARISONS = ("less", "less_equal")
DISCONTINUOUS = ("floor", "atan2")  # whose values jump where no comparison says so
COMMUTATIVE = ("add", "mul")
