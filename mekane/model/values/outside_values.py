"""What a Python function reads besides its arguments: variables it closes over, globals, defaults, its object.

A function is traced once, so what it reads from outside would be frozen at its value then. Therefore:

    numbers, texts, tuples, frozen records, functions, modules   it may be traced; what it saw is remembered, and a run
                                                                 is refused once one of them means something else
    lists, dictionaries, arrays, other objects                   may change at any time: it is not traced, but called

Functions of the standard library and of installed packages are not looked into.
"""

import dis
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from functools import cache, partial
from numbers import Number
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType

import numpy as np

from mekane.expressions.node import Expr
from mekane.expressions.table import Table

PLAIN = (Number, np.generic, str, bytes, type(None), type(...), range, Expr, Table)
GLOBALS, CELLS = ("LOAD_GLOBAL", "LOAD_NAME"), ("LOAD_DEREF", "LOAD_CLASSDEREF", "LOAD_FROM_DICT_OR_DEREF")
ATTRIBUTES = ("LOAD_ATTR", "LOAD_METHOD")
CLOCKS = ("time", "datetime", "random", "secrets")  # modules of clocks and of chance
STORES = ("STORE_GLOBAL", "DELETE_GLOBAL", "STORE_DEREF", "DELETE_DEREF")


class MayChange(Exception):
    """A function reads something that may change at any time, or changes it itself."""


@dataclass(frozen=True)
class Seen:
    """A name outside of a function and what it meant when the function was traced."""

    name: str
    value: object
    now: Callable[[], object]  # what it means now; raises where there is no such name any more

    def changed(self) -> bool:
        try:
            now = self.now()
        except Exception:  # the name was deleted
            return True
        return now is not self.value and not _is_same(now, self.value)


class OutsideValues:
    """What a function reads that may be bound anew; MayChange says what may change in place."""

    def __init__(self, function: Callable):
        self.function = function
        self.seen = tuple({(seen.name, id(seen.value)): seen for seen in _of_callable(function, set())}.values())

    def changed(self) -> Seen | None:
        """One that means something else now."""
        return next((seen for seen in self.seen if seen.changed()), None)

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        """Another process has variables of its own."""
        return OutsideValues, (self.function,)


def _is_same(a, b) -> bool:
    return type(a) is type(b) and isinstance(a, (*PLAIN, tuple, frozenset)) and (a == b or (a != a and b != b))


# ---------------------------------------------------------------- what is called


def _of_callable(f, visited: set) -> Iterator[Seen]:
    """f: a function, or what stands for one."""
    if id(f) in visited:
        return
    visited.add(id(f))
    if isinstance(f, partial):
        yield from _of_callable(f.func, visited)
        for value in (*f.args, *f.keywords.values()):
            yield from _of_value(value, "an argument of partial", visited)
    elif isinstance(f, MethodType):
        yield from _of_value(f.__self__, "its own object", visited)
        yield from _of_callable(f.__func__, visited)
    elif hasattr(f, "__wrapped__"):
        yield from _of_callable(f.__wrapped__, visited)
    elif isinstance(f, FunctionType):
        if not _is_library(f.__code__.co_filename):
            yield from _of_function(f, visited)
    elif not isinstance(f, (type, BuiltinFunctionType, np.ufunc)):
        yield from _of_value(f, "its own object", visited)
        yield from _of_callable(type(f).__call__, visited)


def _of_function(f: FunctionType, visited: set) -> Iterator[Seen]:
    for value in (*(f.__defaults__ or ()), *(f.__kwdefaults__ or {}).values()):
        yield from _of_value(value, "a default argument", visited)
    cells = dict(zip(f.__code__.co_freevars, f.__closure__ or (), strict=True))
    for code in _codes(f.__code__):
        yield from _of_code(code, cells, f.__globals__, visited)


def _codes(code: CodeType) -> Iterator[CodeType]:
    """A function's own code and that of functions inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _of_code(code: CodeType, cells: dict, names: dict, visited: set) -> Iterator[Seen]:
    instructions = list(dis.get_instructions(code))
    for i, instruction in enumerate(instructions):
        name = instruction.argval
        if instruction.opname in STORES and (name in cells or instruction.opname.endswith("GLOBAL")):
            raise MayChange(f"it changes {name!r} outside itself")
        path = _path(instructions[i + 1 :])
        if instruction.opname in GLOBALS and name in names:
            yield from _of_name(name, lambda name=name: names[name], path, visited)
        elif instruction.opname in CELLS and name in cells:
            yield from _of_name(name, lambda name=name: cells[name].cell_contents, path, visited)


def _path(following: list) -> list[str]:
    """Names of the attributes that are read of what was just loaded: of `config.motor.gain`, motor and gain."""
    path = []
    for instruction in following:
        if instruction.opname not in ATTRIBUTES:
            break
        path.append(instruction.argval)
    return path


# ---------------------------------------------------------------- what is read


def _of_name(name: str, now: Callable, path: list[str], visited: set) -> Iterator[Seen]:
    """A variable, followed through attributes of modules and classes of the user."""
    try:
        value = now()
    except ValueError:  # a variable that has no value yet: the function itself will say so
        return
    yield Seen(name, value, now)
    if isinstance(value, ModuleType) and value.__name__ in CLOCKS:
        raise MayChange(f"it reads the module {name!r}, whose answers change")
    if isinstance(value, (ModuleType, type)):
        if path and _is_users(value) and hasattr(value, path[0]):
            yield from _of_name(f"{name}.{path[0]}", lambda: getattr(now(), path[0]), path[1:], visited)
    else:
        yield from _of_value(value, repr(name), visited)


def _of_value(value, name: str, visited: set) -> Iterator[Seen]:
    """Nothing for what never changes; MayChange for what may."""
    if isinstance(value, (*PLAIN, ModuleType, type)):
        return
    if isinstance(value, (tuple, frozenset)):
        for one in value:
            yield from _of_value(one, name, visited)
    elif is_dataclass(value) and type(value).__dataclass_params__.frozen:
        for field in fields(value):
            yield from _of_value(getattr(value, field.name), name, visited)
    elif isinstance(value, np.ndarray) and not value.flags.writeable:
        return
    elif isinstance(value, (FunctionType, MethodType, BuiltinFunctionType, partial, np.ufunc)) or (
        callable(value) and hasattr(value, "__wrapped__")
    ):
        yield from _of_callable(value, visited)
    else:
        raise MayChange(f"it reads {name}, {_article(type(value).__name__)}, which may change")


def _article(kind: str) -> str:
    return f"an {kind}" if kind[0] in "aeiouAEIOU" else f"a {kind}"


def _is_users(owner) -> bool:
    """True for a module or class that is neither of the standard library nor of an installed package."""
    module = owner if isinstance(owner, ModuleType) else sys.modules.get(owner.__module__)
    file = getattr(module, "__file__", None)
    return not _is_library(file) if file else getattr(module, "__name__", "") == "__main__"


def _is_library(file: str) -> bool:
    return file.startswith("<frozen") or any(folder in Path(file).parents for folder in libraries())


@cache
def libraries() -> frozenset[Path]:
    """Folders of the standard library, of installed packages and of Mekane."""
    import sysconfig  # when a function is traced, not at every start

    installed = {Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    return frozenset(installed | {Path(__file__).parents[2]})
