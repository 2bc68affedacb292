"""What the time loop over lanes carries: runs that all threads share, and the workspace of one thread.

Arrays of a workspace end with the axis of lanes: element l of each belongs to the run in lane l.
"""

import math
from typing import NamedTuple

import numpy as np

from mekane.algebra.chebyshev import LOOKS, POINTS
from mekane.codegen.lanes.traced_model import N_AFTER
from mekane.solvers.lanes.step_code import stride_of

# rows of LaneWorkspace.number: time; step; time of a stage; time of a sample; end of the step; step wanted before it was cut; last
# step; next step; 32nd root of the last error; share of the step; 1 where accepted; smallest pivot so far and in this step;
# sums of squared errors by two formulas; tolerances; residual before a projection; time up to which measurements are known,
# and the longest time in which they may be followed at once; where a step ends at which a comparison changes sides, the slope
# of its guard there, and how long the step was in which it was seen; next tick of a controller, or change of what it writes
N_NUMBERS = 24
(
    NOW,
    STEP,
    STAGE_TIME,
    SAMPLE_TIME,
    NEW_TIME,
    WANTED,
    LAST,
    FOLLOWING,
    ROOT,
    THETA,
    TAKEN,
    PIVOT,
    LEAST,
    ERROR,
    SECOND_ERROR,
    ATOL,
    RTOL,
    BEFORE,
    KNOWN,
    STRIDE,
    LANDING,
    GUARD_SLOPE,
    SEEN_IN,
    NEXT_TICK,
) = range(N_NUMBERS)

# rows of LaneWorkspace.integer: number of the run; next sample; accepted steps; next instant at which a step shall end; steps
# of a fixed grid; 1: a run is under way; has just begun; its step is accepted; the one before was rejected; a sample is
# due; its state is wanted there; its projection goes on; how often stiffness showed, and did not, in a row; rows that were
# taken to repeat others are missed; how often it was tried to land where a comparison changes sides (0: none does), and its
# number; how often in a row a step was halved to see comparisons well; changes of sides at the same instant; a clock ticks
# where the step begins; conditions of events shall be looked at; one has become true there; events so far at this instant
N_INTEGERS = 23
(
    RUN,
    SAMPLE,
    STEPS,
    STOP,
    GRID,
    ALIVE,
    FRESH,
    ACCEPTED,
    REJECTED,
    DUE,
    MOVES,
    UNSETTLED,
    STIFF,
    SMOOTH,
    MISSES,
    LANDS,
    WHICH,
    HALVED,
    STUCK,
    TICKED,
    BEGINS,
    HAPPENED,
    AT_ONCE,
) = range(N_INTEGERS)

# outcomes of runs; NOT_BEGUN: or not ended; STOPPED: by an event
NOT_BEGUN, DONE, VANISHED, NOT_FINITE, TOO_LONG, SINGULAR, ROWS_CHANGED, IS_STIFF, UNDECIDED, STOPPED = range(10)

# columns of LaneRuns.events: 1 where a condition may hold at the start; where it happens once; where it ends the run
AT_START, ONCE, EVENT_ENDS = range(3)

# addresses of functions, in this order in `code`; 0: there is none. The functions of a step follow: see step_code
N_MODEL = 10
RHS, POSITIONS, SPEEDS, MEASURE, CHANNELS, GUARDS, OUTCOMES, TICKS, CONDITIONS, SETS = range(N_MODEL)

# settings: tolerances; step of fixed-step methods, else the largest; numbers of the state whose error counts; pivot below
# which a run leaves; accepted steps at most; 1: watch stiffness; residual of positions that one Newton step brings to
# round-off; largest step where comparisons are watched; where their outcomes, and what controllers and events set, stand
# among the parameters; where speeds stand in the state
N_SETTINGS = 12
(
    RELATIVE,
    ABSOLUTE,
    LARGEST_STEP,
    N_ERROR,
    WEAK,
    MOST_STEPS,
    WATCH,
    NEAR,
    WATCHFUL_STEP,
    FIRST_OUTCOME,
    FIRST_DISCRETE,
    FIRST_SPEED,
) = range(N_SETTINGS)

# queue: next run to take; runs that have ended; 1: stop
N_QUEUE = 8
NEXT, ENDED, INTERRUPTED = range(3)


