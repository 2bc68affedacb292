"""What a run carries from call to call of the compiled time loops: step state, counters, scratch. And how a state is
recorded."""

from typing import NamedTuple

import numpy as np

from mekane.algebra.chebyshev import BETWEEN, POINTS
from mekane.numba_backend.kernel import kernel

# step state: time; next step; end; tolerances; largest step; base of the fixed-step grid; last step
# (0: its derivatives are in coordinates that have changed); largest projection of a coordinate so far; next tick of a
# clock (infinite: none)
N_STEP_STATE = 10
NOW, STEP, END, RTOL, ATOL, STEP_MAX, BASE, LAST, LARGEST_PROJECTION, NEXT_TICK = range(N_STEP_STATE)

# counters: outcome; accepted and rejected steps; evaluations; events found; next sample; next switching time;
# steps since BASE; how often stiffness showed, and did not, in a row; events at the same instant; 1: correct; 1:
# watch stiffness; 1: the Jacobian of the last step may be used again; how often in a row errors did not fall with the
# step; 1: leave the loop where the end of the run first sets a step (2: it has); shortest steps that were taken though they
# miss the tolerances, less the others since. After them, for every comparison of the tape: how often it has changed sides
# from step to step
N_COUNTERS = 17
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
    KEEP_END,
    FORCED,
) = range(N_COUNTERS)

# outcomes
UNDERWAY, FINISHED, IS_STIFF, STEP_VANISHED, NOT_FINITE, NO_CONVERGENCE, NO_PROGRESS, IS_NOISY, EVENT, TICK, ENDING = (
    range(11)
)


# columns of `events`: register of left − right, number of the comparison, what changes there (expressions.frozen_discontinuities),
# 1: guard of a contact law, which is positive while the modes hold
GUARD, MODE, WHAT, OF_CONTACT = range(4)
DONE = 2.0  # in Scratch.condition: its event happens once, and has
SMOOTH_DEGREE, LOOKOUTS = 5, np.linspace(0.0, 1.0, 17)  # of the curve through values at stages
TRUE_AT_START = -1.0  # in Scratch.fired: a condition that held when the run began, so it did not become true


class Scratch(NamedTuple):
    K: np.ndarray  # (stages, ny)  derivatives; one more than the stages of a step at least
    stage: np.ndarray  # (ny,)
    last: np.ndarray  # (ny,)  state at the last stage, to see stiffness
    new: np.ndarray  # (ny,)
    sample: np.ndarray  # (ny,)
    x: np.ndarray  # (speeds,)
    inertia: np.ndarray  # (speeds,)  where the motion began, for the error of work; () if that is not looked at
    measurement: np.ndarray  # (rows + measurements,)
    before: np.ndarray  # (events,)  sides of the comparisons at the start of the step
    decided: np.ndarray  # (events,)  sides of those that have just changed, 0 for the others: not computed, see events
    slack: np.ndarray  # (events,)  of a guard of a contact law that began at zero: it changes sides below minus this
    at_stages: np.ndarray  # (events, stages)  guards at the stages of a step, the first of them where it begins
    smoothed: np.ndarray  # (stages + lookouts, stages)  see smooth_curve
    low: np.ndarray  # (events,)  smallest value of each guard at the stages of a step
    high: np.ndarray  # (events,)  largest one
    slope: np.ndarray  # (events,)  of guards, per unit of the step
    instant: np.ndarray  # (1,)  where sides were last changed without a step
    by_kinematics: np.ndarray  # (1,) int  1: only guards of positions and speeds are looked at
    slips: np.ndarray  # (events,)  of elements of contact laws where a step begins: guards of forces, speeds of sliding
    guards: np.ndarray  # (events, points)  on the dense output
    fit: np.ndarray  # (points,)  Chebyshev coefficients of one guard
    looks: np.ndarray  # (looks,)  the polynomial with these coefficients
    condition: np.ndarray  # (conditions,)  1: it held at the start of the step, 0: not, -1: not yet known; or DONE
    fired: np.ndarray  # (conditions,)  1: it has just become true; or TRUE_AT_START
    J: np.ndarray  # (q + u, q + u)  implicit methods only, else empty
    LU: np.ndarray
    swaps: np.ndarray  # (q + u,) int


GUARDS = (
    "before",
    "decided",
    "slack",
    "condition",
    "fired",
    "inertia",
)  # fields of Scratch that belong to the motion, not to a method


class Record(NamedTuple):
    """Where a run writes: the state at the sampled times, the measurements (joint coordinates that are not tree
    coordinates), and the discrete state (inputs, variables, what is active)."""

    t: np.ndarray  # (samples,)
    y: np.ndarray  # (samples, ny)
    measurement: np.ndarray  # (samples, rows + measurements)
    discrete: np.ndarray = np.zeros((0, 0))  # (samples, discrete states); nothing for a model that has none


def scratch(n_y, n_unknown, n_u, n_measurements, n_events, tableau, implicit, n_conditions=0, *, n_inertias=0):
    n, s = n_unknown if implicit else 0, len(tableau.b)
    zeros = np.zeros
    return Scratch(
        zeros((max(len(tableau.A), s + 1), n_y)),
        zeros(n_y), zeros(n_y), zeros(n_y), zeros(n_y), zeros(n_u), zeros(n_inertias), zeros(n_measurements),
        zeros(n_events), zeros(n_events), zeros(n_events), zeros((n_events, s)), smooth_curve(tableau.c[:s]), zeros(n_events),
        zeros(n_events), zeros(n_events), zeros(1), zeros(1, np.int64), zeros(n_events), zeros((n_events, POINTS)),
        zeros(POINTS), zeros(BETWEEN * (POINTS - 1) + 1),
        zeros(n_conditions) - 1.0, zeros(n_conditions), zeros((n, n)), zeros((n, n)), zeros(n, np.int64),
    )  # fmt: skip


def smooth_curve(shares):
    """The matrix from values at these shares of a step to a polynomial that lies close to them (least squares), at the same
    shares and then at LOOKOUTS."""
    degree = min(SMOOTH_DEGREE, (len(shares) - 1) // 2)
    fit = np.linalg.pinv(np.polynomial.chebyshev.chebvander(2.0 * shares - 1.0, degree))
    return np.polynomial.chebyshev.chebvander(2.0 * np.concatenate([shares, LOOKOUTS]) - 1.0, degree) @ fit


@kernel(exact=True)
def copy(a, b):
    """b = a"""
    for m in range(a.shape[0]):
        b[m] = a[m]
