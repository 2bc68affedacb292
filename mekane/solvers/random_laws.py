"""Laws that give two values for the same time and state: random numbers, clocks, functions with a memory of their
calls."""

import inspect
import pickle
from types import BuiltinFunctionType, FunctionType, ModuleType

from mekane.errors import ModelError

FIXED = (type, ModuleType, FunctionType, BuiltinFunctionType)  # what they hold is looked at where they are called


def refuse_random(compiled, error):
    """Name the force whose Python function changed its mind. error: `ChangesItsMind`."""
    problem = f"its Python function gave {error}, for the same state"
    expected = "a law depends on time and state alone; no method can meet a tolerance for anything else"
    remedy = "Draw random values beforehand and give them as a table of t; what has a state is a controller, s.controller(…)."
    raise ModelError(owner(compiled.system, error.function), problem, expected, remedy)


def owner(system, function):
    """The part whose law this function is."""
    for record in system.forces.values():
        for value in vars(record).values():
            for one in value if isinstance(value, tuple) else (value,):
                if getattr(one, "callback", None) is function:
                    return record.part
    return f"system {system.name!r}"


# ---------------------------------------------------------------- functions that keep what they have seen


def contents(compiled):
    """{part: bytes}: what the objects hold that the called functions of a model read by name. A function that changes them
    while a motion goes on has a state of its own: steps that were tried and rejected stand in it, too, and a repetition finds it full."""
    found = {}
    for _, call in compiled.program.callbacks:
        part = owner(compiled.system, call)
        found[part] = found.get(part, b"") + b"".join(map(content, objects_of(call.function)))
    return found


def objects_of(function):
    """Variables outside of a function that may change in place, and the object it belongs to."""
    function = getattr(function, "__wrapped__", function)
    own = [] if inspect.isfunction(function) else [getattr(function, "__self__", function)]
    inner = function if inspect.isroutine(function) else type(function).__call__
    try:
        outside = inspect.getclosurevars(inner)
    except TypeError:  # it is not written in Python
        return own
    return [*own, *outside.nonlocals.values(), *outside.globals.values()]


def content(value):
    """A text of bytes that is another one where the value has changed; none for what cannot be written."""
    if isinstance(value, FIXED):
        return b""
    inside = value if isinstance(value, list | dict | set) else getattr(value, "__dict__", value)
    try:
        return pickle.dumps(inside)
    except Exception:  # whatever an object of the user may raise
        return b""


def memory(before, compiled):
    """Why a motion cannot be repeated: a function has changed what it reads; "" if none has."""
    changed = [part for part, now in contents(compiled).items() if now != before[part]]
    if not changed:
        return ""
    return f"the Python function of {changed[0]} has changed what it reads; what has a state is a controller, s.controller(…)"
