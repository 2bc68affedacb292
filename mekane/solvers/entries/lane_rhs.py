"""Entries: the right-hand side on lanes by the kernels, compiled once for all models and called by address.

void f(t, y, p, header, out), all of them addresses: y and out as straight-line code over lanes has them
(`mekane.codegen.emit`), p the numbers that differ from run to run, header of a `LaneTables`. After the rates stands the
smallest pivot of the constraint rows.
"""

from functools import cache

from numba import types

from mekane.codegen.functions.lane_library import tell_linker
from mekane.kernels.lane_rhs import lane_rhs, smallest_pivot
from mekane.numba_backend.kernel import entry
from mekane.tables.handle import integers1
from mekane.tables.lane_tables import N_GIVEN, NUMBERS, PLACES, RESULTS, STRIDE, lanes_at, unpack_lanes
from mekane.tables.tables import N_Q, N_U, N_WORK

SIGNATURE = types.void(*[types.int64] * 5)
LARGE = 2**40  # more numbers than there are


@cache
def lane_rhs_entry(lanes):
    """The entry for so many lanes."""
    tell_linker(lanes)
    unpack, numbers = unpack_lanes(lanes), lanes_at(lanes)

    def lane_rhs_entry(t, y, p, header, out):
        word, (T, W) = integers1(header, NUMBERS + 1), unpack(header)
        n, stride = T.count[N_Q] + T.count[N_U] + T.count[N_WORK], word[STRIDE]
        given, places, slots = numbers(p, LARGE), integers1(word[PLACES], word[N_GIVEN]), numbers(word[NUMBERS], LARGE)
        for k in range(word[N_GIVEN]):
            slots[places[k]] = given[k]
        now, result, spread = numbers(t, 1)[0], numbers(word[RESULTS], n), numbers(out, LARGE)
        lane_rhs(T, W, now, numbers(y, n), result)
        for k in range(n):
            spread[k * stride] = result[k]
        spread[n * stride] = smallest_pivot(W, now)

    lane_rhs_entry.__qualname__ = f"lane_rhs_entry_{lanes}"  # the code on disk is told apart by it
    return entry(SIGNATURE)(lane_rhs_entry)
