"""Angles of cut joints, whose whole turns are counted from step to step.

They stand before the parameters of a lane: each with its last known value, then the rates then, then that time.
"""

from mekane.numba_backend.kernel import kernel
from mekane.numba_backend.lane_calls import call_lanes
from mekane.solvers.lanes.lane_state import ACCEPTED, KNOWN, MEASURE, NEW_TIME, NOW, STEP, STRIDE

MOST_PIECES = 2000  # of a step in which measurements turn fast
ENDLESS = 1e300


@kernel(exact=True)
def follow(code, W, time, y, mask):
    """Measurements at the state y, at the times in this row of numbers, are known in the lanes that this row of integers
    marks."""
    if code[MEASURE] == 0:
        return
    call_lanes(code[MEASURE], W.number[time], y, W.parameters, W.measured)
    for l in range(W.integer.shape[1]):
        if W.integer[mask, l] == 1:
            for k in range(W.measured.shape[0]):
                W.parameters[k, l] = W.measured[k, l]


@kernel(exact=True)
def set_strides(code, W):
    """The longest time in which no measurement of a lane goes on by more than about a radian, judged by the rates at both
    ends of the step."""
    for l in range(W.integer.shape[1]):
        W.number[STRIDE, l], W.number[KNOWN, l] = ENDLESS, W.number[NOW, l]
    if code[MEASURE] == 0:
        return
    call_lanes(code[MEASURE], W.number[NEW_TIME], W.new, W.parameters, W.measured)
    for l in range(W.integer.shape[1]):
        for k in range(W.measured.shape[0]):
            W.before[k, l] = W.parameters[k, l]
        if W.integer[ACCEPTED, l] == 1:
            set_stride(W, l)


@kernel(exact=True)
def set_stride(W, l):
    n, fastest, h = W.measured.shape[0] // 2, 0.0, W.number[STEP, l]
    for k in range(n, 2 * n):
        fastest = max(fastest, abs(W.parameters[k, l]), abs(W.measured[k, l]))
    if fastest * h > 1.0:
        W.number[STRIDE, l] = max(h / MOST_PIECES, 1.0 / fastest)
