"""Expressions over arrays: each operation once for all elements."""

import numpy as np

from mekane.expressions.node import Expr
from mekane.expressions.opcodes import FUNCTIONS
from mekane.expressions.traversal import topological

ARRAYS = {  # operations whose function of scalars does not take arrays
    "pow": np.power, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "atan2": np.arctan2,
    "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "floor": np.floor,
    "less": lambda a, b: np.less(a, b).astype(float), "less_equal": lambda a, b: np.less_equal(a, b).astype(float),
    "select": lambda condition, yes, no: np.where(np.not_equal(condition, 0.0), yes, no),
    "table": lambda x, table: np.vectorize(table, otypes=[float])(x),
}  # fmt: skip


def evaluate_over(exprs, values):
    """The values of expressions, given {input name: array or number}."""
    known = {}
    with np.errstate(all="ignore"):
        for node in topological(exprs):
            if node.op == "input":
                known[node] = values[node.name]
            else:
                arguments = [known[x] if isinstance(x, Expr) else x for x in node.args]
                function = ARRAYS.get(node.op, FUNCTIONS[node.op])
                known[node] = function(*arguments) if node.data is None else function(*arguments, node.data)
    return [known[x] if isinstance(x, Expr) else x for x in exprs]
