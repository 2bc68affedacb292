"""Conditions of events: comparisons of time, the state and discrete variables."""

from mekane.errors import ModelError
from mekane.expressions.graph import Expr
from mekane.model.values.expression import read_expression
from mekane.model.values.units import shown
from mekane.model.values.values import Value

EXPECTED = "a condition of the time or the state is expected"
REMEDY = 'Write for example when="t >= 2" or when="arm.position.z < 0".'


def read_condition(system, given, part: str) -> Value:
    """The Value of `when`, which is true where it is not zero."""
    if given is None or (isinstance(given, str) and not given.strip()):
        raise ModelError(part, "when is empty", EXPECTED, REMEDY)
    if isinstance(given, bool):
        raise ModelError(part, f"when is {given}", EXPECTED, REMEDY)
    made = read_expression(system, given, None, part, "when", "a condition is located on its expression")
    if not isinstance(made.graph, Expr) or set(made.names()) <= set(system.constants):
        raise ModelError(part, f"when is {_text(made)}, which never changes", EXPECTED, REMEDY)
    if not is_condition(system, made.graph):
        remedy = f'Write for example when="{made.given} > 0".' if isinstance(made.given, str) else REMEDY
        raise ModelError(part, f"when is {_text(made)}, which compares nothing", EXPECTED, remedy)
    return made


def is_condition(system, graph) -> bool:
    """True if the expression is 0 or 1: comparisons, joined by and, or, not; discrete variables; hook.active."""
    if not isinstance(graph, Expr):
        return graph in (0.0, 1.0)
    if graph.op == "input":
        return graph.name in system.variables or graph.name in system.inputs or graph.name.endswith(".active")
    if graph.op == "select":
        return all(is_condition(system, one) for one in graph.args[1:])
    return graph.op in ("less", "less_equal") or (
        graph.op == "mul" and all(is_condition(system, one) for one in graph.args)
    )


def _text(value: Value) -> str:
    return shown(value.text)
