"""A model with a workspace of its own, at which the samples of a run are evaluated one after the other, compiled."""

import numpy as np

from mekane.tables.columns import OUT
from mekane.tables.handle import KINEMATICS


class Source:
    """Fills its workspace by one entry of the kernels (KINEMATICS, ENERGY, RHS or DERIVE), state by state.

    measurements: whether the model takes the measured joint coordinates that the record keeps besides the state.
    """

    measurements = False

    def __init__(self, tables, workspace, which=KINEMATICS):
        from mekane.solvers.entries.addresses import open_reading

        self.tables, self.workspace, self.which = tables, workspace, which
        self.handle = open_reading(tables, workspace, which)
        self.buffer, self._speeds = np.zeros(0), np.zeros(len(tables.speed_kind))

    def find(self, array, row):
        """The array called so, and the number of this row in it. "buffer": the rate of the state, then OUT numbers."""
        return self.buffer if array == "buffer" else getattr(self.workspace, array), row

    def addresses(self, columns):
        """Where each of the columns (array, row, first, size) → slice stands in memory."""
        found = np.zeros(sum(key[-1] for key in columns), np.int64)
        for (array, row, first, size), place in columns.items():
            values, row = self.find(array, row)
            found[place] = values.ctypes.data + 8 * (row * values.shape[-1] + first + np.arange(size))
        return found

    def begin(self, record):
        """Before the first sample of a record."""
        self.buffer = np.zeros(2 * record.y.shape[1] + OUT)

    def read(self, record, samples, address, out):
        """What stands at these addresses after each of the samples. They must be read in the order of the record."""
        from mekane.solvers.samples import read_samples

        t, y, measurement = self.inputs(record, samples)
        read_samples(
            self.handle,
            self.which,
            self.choose_from(samples),
            t,
            y,
            measurement,
            self.workspace.measurement,
            self.discrete(record, samples),
            self.buffer,
            self._speeds,
            address,
            out,
        )

    def inputs(self, record, samples):
        """Times, states and measured joint coordinates."""
        measurement = record.measurement[samples] if self.measurements else np.zeros((len(record.t[samples]), 0))
        return (
            np.ascontiguousarray(record.t[samples]),
            np.ascontiguousarray(record.y[samples]),
            np.ascontiguousarray(measurement),
        )

    def discrete(self, record, samples):
        """The discrete state at the samples, for a model that has one."""
        n = len(record.t[samples])
        known = self.measurements and record.discrete.size
        return np.ascontiguousarray(record.discrete[samples]) if known else np.zeros((n, 0))

    def choose_from(self, samples):
        """The first of the samples before which constraint rows are chosen anew."""
        return samples.stop
