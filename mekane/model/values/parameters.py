"""Parameters: numbers with a name, from which any other number of a model may be computed.

    k, l = mk.Param("k", 4e3), mk.Param("l", "80 mm")     in Python: symbols; l/2, np.sin(a) and (l/2, 0, 0) work
    "$k"   "$l/2"   "$2*k + 1"   "${wheel base}/2"        as text, in Python and in files

In the values of forces and constraints they stay symbols, which the laws read while they run. Everywhere else the
system puts in the number (`numbers`), when a part is made and again whenever a parameter is changed.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from mekane.errors import ExpressionError, ModelError, did_you_mean
from mekane.expressions.graph import Expr, Table, evaluate, substitute, symbol, to_text, topological
from mekane.expressions.node import node, scalar
from mekane.expressions.parse import PARAMETER, parse, symbol_name
from mekane.expressions.traced_number import TracedNumber
from mekane.model.names import check_name
from mekane.model.record import Record
from mekane.model.values.units import Measured, Stepped, is_list, measured, shown

PLAIN = (float, int, bool)  # nothing is in them but themselves


def Param(name: str, value=None) -> Expr:
    """A parameter to compute with. With a value (a number, or text with a unit) it need not be added to the system
    beforehand."""
    check_name(name, "parameter")
    if value is None:
        return symbol(symbol_name(name))
    return node("input", name=symbol_name(name), data=measured(value, f"parameter {name!r}"))


def has_parameters(given) -> bool:
    """True if the argument contains a parameter: an expression, or text with a $."""
    if given is None or type(given) in PLAIN:
        return False
    if isinstance(given, str):
        return PARAMETER in given
    if isinstance(given, Expr):
        return True
    if isinstance(given, Mapping):
        return any(map(has_parameters, given.values()))
    if isinstance(given, np.ndarray) and given.dtype != object:
        return False
    if hasattr(given, "with_arguments"):
        return has_parameters(given.arguments())
    return is_list(given) and any(map(has_parameters, given))


def numbers(system, given, part: str, what: str):
    """The argument, with a number wherever it was given with parameters."""
    if not has_parameters(given) or (isinstance(given, str) and system.has(given)):
        return given
    if isinstance(given, str):
        pieces = split(given)
        if pieces is not None:
            return [numbers(system, piece, part, what) for piece in pieces]
        return _number(system, _read(given, part, what), given, part, what)
    if isinstance(given, Expr):
        return _number(system, given, given, part, what)
    if isinstance(given, Mapping):
        return {keyword: numbers(system, one, part, what) for keyword, one in given.items()}
    if is_list(given):
        return [numbers(system, one, part, what) for one in given]
    return given.with_arguments(lambda one, keyword: numbers(system, one, part, f"{keyword} of {what}"))


def tables(system, given, part: str, what: str):
    """The given value of a force or constraint, with numbers in its tables; all else is read as an expression."""
    if isinstance(given, Mapping) and "table" in given:
        return {**given, "table": _plain(numbers(system, given["table"], part, f"the table of {what}"))}
    return given


def _plain(given):
    """Points of tables are numbers: those that carry an expression leave it here."""
    if isinstance(given, Stepped) and isinstance(given.number, TracedNumber):
        return given.number.real
    return [_plain(one) for one in given] if isinstance(given, list | tuple) else given


def value_with_unit(system, symbol: str) -> Measured | None:
    """The value of a parameter, if it was given with a unit."""
    name = symbol.removeprefix(PARAMETER).strip("{}")
    value, now = system._measured.get(name), system.parameters.get(name)
    return value if value is not None and isinstance(now, float) and value == now else None


def check_units(system, given, read) -> None:
    """Read the argument of a law with numbers wherever a parameter that was given with a unit stands alone: the unit
    must fit there."""
    measures = _measures(system, given)
    if measures is not given:
        read(measures)


def _measures(system, given):
    """With such numbers in place; itself if there are none."""
    if isinstance(given, list | tuple):
        measures = [_measures(system, one) for one in given]
        return given if all(a is b for a, b in zip(measures, given, strict=True)) else measures
    alone = given.name if isinstance(given, Expr) and given.op == "input" else given
    known = value_with_unit(system, alone.strip()) if isinstance(alone, str) else None
    came_with = getattr(given, "data", None) if isinstance(given, Expr) else None
    return (
        known if known is not None else came_with if isinstance(came_with, Measured) and given.op == "input" else given
    )


def adopted(system, value):
    """A Value, or a tuple of them, without the numbers that its parameters came with: the system knows these now."""
    if isinstance(value, tuple):
        return tuple(adopted(system, one) for one in value)
    graph = getattr(value, "graph", None)
    return replace(value, graph=known(system, graph)) if isinstance(graph, Expr) else value


def known(system, graph):
    """The expression with plain symbols for parameters that came with a value, which the system takes on."""
    given = [x for x in topological([graph]) if x.op == "input" and x.data is not None]
    for x in given:
        system.take_parameter(x.name.removeprefix(PARAMETER), x.data)
    return substitute(graph, {x.name: symbol(x.name) for x in given}) if given else graph


def _read(text: str, part: str, what: str):
    try:
        return parse(text)
    except ExpressionError as error:
        remedy = error.remedy or "A parameter is a number in SI units; units are given where it gets its value."
        raise ExpressionError(part, f"{what}: {error.part}: {error.problem}", error.expected, remedy) from None


def _number(system, graph, given, part: str, what: str):
    """The number that an expression of parameters comes to."""
    if not isinstance(graph, Expr):
        return graph
    graph = known(system, graph)
    if graph.op == "input" and (value := value_with_unit(system, graph.name)) is not None:
        return value
    values = system.constants
    for x in topological([graph]):
        if x.op == "callback" or (x.op == "input" and x.name not in values):
            raise _not_known(system, x, given, part, what)
    with_expressions = any(isinstance(x, TracedNumber) for x in values.values())
    value = evaluate(graph, {name: x.real for name, x in values.items()} if with_expressions else values)
    if not np.isfinite(value):
        problem = f"{what} is {_shown(given)}, which comes to {value:g}"
        raise ModelError(part, problem, "a finite number is expected", "Check the parameters in it.")
    if with_expressions:
        expr = evaluate(graph, {name: scalar(x) for name, x in values.items()})
        return Stepped(TracedNumber(float(value), expr)) if isinstance(expr, Expr) else float(value)
    return Stepped(value) if isinstance(value, complex) and value.imag != 0.0 else float(np.real(value))


def _not_known(system, x, given, part: str, what: str) -> ModelError:
    if x.op == "callback" or x.name == "t" or ("." in x.name and not x.name.startswith(PARAMETER)):
        problem = f"{what} is {_shown(given)}, which reads {x.name!r}"
        return ModelError(
            part,
            problem,
            "only parameters may be in a number that does not change",
            "Values of forces may hold the state.",
        )
    name = x.name.removeprefix(PARAMETER)
    expected = f"this system has {', '.join(system.parameters)}" if system.parameters else "this system has none yet"
    remedy = (
        did_you_mean(name, system.parameters).strip()
        or f'Write s.parameter("{name}", …) first, or mk.Param("{name}", value).'
    )
    return ModelError(part, f"{what} is {_shown(given)}, and {name!r} is not a parameter", expected, remedy)


def _shown(given) -> str:
    return shown(f"${to_text(given)}" if isinstance(given, Expr) else given)


def split(text: str) -> list[str] | None:
    """ "($a, 0, max($a, 1))" → its three pieces; None if it is no list in brackets."""
    inner = text.strip()
    if inner[:1] + inner[-1:] not in ("()", "[]"):
        return None
    pieces, depth = [""], 0
    for letter in inner[1:-1]:
        depth += (letter in "([") - (letter in ")]")
        if depth < 0:
            return None
        if letter == "," and depth == 0:
            pieces.append("")
        else:
            pieces[-1] += letter
    return [piece.strip() for piece in pieces] if len(pieces) > 1 else None


# ---------------------------------------------------------------- arguments, kept and written


class ConstructionRecord(NamedTuple):
    """How a part was made: the method of System, its arguments, and the record that came of it."""

    kind: str
    keywords: dict
    record: object

    @property
    def with_parameters(self) -> bool:
        return any(map(has_parameters, self.keywords.values()))


def parameters_in(given, names) -> list[str]:
    """Which of these parameters stand in an argument."""
    text = str(written(given)) if has_parameters(given) else ""
    return [name for name in names if re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.])", text)]


def kept(given):
    """A copy that nobody changes; parts by their names."""
    if given is None or type(given) in PLAIN:
        return given
    if isinstance(given, Record) and hasattr(given, "name"):
        return given.name
    if isinstance(given, Mapping):
        return {kept(keyword): kept(one) for keyword, one in given.items()}
    if isinstance(given, list | tuple):
        return type(given)(map(kept, given)) if type(given) in (list, tuple) else given
    return given.copy() if isinstance(given, np.ndarray) else given


def written(given):
    """An argument in the form of a model file: plain data, parameters as "$…"."""
    if isinstance(given, Expr):
        text = to_text(given)
        return text if text.startswith(PARAMETER) else PARAMETER + text
    if isinstance(given, Table):
        return {"table": [[x, y] for x, y in zip(given.xs, given.ys, strict=True)], "kind": given.kind}
    if hasattr(given, "as_matrix"):  # scipy.spatial.transform.Rotation
        return given.as_matrix().tolist()
    if hasattr(given, "to_dict"):
        return given.to_dict()
    if isinstance(given, Mapping):
        return {keyword: written(one) for keyword, one in given.items()}
    if is_list(given):
        return [written(one) for one in given]
    if isinstance(given, np.generic | np.ndarray):
        return given.item()
    return given if given is None or isinstance(given, bool | int | float | str) else str(given)
