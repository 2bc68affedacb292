"""Laws that are not smooth exactly at a state: the linearized motion about it then holds on one side only, which is
reported.

A comparison whose two sides are equal here changes its outcome across this state, a floor of a whole number its value.
The state is moved a little to both sides, h and h/16 along the gradient of left − right, or of what the floor reads; a
difference between the sides that does not shrink with h is a discontinuity of the value or of the slope.
"""

import numpy as np

from mekane.expressions.opcodes import FLOOR
from mekane.solvers.diagnostics import force_registers

EQUAL = 1e-9  # left − right beside its gradient: metres, radians, and those per second
BESIDE, CLOSER = 1e-6, 1.0 / 16.0  # h, in the same units; how much closer the second pair is
SHRUNK = 0.5  # a difference that shrinks below this share of itself vanishes in the limit
ROUND_OFF = 1e-9  # of values and derivatives


def remarks_on_discontinuities(derivatives, x, directions):
    """One sentence for every force whose law is not smooth at the point x. directions: changes of the state, rows over
    x."""
    discontinuous, _ = laws_not_smooth(derivatives, x, directions)
    return [
        sentence(owner, discontinuous[owner]) for owner in derivatives.compiled.first_action if owner in discontinuous
    ]


def laws_not_smooth(derivatives, x, directions):
    """{force: whether its value is discontinuous at x, or else its slope}; and where these laws change, the gradient along the
    directions of what changes its sign there, of unit length."""
    discontinuous, across = {}, []
    for gap, along in borders(derivatives, x, directions):
        steepness = np.linalg.norm(along)
        if steepness > 0 and abs(gap) <= EQUAL * steepness:
            for owner, in_value in not_smooth(derivatives, x, along / steepness @ directions):
                discontinuous[owner] = in_value or discontinuous.get(owner, False)
                across.append(along / steepness)
    return discontinuous, across


def borders(derivatives, x, directions):
    """(how far it is to the border, its change along each direction) of all comparisons and floors of laws."""
    z, slope = derivatives.along(x, directions)
    found = list(zip(z[derivatives.z.events], slope[:, derivatives.z.events].T, strict=True))
    read = floor_arguments(derivatives.compiled.program)
    if len(read):
        along = np.array([register_changes(derivatives, x, one)[read] for one in directions])
        value = derivatives.registers()[read]
        found += zip(value - np.round(value), along.T, strict=True)
    return found


def floor_arguments(program):
    """Registers that floors of the laws read."""
    return np.array([line[1] for line in program.code if line[0] == FLOOR], int)


def register_changes(derivatives, x, direction):
    """Of all registers along one direction."""
    derivatives.along(x, direction[None])
    return derivatives.register_derivatives().copy()


def not_smooth(derivatives, x, direction):
    """(force, whether its value is discontinuous or else its slope) for those that are not smooth across x in this
    direction."""
    far, close = (sides(derivatives, x, direction, h) for h in (BESIDE, BESIDE * CLOSER))
    for owner, registers in force_registers(derivatives.compiled):
        value, slope = (
            stays(far[k][registers], close[k][registers], size[registers]) for k, size in ((0, close[2]), (1, close[3]))
        )
        if value or slope:
            yield owner, value


def sides(derivatives, x, direction, h):
    """Of all registers: values just above less those just below, the same of slopes, and the sizes of both."""
    both_sides = []
    for sign in (1.0, -1.0):
        derivatives.along(x + sign * h * direction, direction[None])
        value, slope = derivatives.registers().copy(), derivatives.register_derivatives().copy()
        both_sides.append((value - sign * h * slope, slope, np.abs(value) + h * np.abs(slope)))
    (above, rise, high), (below, fall, low) = both_sides
    return above - below, rise - fall, high + low, np.abs(rise) + np.abs(fall)


def stays(far, close, size):
    """Whether a difference is there however small h is."""
    return bool(np.any((np.abs(close) > ROUND_OFF * size) & (np.abs(close) > SHRUNK * np.abs(far))))


def sentence(owner, in_value):
    if in_value:
        what, more = "is discontinuous", ", and sticking is not covered"
    else:
        what, more = "has a slope discontinuity", ""
    return f"The law of {owner!r} {what} exactly at this state: the linearized motion holds on one side only{more}."
