"""Values: what a user may give where the physics wants a number. All of them become one expression graph.

    5.0                                                            a number, in SI
    "4 kN/m"                                                       a number with a unit
    "5*sin(3*t)"   "a if t < 0.5 else b"   "-k*crank.angle"        an expression of time, parameters and the state
    {"table": [[0, 1], [2, 5]], "of": "t", "kind": "linear"}       a table, also Table(xs, ys, kind)
    lambda t, state: 5*np.sin(3*t)                                 a Python function

What a Python function may do is described in function_tracing.py.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from mekane.errors import ExpressionError, ModelError, did_you_mean
from mekane.expressions.graph import Expr, Table, callback, inputs, to_text, topological
from mekane.expressions.node import scalar
from mekane.expressions.parse import PARAMETER, parse
from mekane.model.values.function_tracing import AXES, Trace, trace
from mekane.model.values.outside_values import OutsideValues
from mekane.model.values.parameters import split
from mekane.model.values.units import is_list, quantity, shown

NUMBER_AND_UNIT = r"\s*[-+−]?(?>\d+\.?\d*|\.\d+)([eE][+-]?\d+)?+\s*(?P<unit>[^\W\d_]+|°|%)"
MAY_FOLLOW_A_NUMBER = ("if", "and", "or")  # in an expression; any other word there is a unit
TABLE_KEYS = ("table", "of", "kind")


@dataclass(frozen=True)
class Value:
    """One scalar: what was given and what it means. Values are equal if the same was given.

    A function that was not traced is also kept as `callback`, with the `reason` why and a `remedy`; its graph is a
    callback node. Of one that was, `outside` are the variables that it read, with their values then.
    """

    given: object
    graph: Expr | float = field(compare=False)
    callback: Callable | None = field(default=None, compare=False)
    reason: str = field(default="", compare=False)
    remedy: str = field(default="", compare=False)
    outside: OutsideValues | None = field(default=None, compare=False, repr=False)

    def expr(self) -> Expr | float:
        """An expression of "t", parameters, "joint.angle", "joint.angle.rate", "body.position.x" …, or a number."""
        return self.graph

    def names(self) -> list[str]:
        """The inputs it reads; none for a number and for a callback."""
        return inputs([self.graph])

    @property
    def text(self) -> str:
        """The expression, for people."""
        return self.given if isinstance(self.given, str) else to_text(self.graph)

    def to_dict(self, part: str = "value", what: str = "value"):
        """The file form: a number, an expression text or a table."""
        if self.callback is not None:
            problem = f"{what} is a Python function that has no expression ({self.reason})"
            raise ModelError(part, problem, "only expressions can be saved", self.remedy)
        return to_text(self.graph) if callable(self.given) else self.given

    def __hash__(self) -> int:
        return hash(self.graph)


@dataclass(frozen=True, eq=False)
class Call:
    """A Python function as the time loop calls it, or one component of a function that returns three."""

    function: Callable
    index: int | None = None

    def __call__(self, t, state):
        answer = self.function(t, state)
        return answer if self.index is None else answer[self.index]


def read_value(given, dimension: str | None = None, part: str = "value", what: str = "value") -> Value:
    """One Value from the argument of the user; `dimension` is a key of units.DIMENSIONS, `part` and `what` name it in
    errors."""
    if isinstance(given, Value):
        return given
    if isinstance(given, str):
        return Value(given.strip(), _read_text(given, dimension, part, what))
    if isinstance(given, Table | Mapping):
        written = _written(given, part, what)
        return Value(written, _interpolations(written, part, what, columns=1)[0])
    if isinstance(given, Expr):
        return Value(to_text(given), given)
    if callable(given):
        return _read_functions([Call(given)], trace(given, part, what))[0]
    number = quantity(given, dimension, part, what)
    return Value(number, number)


def read_vector(given, dimension: str | None = None, part: str = "value", what: str = "value") -> tuple[Value, ...]:
    """Three Values from a list of three, a text such as "[0, 10*t, 0]", or one table or function that gives three."""
    if isinstance(given, str):
        given = _split(given, part, what)
    elif isinstance(given, Table | Mapping):
        return _read_columns(_written(given, part, what), part, what)
    elif callable(given):
        return _read_functions([Call(given, k) for k in range(3)], trace(given, part, what, size=3))
    if not is_list(given) or len(given) != 3:
        raise ModelError(
            part, f"{what} is {shown(given)}", "three components are expected", f"Write {what}=(0, 0, 10)."
        )
    return tuple(read_value(one, dimension, part, f"{what}.{axis}") for one, axis in zip(given, AXES, strict=True))


def read_six(given, dimensions: tuple[str, str], part: str = "value", what: str = "value") -> tuple:
    """Six Values, or 6×6 of them as six rows. The first three axes have the first dimension, the others the second;
    couplings any."""
    if isinstance(given, np.ndarray):
        given = given.tolist()
    is_matrix = is_list(given) and any(map(is_list, given))
    if (
        not is_list(given)
        or len(given) != 6
        or (is_matrix and not all(is_list(row) and len(row) == 6 for row in given))
    ):
        remedy = f"Write {what}=(x, y, z, rx, ry, rz) or six rows of six."
        raise ModelError(part, f"{what} is {shown(given)}", "six numbers or a 6×6 matrix are expected", remedy)
    if not is_matrix:
        return tuple(read_value(one, dimensions[i // 3], part, f"{what}[{i}]") for i, one in enumerate(given))
    of = lambda i, j: dimensions[i // 3] if i // 3 == j // 3 else None
    return tuple(
        tuple(read_value(one, of(i, j), part, f"{what}[{i}][{j}]") for j, one in enumerate(row))
        for i, row in enumerate(given)
    )


def is_constant(*values) -> bool:
    """True if none changes during a run: numbers, and expressions of parameters alone."""
    nodes = topological([value.graph if isinstance(value, Value) else value for value in values])
    names = [node.name for node in nodes if node.op == "input"]
    return not any(name == "t" or is_of_state(name) for name in names) and all(node.op != "callback" for node in nodes)


def is_of_state(name: str) -> bool:
    """True for "hinge.angle", false for "t", "k" and the parameter "$arm.mass"."""
    return "." in name and not name.startswith(PARAMETER)


def is_zero(value) -> bool:
    """True for the number 0."""
    number = value.graph if isinstance(value, Value) else value
    return isinstance(number, float | int) and number == 0


def _read_text(text: str, dimension: str | None, part: str, what: str) -> Expr | float:
    match = re.match(NUMBER_AND_UNIT, text)
    if match and match["unit"] not in MAY_FOLLOW_A_NUMBER:
        return quantity(text, dimension, part, what)
    try:
        graph = parse(text)
    except ExpressionError as error:
        raise ExpressionError(part, f"{what}: {error.part}: {error.problem}", error.expected, error.remedy) from None
    return graph if isinstance(graph, Expr) else quantity(graph, dimension, part, what)


def _split(text: str, part: str, what: str) -> list[str]:
    """[0, max(1, t), 0] cut at the commas that are in no inner bracket."""
    pieces = split(text)
    if pieces is None:
        raise ModelError(
            part, f"{what} is {shown(text)}", "three components are expected", f'Write {what}=(0, "10*t", 0).'
        )
    return pieces


def _read_functions(calls: list[Call], traced: Trace) -> tuple[Value, ...]:
    if traced.reason:
        return tuple(Value(call, callback(call), call, traced.reason, traced.remedy) for call in calls)
    return tuple(Value(call, graph, outside=traced.outside) for call, graph in zip(calls, traced.results, strict=True))


def _written(given: Table | Mapping, part: str, what: str) -> dict:
    """A table as it is written in YAML: rows [x, y], or [x, y1, y2, y3] for a vector."""
    if isinstance(given, Table):
        given = {"table": np.column_stack([given.xs, given.ys]), "kind": given.kind}
    for keyword in given:
        if keyword not in TABLE_KEYS:
            raise ModelError(
                part,
                f"unknown key {keyword!r} in {what}",
                "a table takes table, of and kind",
                did_you_mean(keyword, TABLE_KEYS),
            )
    rows = given.get("table")
    if not is_list(rows) or not all(map(is_list, rows)):
        raise ModelError(
            part,
            f"the table of {what} is {shown(rows)}",
            "a list of rows is expected",
            "Write table: [[0, 1], [2, 5]].",
        )
    numbers = [[quantity(x, None, part, f"{what}, table row {i}") for x in row] for i, row in enumerate(rows, 1)]
    of = read_value(given.get("of", "t"), None, part, f"{what}: of").to_dict(part, f"{what}: of")
    return {"table": numbers, "of": of, "kind": given.get("kind", "linear")}


def _interpolations(written: dict, part: str, what: str, columns: int) -> list[Expr | float]:
    """The expression of each column."""
    rows, at = written["table"], read_value(written["of"]).expr()
    if any(len(row) != columns + 1 for row in rows):
        shape = "[x, y]" if columns == 1 else "[x, y1, y2, y3]"
        raise ModelError(part, f"the table of {what} is {shown(rows)}", f"rows {shape} are expected")
    xs, *ys = zip(*rows, strict=True) if rows else [()] * (columns + 1)
    try:
        return [scalar(Table(xs, y, written["kind"])(at)) for y in ys]
    except ExpressionError as error:
        raise ModelError(part, f"the table of {what}: {error.problem}", error.expected, error.remedy) from None


def _read_columns(written: dict, part: str, what: str) -> tuple[Value, ...]:
    graphs = _interpolations(written, part, what, columns=3)
    columns = [[[row[0], row[k]] for row in written["table"]] for k in (1, 2, 3)]
    return tuple(Value({**written, "table": column}, graph) for column, graph in zip(columns, graphs, strict=True))
