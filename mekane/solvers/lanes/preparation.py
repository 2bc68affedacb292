"""A function over lanes called for many runs, such as what depends on the numbers of a run alone."""

from mekane.numba_backend.kernel import kernel
from mekane.numba_backend.lane_calls import call_lanes


@kernel(exact=True, outer=True)
def call_for_runs(function, states, parameters, y, p, found, out):
    """out[run] = what the function gives for states[run] and parameters[run], at time zero. y, p, found: buffers over
    lanes, with one row more that is zero."""
    lanes = y.shape[1]
    for first in range(0, states.shape[0], lanes):
        count = min(lanes, states.shape[0] - first)
        for l in range(lanes):
            load(states, first + min(l, count - 1), y, l)
            load(parameters, first + min(l, count - 1), p, l)
        call_lanes(function, y[y.shape[0] - 1], y, p, found)
        for l in range(count):
            for m in range(out.shape[1]):
                out[first + l, m] = found[m, l]


@kernel(exact=True)
def load(array, run, into, l):
    for m in range(array.shape[1]):
        into[m, l] = array[run, m]
