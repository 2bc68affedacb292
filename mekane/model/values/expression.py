"""Values that must have an expression: Python functions that cannot be traced are refused."""

from collections.abc import Callable

from mekane.errors import ModelError
from mekane.model.values.parameters import adopted, check_units, tables
from mekane.model.values.values import Value, read_value, read_vector


def read_expression(system, given, dimension: str | None, part: str, what: str, why: str) -> Value:
    """One Value. why: what needs the expression, for the error."""
    return _read(system, given, lambda one: read_value(one, dimension, part, what), part, what, why)


def read_expressions(system, given, dimension: str, part: str, what: str, why: str) -> tuple[Value, ...]:
    """Three Values."""
    return _read(system, given, lambda one: read_vector(one, dimension, part, what), part, what, why)


def _read(system, given, read: Callable, part: str, what: str, why: str):
    check_units(system, given, read)
    made = adopted(system, read(tables(system, given, part, what)))
    for value in made if isinstance(made, tuple) else (made,):
        if value.callback is not None:
            problem = f"{what} is a Python function that has no expression ({value.reason})"
            raise ModelError(part, problem, why, value.remedy)
    return made
