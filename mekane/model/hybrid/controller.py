"""Controller: what is computed at the ticks of a clock, and held in between."""

import re
from collections.abc import Callable, Mapping
from inspect import signature

from mekane.errors import ModelError, did_you_mean
from mekane.expressions.graph import symbol
from mekane.model.hybrid.function_expressions import function_expressions
from mekane.model.interface.kind_help import Argument
from mekane.model.named_part import NamedPart
from mekane.model.names import quoted
from mekane.model.values.expression import read_expression
from mekane.model.values.parameters import numbers
from mekane.model.values.units import is_list, positive, quantity, shown
from mekane.model.values.values import Value

FUNCTION = "a function f(t, …), an object that is called so, or expressions are expected"


class Controller(NamedPart, collection="controllers"):
    """A sampled controller: at t = offset, offset + every, offset + 2 every … it reads what it names and sets inputs,
    which keep their values until the next tick.

    function(t, *reads) gives a number, or one for each input it writes. It is called at every tick, unless it is a plain
    formula of its arguments, which is computed without Python. It may also be an object that is called so, with state of
    its own and reset(), which is called at the start of every run; or expressions, one for each input, which may read
    anything.
    """

    every: float  # [s]
    offset: float  # [s]
    delay: float  # [s]
    reads: tuple[Value, ...]
    writes: tuple[str, ...]  # names of inputs
    function: Callable | None  # None if it is given by expressions
    expressions: tuple[Value, ...]  # one for each input it writes; none if the function has to be called

    takes = (
        Argument("every", "NumberLike", "time from one tick to the next", "s"),
        Argument("reads", "str | Sequence[str]", "what the function gets, names or expressions", "", (), True),
        Argument("writes", "str | Input | Sequence[Any] | None", "inputs it sets, or their names", "", None, True),
        Argument(
            "function",
            "Callable[..., Any] | str | Sequence[Any] | Mapping[str, Any]",
            "f(t, …), an object with reset() and __call__, or expressions: one, a list or {input: expression}",
            keyword_only=True,
        ),
        Argument("offset", "NumberLike", "time of the first tick", "s", 0.0, True),
        Argument("delay", "NumberLike", "time from a tick to the change of the inputs", "s", 0.0, True),
    )
    dimensions = {"every": "time", "offset": "time", "delay": "time"}
    example = (
        's.input("u"); s.controller("pilot", "1 ms", reads=["hinge.angle"], writes="u", function=lambda t, a: -20*a)'
    )

    @classmethod
    def read(cls, system, part, name, *, every, reads, writes, function, offset, delay):
        every, offset, delay = (
            numbers(system, given, part, what)
            for given, what in ((every, "every"), (offset, "offset"), (delay, "delay"))
        )
        writes, reads = _writes(system, part, name, writes, function), _reads(system, part, reads)
        if callable(function):
            _check_function(part, function, len(reads))
            expressions = function_expressions(function, part, reads, writes)
        else:
            expressions = _expressions(system, part, function, writes)
        if reads and not callable(function):
            problem = "reads is given, and function is made of expressions"
            raise ModelError(part, problem, "expressions name what they read", "Leave out reads.")
        return cls(
            name,
            every=positive(every, "time", part, "every"),
            offset=_not_negative(offset, part, "offset"),
            delay=_not_negative(delay, part, "delay"),
            reads=reads,
            writes=writes,
            function=function if callable(function) else None,
            expressions=expressions,
        )

    def values(self):
        return [*self.reads, *self.expressions]

    def uses(self):
        return list(self.writes)

    @property
    def summary(self):
        reads = f"{', '.join(value.text for value in self.reads)} → " if self.reads else ""
        return f"every {self.every:g} s: {reads}{', '.join(self.writes)}"

    def to_dict(self):
        if not self.expressions:
            problem, expected = "function is a Python function that is called", "only expressions can be saved"
            raise ModelError(self.part, problem, expected, "Write it as expressions, function={…}.")
        texts = [value.to_dict(self.part, "function") for value in self.expressions]
        written = {"every": self.every, "function": dict(zip(self.writes, texts, strict=True))}
        return written | {what: value for what in ("offset", "delay") if (value := getattr(self, what))}


