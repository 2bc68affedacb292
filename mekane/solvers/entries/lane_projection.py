"""Entries: one Newton step onto the constraints on lanes, with arguments as in `lane_rhs`."""

from functools import cache

from mekane.codegen.functions.lane_library import tell_linker
from mekane.kernels.lanes.projection import N_AFTER, lane_projection
from mekane.numba_backend.kernel import entry
from mekane.tables.handle import integers1
from mekane.tables.lane_tables import LANE_SIGNATURE, NUMBERS, RESULTS, fill_of, lanes_at, unpack_lanes
from mekane.tables.tables import N_Q, N_U, N_WORK


@cache
def lane_projection_entry(lanes, column):
    """out = y after a step of positions (Y_PHI) or speeds (Y_RATE), then what lane_projection writes after it."""
    tell_linker(lanes)
    unpack, numbers, fill = unpack_lanes(lanes), lanes_at(lanes), fill_of(lanes)

    def code(t, y, p, header, out):
        head, (T, W) = integers1(header, NUMBERS + 1), unpack(header)
        n_u = T.count[N_U]
        n = T.count[N_Q] + n_u + T.count[N_WORK]
        fill(head, p)
        before, result = numbers(y, n), numbers(out, n + N_AFTER)
        for k in range(n):
            result[k] = before[k]
        lane_projection(T, W, numbers(t, 1)[0], result[:n], column, numbers(head[RESULTS], n_u), result[n:])

    code.__qualname__ = f"lane_projection_{lanes}_{column}"  # code on disk is found by it
    return entry(LANE_SIGNATURE)(code)
