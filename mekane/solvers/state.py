"""What a run carries from call to call of the compiled time loops: step state, counters, scratch. And how a state is
recorded."""

from typing import NamedTuple

import numpy as np

from mekane.numba_backend.kernel import kernel

# step state: time; next step; end; tolerances; largest step; base of the fixed-step grid; last step
# (0: its derivatives are in coordinates that have changed); largest projection of a coordinate so far
N_STEP_STATE = 9
NOW, STEP, END, RTOL, ATOL, STEP_MAX, BASE, LAST, LARGEST_PROJECTION = range(N_STEP_STATE)

# counters: outcome; accepted and rejected steps; evaluations; events found; next sample; next switching time;
# steps since BASE; how often stiffness showed, and did not, in a row; events at the same instant; 1: correct; 1:
# watch stiffness; 1: the Jacobian of the last step may be used again; how often in a row errors did not fall with the
# step. After them, for every comparison of the tape: how often it has changed sides from step to step
N_COUNTERS = 15
(
    OUTCOME,
    STEPS,
    REJECTED,
    EVALUATIONS,
    EVENTS,
    SAMPLE,
    STOP,
    GRID,
    STIFF,
    SMOOTH,
    STUCK,
    PROJECT,
    WATCH,
    FRESH,
    NOISY,
) = range(N_COUNTERS)

# outcomes
UNDERWAY, FINISHED, IS_STIFF, STEP_VANISHED, NOT_FINITE, NO_CONVERGENCE, NO_PROGRESS, IS_NOISY = range(8)


class Scratch(NamedTuple):
    K: np.ndarray  # (stages, ny)  derivatives
    stage: np.ndarray  # (ny,)
    last: np.ndarray  # (ny,)  state at the last stage, to see stiffness
    new: np.ndarray  # (ny,)
    sample: np.ndarray  # (ny,)
    x: np.ndarray  # (speeds,)
    measurement: np.ndarray  # (rows + measurements,)
    before: np.ndarray  # (events,)  sides of the comparisons at the start of the step
    J: np.ndarray  # (q + u, q + u)  implicit methods only, else empty
    LU: np.ndarray
    swaps: np.ndarray  # (q + u,) int


class Record(NamedTuple):
    """Where a run writes: the state at the sampled times, and the measurements (joint coordinates that are not tree
    coordinates)."""

    t: np.ndarray  # (samples,)
    y: np.ndarray  # (samples, ny)
    measurement: np.ndarray  # (samples, rows + measurements)


def scratch(n_y, n_unknown, n_u, n_measurements, n_events, stages, implicit):
    n = n_unknown if implicit else 0
    zeros = np.zeros
    return Scratch(
        zeros((stages, n_y)), zeros(n_y), zeros(n_y), zeros(n_y), zeros(n_y), zeros(n_u), zeros(n_measurements), zeros(n_events),
        zeros((n, n)), zeros((n, n)), zeros(n, np.int64),
    )  # fmt: skip


@kernel(exact=True)
def copy(a, b):
    """b = a"""
    for m in range(a.shape[0]):
        b[m] = a[m]