def _not_negative(given, part: str, what: str) -> float:
    number = quantity(given, "time", part, what)
    if number.real < 0:
        raise ModelError(part, f"{what} is {shown(given)}", "it must not be negative", f"Leave out {what}.")
    return number


def _writes(system, part: str, name: str, writes, function) -> tuple[str, ...]:
    if writes is None and isinstance(function, Mapping):
        writes = list(function)
    if writes is None or (is_list(writes) and not len(writes)):
        remedy = 'Add an input, s.input("u"), and writes=["u"].'
        raise ModelError(part, "it writes nothing", "at least one input is expected", remedy)
    found = tuple(_input(system, part, one) for one in (writes if is_list(writes) else [writes]))
    if len({*found}) < len(found):
        raise ModelError(part, f"writes is {shown(list(found))}", "each input is expected once")
    for other in system.controllers.values():
        twice = [one for one in found if one in other.writes and other.name != name]
        if twice:
            problem = f"controller {other.name!r} writes {quoted(twice)}, too"
            raise ModelError(part, problem, "one controller writes an input", "Give it an input of its own.")
    return found


def _input(system, part: str, who) -> str:
    name = getattr(who, "name", who)
    if not isinstance(name, str) or name not in system.inputs:
        remedy = did_you_mean(str(name), system.inputs).strip() or f'Write s.input("{name}") first.'
        known = f"there are {', '.join(system.inputs)}" if system.inputs else "there are none yet"
        raise ModelError(part, f"it writes {name!r}, which is no input", known, remedy)
    return name


def _reads(system, part: str, reads) -> tuple[Value, ...]:
    if isinstance(reads, str):
        reads = [reads]
    if not is_list(reads):
        raise ModelError(
            part, f"reads is {shown(reads)}", "names of what it reads are expected", 'Write ["hinge.angle"].'
        )
    return tuple(_read_one(system, part, one) for one in reads)


def _read_one(system, part: str, given) -> Value:
    """An expression, or a name as results have it: that of a part may have spaces in it."""
    given = getattr(given, "name", given) if not isinstance(given, str) else given
    if isinstance(given, str):
        owner, _, rest = given.partition(".")
        if system.has(owner) and re.fullmatch(r"[\w.]*", rest):
            return Value(given, symbol(given))
    return read_expression(system, given, None, part, "reads", "a controller reads names and expressions")


def _expressions(system, part: str, function, writes: tuple[str, ...]) -> tuple[Value, ...]:
    if isinstance(function, Mapping) and "table" not in function:
        if {*function} != {*writes}:
            problem = f"function has {quoted(function) if function else 'nothing'}"
            raise ModelError(part, problem, f"expressions for {quoted(writes)} are expected")
        function = [function[name] for name in writes]
    given = function if is_list(function) else [function]
    if len(given) != len(writes):
        problem = f"function has {len(given)} expressions for {len(writes)} inputs"
        raise ModelError(part, problem, f"one for each of {quoted(writes)} is expected")
    if any(one is None or callable(one) for one in given):
        raise ModelError(part, f"function is {shown(function)}", FUNCTION)
    return tuple(read_expression(system, one, None, part, "function", FUNCTION) for one in given)


def _check_function(part: str, function, reads: int) -> None:
    if isinstance(function, type):
        problem = f"function is the class {function.__name__}"
        raise ModelError(part, problem, FUNCTION, f"Write function={function.__name__}(…).")
    if hasattr(function, "reset") and not callable(function.reset):
        raise ModelError(part, "reset of its function is not a method", FUNCTION)
    try:
        signature(function).bind(*[None] * (1 + reads))
    except TypeError as error:
        problem = f"function cannot be called with the time and {reads} numbers ({error})"
        raise ModelError(part, problem, "it gets t and one number for each of reads", "Change reads or f.") from None
    except ValueError:  # some built-in functions do not list their arguments
        return
