"""A compiled model with expressions in place of numbers: what the equations of motion are traced from.

The system is built again with numbers that carry an expression in place of its parameters, as `parameter_derivatives`
does with numbers that carry a derivative. So whatever is computed from a parameter, on the way from what was specified to
the tables, comes out as an expression of it. Numbers that no parameter specifies get symbols of their own where the
records of parts hold them (`implicit_symbols`).
"""

from typing import NamedTuple

import numpy as np

from mekane.compiler.compiled import Compiled
from mekane.compiler.compiler import compile_system
from mekane.compiler.implicit_symbols import Symbols, with_implicit_symbols
from mekane.errors import ModelError, did_you_mean
from mekane.expressions.node import scalar, symbol
from mekane.expressions.parse import symbol_name
from mekane.expressions.traced_number import TracedNumber
from mekane.model.construction_log import rebuilt
from mekane.model.values.parameters import parameters_in
from mekane.model.values.units import shown
from mekane.tables import columns as at
from mekane.tables.tables import Tables

CHOICES = ("numeric", "named", "symbolic")


class SymbolicTables(NamedTuple):
    """The tables of a system with expressions in them.

    They belong together with the registers, as those of table_slopes do: the tape computes what expressions of
    parameters come to in laws, so its code is not that of compile_system. The order of coordinates, speeds, rows and
    actions is the same.
    """

    compiled: Compiled  # of the system that holds the expressions: for names, rows, registers
    tables: Tables  # integers as in `compiled`; float tables hold expressions and floats
    registers: np.ndarray  # of the tape, symbols of parameters and constants in place
    base: tuple  # acceleration of the ground, −gravity: three expressions or floats
    values: dict[str, float]  # symbol name → its value in this system
    meanings: dict[str, str]  # symbol name → what it is, with its unit
    fixed: dict[str, str]  # parameters requested that stayed numbers somewhere → why


def symbolic(system, formulation: str = "joint", parameters="symbolic", tidy=scalar) -> SymbolicTables:
    """The tables of a system in which numbers are symbols.

    parameters: "numeric" (none), "named" (parameters, inputs and discrete variables of the system), "symbolic" (these, and
        every other physical number gets a symbol of its own), or a list of names: parameters, inputs, variables,
        addresses such as "arm.mass", names that "symbolic" would give such as "hinge.a.x".
    tidy: a function that rewrites expressions of parameters, where parts hold them and in the tables; it must keep what
        they come to.
    """
    system, names, own = chosen_symbols(system, parameters)
    placed = {
        name: f"it gave where {part!r} is, which an analysis has put elsewhere"
        for name, part in system._placed_by.items()
        if name in names
    }
    carrying = {name: TracedNumber(float(system.parameters[name]), symbol(symbol_name(name))) for name in names}
    twin = rebuilt(system, system.parameters | {name: x for name, x in carrying.items() if name not in placed})
    twin.parameters |= carrying  # in laws those that give places are symbols as well
    symbols = Symbols(
        own, {name: f"parameter {name!r}" for name in names}, {name: system.parameters[name] for name in names}, tidy
    )
    if names or own != ():
        twin = with_implicit_symbols(twin, symbols)
    compiled = compile_system(twin, formulation)
    W = compiled.workspace()
    base = tuple(tidy(scalar(x)) for x in W.body[0, at.B_A : at.B_A + 3])
    values, meanings = (
        {symbol_name(name): entry for name, entry in entries.items()} for entries in (symbols.values, symbols.meanings)
    )
    fixed, registers = placed | in_tables(system, names), objects(W.r)
    for name, (value, meaning) in signals(system, parameters).items():
        registers[compiled.discrete_registers.start + compiled.discrete.index(name)] = symbol(name)
        values[name], meanings[name] = value, meaning
    return SymbolicTables(compiled, expressions_of(compiled.tables, tidy), registers, base, values, meanings, fixed)


def signals(system, parameters) -> dict[str, tuple[float, str]]:
    """{name: (value, meaning)} of the inputs and discrete variables that are symbols: constant in a smooth phase, as
    parameters are."""
    parts = {name: one for name, one in {**system.inputs, **system.variables}.items() if "." not in name}
    chosen = [] if parameters == "numeric" else parts if isinstance(parameters, str) else parameters
    units = {name: f" [{one.unit}]" if getattr(one, "unit", "") else "" for name, one in parts.items()}
    return {name: (float(parts[name].value), parts[name].part + units[name]) for name in chosen if name in parts}


def chosen_symbols(system, parameters):
    """The system with all parameters that are to be symbols, their names, and the names of own symbols (None: all that
    there are)."""
    if isinstance(parameters, str):
        if parameters not in CHOICES:
            remedy = did_you_mean(parameters, CHOICES).strip() or f"For one alone write parameters=[{parameters!r}]."
            raise ModelError(
                "parameters",
                f"they are {shown(parameters)}",
                f"{', '.join(CHOICES)} or a list of names is expected",
                remedy,
            )
        return (
            system,
            list(system.parameters) if parameters != "numeric" else [],
            None if parameters == "symbolic" else (),
        )
    if not isinstance(parameters, list | tuple | set | frozenset) or not all(
        isinstance(name, str) for name in parameters
    ):
        problem, remedy = f"they are {shown(parameters)}", 'Write for example parameters=["m", "arm.mass"].'
        raise ModelError("parameters", problem, f"{', '.join(CHOICES)} or a list of names is expected", remedy)
    names, own = [], []
    for name in parameters:
        if name in system.inputs or name in system.variables:
            continue  # see signals
        known = name in system.parameters
        if not known and "." not in str(name) and name != "gravity":
            remedy = did_you_mean(str(name), system.parameters).strip()
            raise ModelError(
                f"system {system.name!r}", f"{shown(name)} is not a parameter", "names of numbers are expected", remedy
            )
        try:
            system = system if known else system.named([name])
            names.append(name)
        except ModelError:
            symbols = Symbols((name,))
            with_implicit_symbols(system.copied(), symbols)
            if not symbols.values:
                raise
            own.append(name)
    return system, names, tuple(own)


def in_tables(system, names) -> dict[str, str]:
    """Parameters in the points of tables, which are numbers."""
    found = {}
    for part, made in system._construction.items():
        for keyword, given in made.keywords.items():
            if isinstance(given, dict) and "table" in given:
                found |= {
                    name: f"it is a number in the table of {part}.{keyword}"
                    for name in parameters_in(given["table"], names)
                }
    return found


def expressions_of(tables: Tables, tidy) -> Tables:
    """Expressions, or plain floats, in all tables of floats."""
    fields = zip(tables._fields, tables, Tables.kinds(), strict=True)
    return Tables(**{keyword: objects(array, tidy) if kind == "f" else array for keyword, array, (kind, _) in fields})


def objects(array, tidy=scalar) -> np.ndarray:
    found = np.empty(array.shape, object)
    for where, x in np.ndenumerate(array):
        found[where] = tidy(scalar(x))
    return found
