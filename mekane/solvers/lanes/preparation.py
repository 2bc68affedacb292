"""What depends on the numbers of a run alone, computed for all runs before they begin."""

from mekane.numba_backend.kernel import kernel
from mekane.numba_backend.lane_calls import call_lanes


@kernel(exact=True, outer=True)
def prepare(function, varied, given, found, out):
    """out[run] = what the function gives for varied[run]. given, found: buffers over lanes."""
    lanes = given.shape[1]
    for first in range(0, varied.shape[0], lanes):
        count = min(lanes, varied.shape[0] - first)
        for l in range(lanes):
            for m in range(varied.shape[1]):
                given[m, l] = varied[first + min(l, count - 1), m]
        call_lanes(function, given[0], given, given, found)
        for l in range(count):
            for m in range(out.shape[1]):
                out[first + l, m] = found[m, l]
