"""Controllers given by functions that are plain formulas: they become expressions, which need no Python at a tick.

A function is traced only where nothing but its arguments can change its answer and nothing but its answer remains of
a call: no outside names but modules of mathematics, no state of its own, no loops over other code. Any other function
is called at every tick, and reads the outside variables it names then.
"""

import dis
import math
from inspect import getclosurevars
from types import CodeType, FunctionType

import numpy as np

from mekane.errors import ModelError
from mekane.expressions.graph import Expr, symbol
from mekane.expressions.node import scalar
from mekane.model.names import quoted
from mekane.model.values.units import is_list, shown
from mekane.model.values.values import Value

MODULES = (math, np)
BUILTINS = {abs, pow, sum, len, range, zip, tuple, list, float, min, max}
STORING = ("STORE_GLOBAL", "STORE_ATTR", "DELETE_GLOBAL", "DELETE_ATTR", "IMPORT_NAME")


def function_expressions(function, part: str, reads: tuple[Value, ...], writes: tuple[str, ...]) -> tuple[Value, ...]:
    """One Value for each input it writes, or none if the function has to be called."""
    if not is_formula(function):
        return ()
    arguments = [symbol("t"), *(value.graph for value in reads)]
    try:
        answers = [function(*arguments) for _ in range(2)]
    except Exception:  # whatever a user's function may raise when it meets a symbol
        return ()
    first, second = (list(answer) if is_list(answer) else [answer] for answer in answers)
    if len(first) != len(writes) or any(one is None for one in first):
        problem = f"function gives {shown(answers[0])}"
        raise ModelError(part, problem, f"a number for each of {quoted(writes)} is expected")
    same = all(_same(a, b) for a, b in zip(first, second, strict=True))
    return tuple(Value(function, scalar(graph)) for graph in first) if same else ()


def is_formula(function) -> bool:
    """True if a call depends on the arguments alone and changes nothing else."""
    if not isinstance(function, FunctionType) or function.__closure__ or vars(function):
        return False
    code = function.__code__
    outside = getclosurevars(function)
    defaults = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
    return (
        all(isinstance(default, int | float) for default in defaults)
        and all(any(value is module for module in MODULES) for value in outside.globals.values())
        and BUILTINS.issuperset(outside.builtins.values())
        and not any(isinstance(constant, CodeType) for constant in code.co_consts)
        and not any(instruction.opname in STORING for instruction in dis.get_instructions(code))
        and not code.co_exceptiontable
    )


def _same(one, other) -> bool:
    """True for one expression, and for equal finite numbers."""
    if isinstance(one, Expr):
        return one is other
    return isinstance(one, int | float | np.floating) and math.isfinite(one) and one == other
