"""Whether a law of the state may change within a small part of a motion, as a table, exp(-(1e3*x)**2) or a Python
function can: steps that are long where nothing happens may pass over that."""

from mekane.expressions import opcodes as op
from mekane.expressions.time_laws import FIXED, OTHER, TimeLaws, arguments

NARROW = (op.TABLE, op.EXP, op.TANH, op.SINH, op.COSH, op.ATAN, op.ATAN2)


def may_be_narrow(tape, n_fixed):
    """n_fixed: inputs after t that keep their value during a run."""
    if tape.callbacks:
        return True
    kind = TimeLaws(tape, n_fixed).kind
    return any(is_narrow(line, [kind[x] for x in arguments(line)]) for line in tape.code.tolist())


def is_narrow(line, kinds):
    """kinds: what the arguments of an instruction depend on."""
    if line[0] in NARROW:
        return OTHER in kinds
    return line[0] in (op.DIV, op.POW) and OTHER in kinds and kinds[1 if line[0] == op.DIV else 0] != FIXED
