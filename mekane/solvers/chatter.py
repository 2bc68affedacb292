"""Chatter: comparisons in a law or in the condition of an event that change sides again and again, in almost every step
of a run.

A law that pushes back from both sides of its discontinuity, such as dry friction written as sign(velocity), is kept at
it; so is a motion by two events that undo each other, such as a relay without a gap. Steps then only go from one change
to the next."""

import numpy as np

from mekane.solvers.diagnostics import force_registers
from mekane.solvers.state import N_COUNTERS, STEPS

MANY = 1000  # changes of one comparison
SHARE = 0.5  # of the steps: a comparison that changes more often than in every other step


def what_chatters(solver):
    """{force or event: changes of the comparison in its law or condition that changes most}; "" stands for a law that is
    not of a force."""
    changes, found = solver.counters[N_COUNTERS:], {}
    least = max(MANY, SHARE * solver.counters[STEPS])
    for k in (changes > least).nonzero()[0]:
        for owner in owners(solver, int(k)) or [""]:
            found[owner] = max(found.get(owner, 0), int(changes[k]))
    return found


def owners(solver, comparison):
    """Forces whose values need a comparison or a jump, by its place in Workspace.modes, and events whose conditions do."""
    program, needed = solver.compiled.program, solver.needed_registers
    instructions = [*program.comparisons, *np.repeat(program.discontinuities, 2).astype(int)]
    register = len(program.registers()) - len(program.code) + instructions[comparison]
    forces = [
        owner
        for owner, registers in force_registers(solver.compiled)
        if any(register in needed(int(one)) for one in registers)
    ]
    return forces + [event.name for event in solver.compiled.events if register in needed(int(event.condition))]
