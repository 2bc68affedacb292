"""Laws that jump or have a kink exactly at a state: small motions about it then hold on one side only, and that must be
said.

A comparison whose two sides are equal here changes its outcome across this state. The state is moved a little to both
sides, h and h/16 along the slope of left − right; a difference between the sides that does not shrink with h is a jump
(of a value) or a kink (of a slope).
"""

import numpy as np

from mekane.tables.columns import ACT_CONTROLLER, ACTION_KIND, ACTION_ON, ACTION_R

EQUAL = 1e-9  # left − right beside its slope: metres, radians, and those per second
BESIDE, CLOSER = 1e-6, 1.0 / 16.0  # h, in the same units; how much closer the second look is
SHRUNK = 0.5  # a difference that shrinks below this share of itself vanishes in the limit
ROUND_OFF = 1e-9  # of values and slopes


def remarks_on_discontinuities(derivatives, x, directions):
    """One sentence for every force whose law is not smooth at the point x. seeds: changes of the state, rows over x."""
    z, slope = derivatives.along(x, directions)
    discontinuous = {}  # force → whether its value jumps, or else has a kink
    for gap, along in zip(z[derivatives.z.events], slope[:, derivatives.z.events].T, strict=True):
        steepness = np.linalg.norm(along)
        if steepness > 0 and abs(gap) <= EQUAL * steepness:
            for owner, jumps in not_smooth(derivatives, x, along / steepness @ directions):
                discontinuous[owner] = jumps or discontinuous.get(owner, False)
    return [
        sentence(owner, discontinuous[owner]) for owner in derivatives.compiled.first_action if owner in discontinuous
    ]


def not_smooth(derivatives, x, direction):
    """(force, whether its value jumps or else its slope) for those that are not smooth across x in this direction."""
    far, close = (sides(derivatives, x, direction, h) for h in (BESIDE, BESIDE * CLOSER))
    for owner, registers in registers_of(derivatives.compiled):
        value, slope = (
            stays(far[k][registers], close[k][registers], size[registers]) for k, size in ((0, close[2]), (1, close[3]))
        )
        if value or slope:
            yield owner, value


def sides(derivatives, x, direction, h):
    """Of all registers: values just above less those just below, the same of slopes, and the sizes of both."""
    looks = []
    for sign in (1.0, -1.0):
        derivatives.along(x + sign * h * direction, direction[None])
        value, slope = derivatives.registers().copy(), derivatives.register_slopes().copy()
        looks.append((value - sign * h * slope, slope, np.abs(value) + h * np.abs(slope)))
    (above, rise, high), (below, fall, low) = looks
    return above - below, rise - fall, high + low, np.abs(rise) + np.abs(fall)


def stays(far, close, size):
    """Whether a difference is there however close one looks."""
    return bool(np.any((np.abs(close) > ROUND_OFF * size) & (np.abs(close) > SHRUNK * np.abs(far))))


def registers_of(compiled):
    """(force, registers of its values and of the rate of its integral)."""
    table, first = compiled.tables.action_i, compiled.first_action
    acting = table[table[:, ACTION_KIND] != ACT_CONTROLLER]
    ends = [*sorted(first.values()), len(acting)]
    for owner, start in first.items():
        rows = [*acting[start : ends[ends.index(start) + 1]]]
        if owner in compiled.integrals:
            rows += [row for row in table[len(acting) :] if row[ACTION_ON] == compiled.integrals.index(owner)]
        registers = np.concatenate([row[ACTION_R : ACTION_R + 3] for row in rows])
        yield owner, registers[registers > 0]


def sentence(owner, jumps):
    if jumps:
        return f"The law of {owner!r} jumps exactly at this state: small motions hold on one side only, and sticking is not covered."
    return f"The law of {owner!r} has a kink exactly at this state: small motions hold on one side only."
