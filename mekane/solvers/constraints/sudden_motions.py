"""Prescribed motions that are discontinuous, or whose speeds are: no finite force makes them.

φ = … + f(t)      f and, of positions, ḟ must be continuous where a comparison or a floor of time changes
"""

import numpy as np

from mekane.errors import ModelError
from mekane.expressions import opcodes as op
from mekane.expressions.tape_ranges import OF_TIME, arguments
from mekane.tables import columns as at

NEARBY = 16  # floats before and after an instant
SAMPLES = 65  # at which the size of a motion is taken
SUDDEN = 1e-6  # of that size: slopes of continuous motions, even of t**1.5, change them by less than 1e-7 there
SIGNS = {op.ADD: (1.0, 1.0), op.SUB: (1.0, -1.0), op.NEG: (-1.0,)}


def refuse_sudden_motions(*arguments, **keywords):
    """Raises the first of sudden_motions."""
    for _, error in sudden_motions(*arguments, **keywords):
        raise error


def sudden_motions(compiled, laws, r, begin, end, levels=("position",), part=None):
    """("position" or "speed", error) of positions that are given (and speeds, where `levels` has them) by functions of time that
    change between two instants. laws: the TimeLaws of the program; part: what a constraint of this name is called, if not as the
    user called it."""
    given = given_by_time(compiled, laws, levels)
    if not given or not end > begin:
        return
    found = laws.between(r, begin, end)
    instants = np.unique(np.concatenate([found.event_times, compiled.program.event_times()]))
    instants = instants[(instants > begin) & (instants < end)]
    for y, what, parts in given if len(instants) else ():
        value = lambda t, parts=parts: sum(sign * laws.at(x, np.real(r), t)[x] for x, sign in parts)
        t, by = first_discontinuity(value, instants, (begin, end))
        if t is not None:
            name = compiled.pairs.owner(y)
            yield what, sudden(part(name) if part else compiled.system.constraints[name].part, what, t, by)


def given_by_time(compiled, laws, levels=("position",)):
    """(row, "position" or "speed", what of it depends on time alone) of the equations by which a motion may be discontinuous. What is not
    always active is left out, and all where an event may end the motion before."""
    if any(event.stop for event in compiled.system.events.values()):
        return []
    found = []
    if laws.comparisons or laws.floors:
        for y in range(compiled.n_rows):
            row, level = compiled.tables.row_i[y], compiled.pairs.levels[y]
            if row[at.ROW_KIND] == at.EXPRESSION and level in levels and not row[at.ROW_FLAG]:
                columns = [("position", at.ROW_PHI_R)] * (level == "position") + [("speed", at.ROW_RATE_R)]
                found += [(y, what, parts_of_time(laws, row[column])) for what, column in columns]
    return [one for one in found if one[2]]


def first_discontinuity(value, instants, times):
    """The first of these instants at which a function of time is discontinuous, and by how much; None where it does not."""
    apart = NEARBY * np.spacing(np.abs(instants))
    before, after = value(instants - apart), value(instants + apart)
    size = np.abs(np.concatenate([before, after, value(np.linspace(*times, SAMPLES))])).max()
    found = np.flatnonzero(np.abs(after - before) > SUDDEN * size)
    return (instants[found[0]], abs(after[found[0]] - before[found[0]])) if len(found) else (None, 0.0)


def sudden(part, what, t, by):
    units = "m or rad" if what == "position" else "m/s or rad/s"
    problem = f"at t = {t:.6g} s the {what} it gives jumps by {by:.6g} ({units})"
    remedy = 'Join the pieces smoothly, as in max(0, t - 1)**2, or give points: {"table": …, "kind": "cubic"}.'
    return ModelError(part, problem, "no force makes that; positions and speeds must be continuous", remedy)


def parts_of_time(laws, register, sign=1.0):
    """(register, sign) of the summands of a register that depend on time alone."""
    found, waiting = [], [(register, sign)]
    while waiting:
        x, sign = waiting.pop()
        if x < laws.first:
            continue
        if laws.kind[x] == OF_TIME:
            found.append((x, sign))
        elif (line := laws.code[x - laws.first])[0] in SIGNS:
            waiting += [(y, sign * one) for y, one in zip(arguments(line), SIGNS[line[0]], strict=True)]
    return found
