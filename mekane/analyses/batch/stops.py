"""Instants at which steps of many runs shall end, because a law of time changes there (expressions.time_laws), and which
comparisons are located on the way."""

from typing import NamedTuple

import numpy as np

from mekane.expressions.graph import evaluate
from mekane.expressions.parse import symbol_name
from mekane.expressions.time_laws import TimeLaws


class Stops(NamedTuple):
    instants: np.ndarray  # (runs or 1, stops), each row rising and then infinite
    watched: np.ndarray  # (runs or 1, comparisons) 1 where changes of sides are not among the instants


def stops_of(symbolic, varied, t_end, rtol):
    """Stops. symbolic: SymbolicTables; varied: {name: numbers}."""
    program = symbolic.compiled.program
    laws, usual = TimeLaws(program, symbolic.compiled.n_fixed), program.event_times(rtol)
    if not laws:
        return Stops(usual[None], ~np.array(program.event_is_time, bool)[None])
    numbers, which = different_numbers(symbolic, laws.parameters, varied)
    found = [laws.between(registers_with(symbolic, laws.parameters, one), 0.0, t_end) for one in numbers]
    instants = [np.unique(np.concatenate([usual, one.event_times])) for one in found]
    rows = np.full((len(found), max(map(len, instants))), np.inf)
    for row, some in zip(rows, instants, strict=True):
        row[: len(some)] = some
    return Stops(rows[which], np.array([one.watched for one in found])[which])


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
