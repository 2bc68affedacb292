"""A step by hand as one compiled call: what stays the same between steps stands in a list of addresses, and
three numbers are handed over. The loop is that of runs."""

import numpy as np
from numba import int64, typeof, types

from mekane.numba_backend.kernel import kernel
from mekane.numba_backend.views import arguments_at
from mekane.solvers.entries.precompile import loop_arguments
from mekane.solvers.explicit import advance
from mekane.solvers.series import (
    BEGIN,
    COUNT,
    EQUAL,
    EVALUATIONS_BEFORE,
    LARGEST,
    NO_TIME,
    SERIES_ATOL,
    SERIES_RTOL,
    STEPS_BEFORE,
    T_BEFORE,
)
from mekane.solvers.state import (
    ATOL,
    BASE,
    END,
    EVALUATIONS,
    FRESH,
    GRID,
    NOISY,
    NOW,
    OUTCOME,
    RTOL,
    SAMPLE,
    SMOOTH,
    STEP,
    STEP_MAX,
    STEPS,
    STIFF,
    STOP,
    STUCK,
)

arguments = arguments_at(types.Tuple([types.float64[::1], types.Tuple([*map(typeof, loop_arguments())])]))


@kernel(exact=True, outer=True)
def explicit_step(address, dt, most_steps):
    """Go on by dt, or for so many steps of the loop; the outcome is returned. address: of what `Stepping.arguments` lists."""
    series, loop = arguments(address)
    M, step_state, counters = loop[1], loop[4], loop[5]
    begin_step(M, step_state, counters, series, dt)
    if not step_state[END] > step_state[NOW]:
        return NO_TIME
    advance(*loop, most_steps)
    return counters[OUTCOME]


@kernel(exact=True)
def begin_step(M, step_state, counters, series, dt):
    """What Solver.run sets before it begins."""
    step_state[END] = end_of_step(step_state[NOW], series, dt)
    series[T_BEFORE], series[EVALUATIONS_BEFORE] = step_state[NOW], counters[EVALUATIONS]
    series[STEPS_BEFORE] = counters[STEPS]
    step_state[RTOL], step_state[ATOL], step_state[BASE] = series[SERIES_RTOL], series[SERIES_ATOL], step_state[NOW]
    for k in (STOP, STIFF, SMOOTH, STUCK, GRID, FRESH, NOISY, SAMPLE):
        counters[k] = 0
    if M.error.shape[0] == 0:
        step_state[STEP] = step_state[STEP_MAX] = dt
    elif series[LARGEST] < 0.0:
        step_state[STEP_MAX] = -series[LARGEST] * max(step_state[END] - step_state[NOW], 1e-12)
    else:
        step_state[STEP_MAX] = series[LARGEST] if series[LARGEST] > 0.0 else np.inf


@kernel(exact=True)
def end_of_step(t, series, dt):
    """t + dt; in a series of equal steps its beginning + n dt, as runs with a fixed step have it: no error of rounding
    adds up."""
    if dt != series[EQUAL] or t != series[BEGIN] + series[COUNT] * dt:
        series[BEGIN], series[EQUAL], series[COUNT] = t, dt, 0.0
    series[COUNT] += 1.0
    return series[BEGIN] + series[COUNT] * dt


explicit_step.compile(int64(int64, types.float64, int64))
