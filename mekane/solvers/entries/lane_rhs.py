"""Entry: the right-hand side on lanes by the kernels, compiled once for all models and called by address.

void f(t, y, p, header, out), all of them addresses: y and out as straight-line code over lanes has them
(`mekane.codegen.emit`), p the numbers that differ from run to run, header of a `LaneTables`.
"""

from functools import cache

from mekane.codegen.functions.lane_library import tell_linker
from mekane.kernels.lanes.rhs import lane_rhs, smallest_pivot
from mekane.numba_backend.kernel import entry
from mekane.tables.handle import integers1
from mekane.tables.lane_tables import LANE_SIGNATURE, LARGE, NUMBERS, RESULTS, STRIDE, fill_of, lanes_at, unpack_lanes
from mekane.tables.tables import N_Q, N_U, N_WORK


@cache
def lane_rhs_entry(lanes):
    """out = the rates of y, and after them the smallest pivot of the constraint rows."""
    tell_linker(lanes)
    unpack, numbers, fill = unpack_lanes(lanes), lanes_at(lanes), fill_of(lanes)

    def code(t, y, p, header, out):
        head, (T, W) = integers1(header, NUMBERS + 1), unpack(header)
        n, stride = T.count[N_Q] + T.count[N_U] + T.count[N_WORK], head[STRIDE]
        fill(head, p)
        now, result, spread = numbers(t, 1)[0], numbers(head[RESULTS], n), numbers(out, LARGE)
        lane_rhs(T, W, now, numbers(y, n), result)
        for k in range(n):
            spread[k * stride] = result[k]
        spread[n * stride] = smallest_pivot(W, now)

    code.__qualname__ = f"lane_rhs_{lanes}"  # code on disk is found by it
    return entry(LANE_SIGNATURE)(code)
