"""Which comparisons and jumps of a tape are guards of events, and where conditions stand."""

import numpy as np

from mekane.expressions import opcodes as op
from mekane.expressions.frozen_discontinuities import TOUCHES
from mekane.tables.columns import C_GUARD
from mekane.tables.tables import n_guards


def conditions_of(compiled):
    """(events, 2): register of the condition, 1 where it may be met at the start."""
    events = compiled.system.events.values()
    lines = [(one.condition, int(event.at_start)) for one, event in zip(compiled.events, events, strict=True)]
    return np.array(lines, np.int64).reshape(-1, 2)


def comparisons_of(compiled, time_laws):
    """For each comparison of the tape, and then for both guards of each jump: whether laws need it; (events, comparisons)
    whether conditions need it; what changes there (TOUCHES for `a <= b` in a condition)."""
    program = compiled.program
    n_comparisons, n = len(program.comparisons), len(program.modes())
    if not compiled.events and not compiled.controllers:
        what = np.zeros(n, np.int64)
        what[n_comparisons:] = program.discontinuity_sides
        return np.ones(n, bool), np.zeros((0, n), bool), what
    first = len(program.registers()) - len(program.code)
    numbers = {first + instruction: (k,) for k, instruction in enumerate(program.comparisons)}
    for k, instruction in enumerate(program.discontinuities):
        numbers[first + instruction] = n_comparisons + 2 * k, n_comparisons + 2 * k + 1
    of = lambda registers: {
        k for one in registers for x in time_laws.needed(int(one)) if x in numbers for k in numbers[x]
    }
    at_instants = [x for event in compiled.events for x in (*event.set.values(), *np.ravel(event.impulses))]
    at_instants += [x for one in compiled.controllers for x in (*one.expressions, *one.reads) if not isinstance(x, str)]
    laws, what = np.zeros(n, bool), np.zeros(n, np.int64)
    laws[list(of(program.outputs[: len(program.outputs) - len(at_instants) - len(compiled.events)]))] = (
        True  # they stand last
    )
    conditions = np.zeros((len(compiled.events), n), bool)
    for k, event in enumerate(compiled.events):
        conditions[k, list(of([event.condition]))] = True
    or_equal = [program.code[instruction, 0] == op.LESS_EQUAL for instruction in program.comparisons]
    what[:n_comparisons][conditions.any(axis=0)[:n_comparisons] & np.array(or_equal, bool)] = TOUCHES
    what[n_comparisons:] = program.discontinuity_sides
    return laws, conditions, what


def guard_registers(program):
    """Of all comparisons, and then of all jumps."""
    return np.concatenate([program.event_registers, program.discontinuity_registers])


def keep_decided(decided, before, watched):
    """What the last step decided (Scratch.decided) stays with its comparison, where others are located from here on.
    before, watched: numbers of the comparisons."""
    known = dict(zip(before.tolist(), decided[: len(before)].tolist(), strict=True))
    decided[:] = 0.0
    decided[: len(watched)] = [known.get(k, 0.0) for k in watched.tolist()]


def guards_of_contacts(compiled):
    """Lines of Solver.events for the guards of contact laws: positive while the modes hold."""
    n, first = n_guards(compiled.tables), len(compiled.program.modes())
    if not n:
        return np.zeros((0, 4), np.int64)
    registers = compiled.tables.contact_i[0, C_GUARD] + np.arange(n)
    return np.stack([registers, first + np.arange(n), np.zeros(n, int), np.ones(n, int)], axis=1)