class LaneRuns(NamedTuple):
    """Runs of one model; first axis: the runs, or one row for all of them.

    Of a run that leaves its lane, `now` and `start` become its last accepted state, and so do its measurements."""

    order: np.ndarray  # (runs,) in which they are taken
    now: np.ndarray  # (runs,)  at which they start
    start: np.ndarray  # (runs, state)
    parameters: (
        np.ndarray
    )  # (runs or 1, p)  measurements at the start, outcomes of comparisons, what is set, what `prepare` gives
    times: np.ndarray  # (runs or 1, samples)  the last one is the end
    stops: np.ndarray  # (runs or 1, stops)  instants at which steps shall end, then infinite
    watched: np.ndarray  # (runs or 1, comparisons) int  1: located where it changes sides
    tick_times: np.ndarray  # (controllers, 3)  see solvers.clocks, as write_first and waiting
    write_first: np.ndarray  # (controllers + 1,) int
    waiting: np.ndarray  # (writes, slots)
    events: np.ndarray  # (events, 3) int  AT_START …
    event_first: np.ndarray  # (events + 1,) int  where the values that each sets begin
    event_target: np.ndarray  # (values,) int  which of what is set they are
    inertia: np.ndarray  # (speeds,)  of the model where it starts, for the error of work
    values: np.ndarray  # (runs, samples, channels)
    states: np.ndarray  # (runs, samples, state or 0)
    outcome: np.ndarray  # (runs,)
    steps: np.ndarray  # (runs,)


class LaneWorkspace(NamedTuple):
    number: np.ndarray  # (N_NUMBERS, lanes)
    integer: np.ndarray  # (N_INTEGERS, lanes) int
    y: np.ndarray  # (state, lanes)
    new: np.ndarray  # (state, lanes)
    stage: np.ndarray  # (state, lanes)
    last: np.ndarray  # (state, lanes)  of the last stage, to see stiffness
    sample: np.ndarray  # (state, lanes)
    derivatives: np.ndarray  # (state + 1, stride, lanes)  the last row: the smallest pivot
    dense: np.ndarray  # (state, degree, lanes)
    projected: np.ndarray  # (state + N_AFTER, lanes)
    measured: np.ndarray  # (n_measured, lanes)  measurements, their rates, the time
    before: np.ndarray  # (n_measured, lanes)  the same where the step began
    parameters: np.ndarray  # (p, lanes)  the measurements that were last known first
    channels: np.ndarray  # (channels, lanes)
    guards: np.ndarray  # (comparisons, lanes)  left − right of each
    in_step: np.ndarray  # (comparisons, lanes, POINTS)  the same at points of a step, positive where it began
    ticks: np.ndarray  # (controllers, 2, lanes) int  the next tick; the next to be written
    formulas: np.ndarray  # (writes, lanes)
    waiting: np.ndarray  # (writes, slots, lanes)
    condition: np.ndarray  # (events, lanes)  see solvers.state.Scratch
    holds: np.ndarray  # (events, lanes)
    fired: np.ndarray  # (events, lanes) int
    new_values: np.ndarray  # (values, lanes)  that events set
    fit: np.ndarray  # (POINTS,)
    looks: np.ndarray  # (LOOKS,)


def lane_workspace(tableau, lanes, runs, n_measured=0):
    """A workspace for these runs."""
    n, n_p, n_channels = runs.start.shape[1], runs.parameters.shape[1], runs.values.shape[2]
    n_comparisons = runs.watched.shape[1]
    state = lambda: aligned(n, lanes)
    return LaneWorkspace(
        number=aligned(N_NUMBERS, lanes),
        integer=np.zeros((N_INTEGERS, lanes), np.int64),
        y=state(),
        new=state(),
        stage=state(),
        last=state(),
        sample=state(),
        derivatives=aligned(n + 1, stride_of(tableau), lanes),
        dense=aligned(n, tableau.P.shape[1], lanes),
        projected=aligned(n + N_AFTER, lanes),
        measured=aligned(n_measured, lanes),
        before=aligned(n_measured, lanes),
        parameters=aligned(n_p, lanes),
        channels=aligned(n_channels, lanes),
        guards=aligned(n_comparisons, lanes),
        in_step=np.zeros((n_comparisons, lanes, POINTS)),
        ticks=np.zeros((len(runs.tick_times), 2, lanes), np.int64),
        formulas=aligned(len(runs.waiting), lanes),
        waiting=np.zeros((*runs.waiting.shape, lanes)),
        condition=np.zeros((len(runs.events), lanes)),
        holds=aligned(len(runs.events), lanes),
        fired=np.zeros((len(runs.events), lanes), np.int64),
        new_values=aligned(len(runs.event_target), lanes),
        fit=np.zeros(POINTS),
        looks=np.zeros(len(LOOKS)),
    )


def aligned(*shape):
    """Zeros that begin a line of the cache."""
    buffer = np.zeros(math.prod(shape) + 8)
    return buffer[(-buffer.ctypes.data % 64) // 8 :][: math.prod(shape)].reshape(shape)
