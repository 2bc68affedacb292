"""Tabulated curves on lanes, for compiled kernels: each lane finds its piece by itself, in rows of its own."""

from numba.extending import register_jitable

from mekane.numba_backend.lane import lane_count, lane_of, with_lane, zero_lanes


def interpolate_lanes(rows, first, last, code, x):
    """As `mekane.expressions.table.interpolate` has it, lane by lane."""
    found = zero_lanes(x)
    for lane in range(lane_count(x)):
        at, left, right = lane_of(x, lane), lane_of(rows[first, 0], lane), lane_of(rows[last - 1, 0], lane)
        if at < left or at > right:
            end = first if at < left else last - 1
            found = with_lane(found, lane, 0.0 * at + (lane_of(rows[end, 1], lane) if code < 2 else 0.0))
        else:
            low = piece(rows, first, last, lane, at)
            d = x - rows[low, 0]
            value = rows[low, 2] + d * (rows[low, 3] + d * (rows[low, 4] + d * rows[low, 5]))
            found = with_lane(found, lane, lane_of(value, lane))
    return found


@register_jitable
def piece(rows, first, last, lane, at):
    """The row where the piece begins that holds a place, by bisection."""
    low, high = first, last - 1
    while high - low > 1:
        middle = (low + high) // 2
        if at < lane_of(rows[middle, 0], lane):
            high = middle
        else:
            low = middle
    return low
