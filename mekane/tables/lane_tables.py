"""Tables and workspace of a model on lanes, behind one header: every float is a vector, one number for each run.

A header here is MAGIC, its length, the distance between two results, the address of the results, how many slots are
filled for each run, from where and which, where the slots are, and then address and shape of every array.
"""

from functools import cache

import numpy as np
from numba import types

from mekane.numba_backend.header import MAGIC, Layout
from mekane.numba_backend.kernel import kernel
from mekane.numba_backend.lane import KINDS, lane_array
from mekane.numba_backend.views import View, array_at, unpack_as
from mekane.tables.handle import integers1
from mekane.tables.tables import Tables, Workspace

# integers before the arrays; PLACES: address of pairs, which of the numbers given for a run fills which slot of the buffer
# at NUMBERS
N_BEFORE = 7
STRIDE, RESULTS, N_GIVEN, PLACES, NUMBERS = range(2, N_BEFORE)
LANE_SIGNATURE = types.void(*[types.int64] * 5)  # of entries: addresses of t, y, p, header, results
LARGE = 2**40  # more numbers than there are


def views(lanes):
    """Numba types of Tables and Workspace on so many lanes."""
    tables = Layout(Tables, N_BEFORE)
    return View(tables, KINDS[lanes]), View(Layout(Workspace, tables.end), KINDS[lanes])


def unpack_lanes(lanes):
    """A function (header) that compiled code has: Tables and Workspace on lanes."""
    return unpack_as(*views(lanes))


def lanes_at(lanes):
    """A function (address, n) that compiled code has: the numbers there."""
    return array_at(KINDS[lanes])


@cache
def fill_of(lanes):
    """A function (header, address) that compiled code has: the numbers given for these runs into the tables."""
    numbers = lanes_at(lanes)

    def fill(head, p):
        given, slots, n = numbers(p, LARGE), numbers(head[NUMBERS], LARGE), head[N_GIVEN]
        places = integers1(head[PLACES], 2 * n)
        for k in range(n):
            slots[places[2 * k + 1]] = given[places[2 * k]]

    fill.__qualname__ = f"fill_{lanes}"  # code on disk is found by it
    return kernel(fill)


class LaneTables:
    """Arrays of a model for one thread: integers are shared, all floats stand in one buffer, each copied to all lanes.

    given: (k, field, index) of numbers that differ from run to run: p[k] fills that element of the field; fields of the
    workspace are "W.r" …. stride: distance of the results, in numbers."""

    def __init__(self, tables, workspace, lanes, given=(), stride=1):
        arrays = {**tables._asdict(), **{f"W.{name}": x for name, x in workspace._asdict().items()}}
        self.lanes, self.arrays, self.first = lanes, arrays, {}
        for name, x in arrays.items():
            if x.dtype == float:
                self.first[name] = sum(self.size(other) for other in self.first)
        self.numbers = lane_array(lanes, sum(map(self.size, self.first)) or 1)
        for name, first in self.first.items():
            self.numbers[first : first + arrays[name].size] = arrays[name].reshape(-1, 1)
        n = len(tables.speed_kind) + len(workspace.r) + sum(tables.count[:4])
        self.results = lane_array(lanes, int(n) + 1)
        self.places = np.array([(k, self.first[field] + index) for k, field, index in given] or [(0, 0)], np.int64)
        self.header = np.array(self.integers(stride, len(given)), np.int64)

    def size(self, name):
        return max(1, self.arrays[name].size)

    def integers(self, stride, n_given):
        addresses = self.results.ctypes.data, n_given, self.places.ctypes.data, self.numbers.ctypes.data
        found = [MAGIC, 0, stride, *addresses]
        for name, x in self.arrays.items():
            data = self.numbers[self.first[name] :] if name in self.first else x
            found += [data.ctypes.data, x.shape[0], x.shape[1] if x.ndim == 2 else 1]
        found[1] = len(found)
        return found
