"""Newton steps onto the constraints, positions and then speeds, in those lanes that a mask names. (C.3)"""

from mekane.codegen.lanes.traced_model import MISSED, RESIDUAL
from mekane.codegen.lanes.traced_model import PIVOT as PIVOT_AFTER
from mekane.numba_backend.kernel import kernel
from mekane.numba_backend.lane_calls import call_lanes
from mekane.solvers.lanes.lane_state import BEFORE, MISSES, NEAR, PIVOT, POSITIONS, SPEEDS, UNSETTLED

NEWTON = 6
NEAR_SPEED = 1e-4  # a rate that one step brings to round-off, as rows are linear in speeds
REPEATS = 1e-6  # largest residual of rows that repeat others


@kernel(exact=True)
def project(code, settings, W, time, y, mask):
    """Bring y, at the times in this row of numbers, onto the constraints in the lanes that this row of integers marks."""
    if code[POSITIONS] != 0:
        project_level(code[POSITIONS], settings[NEAR], W, time, y, mask)
        project_level(code[SPEEDS], NEAR_SPEED, W, time, y, mask)


@kernel(exact=True)
def project_level(function, near, W, time, y, mask):
    """Newton steps in each lane until its residual is small or no longer falls."""
    for l in range(W.integer.shape[1]):
        W.integer[UNSETTLED, l], W.number[BEFORE, l] = W.integer[mask, l], 1e300
    for _ in range(NEWTON):
        call_lanes(function, W.number[time], y, W.parameters, W.projected)
        if not apply_projection(near, W, y):
            break


@kernel(exact=True)
def apply_projection(near, W, y):
    """Take the corrected states where that is wanted. Returns whether a lane needs another step."""
    n, more = y.shape[0], False
    for l in range(W.integer.shape[1]):
        if W.integer[UNSETTLED, l] == 0:
            continue
        residual = W.projected[n + RESIDUAL, l]
        W.number[PIVOT, l] = min(W.number[PIVOT, l], W.projected[n + PIVOT_AFTER, l])
        if W.projected[n + MISSED, l] > REPEATS + 100.0 * residual:
            W.integer[MISSES, l] = 1
        if residual <= 0.5 * W.number[BEFORE, l]:
            for m in range(n):
                y[m, l] = W.projected[m, l]
        goes_on = residual > near and residual <= 0.5 * W.number[BEFORE, l]
        W.number[BEFORE, l] = residual
        W.integer[UNSETTLED, l] = 1 if goes_on else 0
        more |= goes_on
    return more
