"""Python functions of (t, state) as expressions: call them once with symbols in place of numbers and keep what comes
out.

`state["crank.angle"]` is a number, `state["ball.position"]` three. A function that asks `if` is called once for each way
through it (`expressions.branches`). One that needs real numbers (`math.sin`, a file …) has no expression, and one that
reads what may change (a list, an object; see outside_values.py) is not traced either. Both are called back while the
motion is computed, which is slower, and nobody knows what they do between two calls.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature
from numbers import Real

import numpy as np

from mekane.errors import MekaneError, ModelError
from mekane.expressions.branches import with_branches
from mekane.expressions.graph import Expr, Untraceable, symbol, topological
from mekane.model.values.outside_values import MayChange, OutsideValues
from mekane.model.values.units import is_list, shown

AXES = ("x", "y", "z")
CHANGING = (
    "Make what changes an input, s.input(…), or a parameter, what never changes a tuple, and what has a state a "
    "controller, s.controller(…)."
)
VECTORS = ("position", "velocity", "acceleration", "orientation", "angular_velocity", "angular_acceleration")


@dataclass(frozen=True)
class Trace:
    """The results of a function as expressions, or `reason` why there are none."""

    results: tuple = ()
    reason: str = ""
    remedy: str = "Write it as an expression text or a table."
    outside: OutsideValues | None = None


class Symbols:
    """Stands for the state while a function is traced: every name gives a symbol, or three for a vector."""

    def __init__(self, part: str, what: str):
        self.part, self.what = part, what

    def __getitem__(self, name: str):
        if not isinstance(name, str):
            expected = "a name is expected, such as state['crank.angle']"
            raise ModelError(self.part, f"the function for {self.what} asks for state[{shown(name)}]", expected)
        if name.rpartition(".")[2] in VECTORS:
            return np.array([symbol(f"{name}.{axis}") for axis in AXES], dtype=object)
        return symbol(name)


def trace(f: Callable, part: str, what: str, size: int = 1) -> Trace:
    """What `f` computes. All is done twice: a function with a state of its own, or with chance in it, gives two
    answers and is no expression."""
    _check_arguments(f, part, what)
    try:
        outside = OutsideValues(f)
    except MayChange as error:
        return Trace(reason=str(error), remedy=CHANGING)
    call = lambda: _results(f(symbol("t"), Symbols(part, what)), part, what, size)
    try:
        first, second = (_traced(call) for _ in range(2))
    except MekaneError:
        raise
    except Exception as error:  # whatever a user's function may raise when it meets a symbol
        return Trace(reason=f"{type(error).__name__}: {error}")
    same = all(a is b or (isinstance(a, float) and a == b) for a, b in zip(first, second, strict=True))
    return Trace(first, outside=outside) if same else Trace(reason="it gives a different answer at every call")


def _traced(call: Callable) -> tuple:
    """What a call gives with symbols; if it asks `if`, of every way through it. An error on one of these says nothing:
    no state may lead there."""
    try:
        return call()
    except Untraceable:
        try:
            return with_branches(call)
        except MekaneError as error:
            raise Untraceable(f"on a way through its conditions: {error}") from None


def _check_arguments(f: Callable, part: str, what: str) -> None:
    try:
        signature(f).bind(None, None)
    except TypeError as error:
        problem = f"the function for {what} cannot be called with two arguments ({error})"
        raise ModelError(
            part, problem, "a function of time and state is expected", "Write it as f(t, state)."
        ) from None
    except ValueError:  # some built-in functions do not list their arguments
        return


def _results(answer, part: str, what: str, size: int) -> tuple:
    if size == 1:
        return (_result(answer, part, what),)
    if not is_list(answer) or len(answer) != size:
        raise ModelError(part, f"the function for {what} returned {shown(answer)}", f"{size} components are expected")
    return tuple(_result(component, part, what) for component in answer)


def _result(answer, part: str, what: str) -> Expr | float:
    if isinstance(answer, np.ndarray) and answer.ndim == 0:
        answer = answer.item()
    if isinstance(answer, Expr) and not any(
        isinstance(x, complex) for node in topological([answer]) for x in node.args
    ):
        return answer
    if not isinstance(answer, Real | np.bool_) or not math.isfinite(answer):
        raise ModelError(part, f"the function for {what} returned {shown(answer)}", "a finite number is expected")
    return float(answer)
