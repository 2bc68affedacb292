"""Instants at which steps of many runs shall end, because a law of time changes there (expressions.time_laws)."""

import numpy as np

from mekane.expressions.graph import evaluate
from mekane.expressions.parse import symbol_name
from mekane.expressions.time_laws import TimeLaws


def stops_of(symbolic, varied, t_end, rtol):
    """(runs or 1, stops), each row rising and then infinite. symbolic: SymbolicTables; varied: {name: numbers}."""
    program = symbolic.compiled.program
    laws, usual = TimeLaws(program, symbolic.compiled.n_fixed), program.event_times(rtol)
    if not laws:
        return usual[None]
    numbers, which = different_numbers(symbolic, laws.parameters, varied)
    found = []
    for one in numbers:
        r = registers_with(symbolic, laws.parameters, one)
        found.append(np.unique(np.concatenate([usual, laws.between(r, 0.0, t_end).event_times])))
    rows = np.full((len(found), max(map(len, found))), np.inf)
    for row, instants in zip(rows, found, strict=True):
        row[: len(instants)] = instants
    return rows[which]


def different_numbers(symbolic, registers, varied):
    """(different, registers): the numbers in these registers, and which of them each run has; one where all have the same."""
    given = {symbol_name(name): np.asarray(values, float) for name, values in varied.items()}
    expressions = [symbolic.registers[k] for k in registers]
    columns = [np.asarray(x, float) for x in evaluate(expressions, given)] if expressions else []
    if all(column.ndim == 0 for column in columns):
        return np.array([columns], float).reshape(1, -1), np.zeros(1, int)
    numbers, which = np.unique(np.stack(np.broadcast_arrays(*columns), 1), axis=0, return_inverse=True)
    return numbers, which.reshape(-1)


def registers_with(symbolic, registers, numbers):
    """The registers of the tape, with these numbers in some; symbols that no law of time reads are zero."""
    r = np.array([x if isinstance(x, float) else 0.0 for x in symbolic.registers], float)
    r[registers] = numbers
    return r
