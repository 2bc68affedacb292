"""Accelerations of a tree and their exact derivatives by its state, in one call of compiled code."""

import numpy as np

from mekane.solvers.derivatives.jacobians import Entry, address
from mekane.solvers.entries import precompile
from mekane.solvers.entries.addresses import open_model
from mekane.tables.handle import DERIVATIVES, MASS


class TreeDerivatives:
    """For the EquationDerivatives of a model without rows whose speeds are rates of coordinates. Called with (t, y),
    gives ud and its derivatives."""

    def __init__(self, derivatives):
        self.derivatives, compiled = derivatives, derivatives.compiled
        self.n, n_work = compiled.n_u, compiled.n_work
        self._tables, self._workspace = compiled.tables, compiled.workspace()
        self._handle = open_derivatives(self._tables, self._workspace)
        self._y, self._yd = np.zeros(2 * self.n + n_work), np.zeros(2 * self.n + n_work)
        self._x, self._M = derivatives.point(0.0, np.zeros(self.n), np.zeros(self.n)), np.zeros((self.n, self.n))
        self._derivatives, self._z = np.zeros((2 * self.n, derivatives.n_z)), np.zeros(derivatives.n_z)
        self._result = np.zeros((self.n, 2 * self.n))
        self._inner = derivatives.order_for(self._x, derivatives.state_units, self._z, self._derivatives)
        arrays = (
            derivatives._handle.header,
            self._inner,
            self._y,
            self._yd,
            self._x,
            self._derivatives,
            self._M,
            self._result,
        )
        sizes = [derivatives.n_x, derivatives.n_z, 2 * self.n, derivatives.x.ud.start]
        self._order, self._entry = np.array([*sizes, *map(address, arrays)], np.int64), Entry(DERIVATIVES, self._handle)
        self._evaluate = self._entry.with_order(self._order)
        self._now = self._x[derivatives.x.q.start : derivatives.x.u.stop]

    def __reduce__(self):
        return type(self), (self.derivatives,)  # addresses are those of this process

    def __call__(self, t, y):
        self._y[: 2 * self.n] = self._now[:] = y
        self._x[0] = t
        self._evaluate(t)
        return self._yd[self.n : 2 * self.n].copy(), self._result.copy()


def open_derivatives(tables, workspace):
    with precompile.first_use("solvers/entries/tree_derivatives"):
        precompile.announce("solvers/entries/tree_derivatives", "derivatives of accelerations")
        from mekane.solvers.entries.derivatives import mass_entry
        from mekane.solvers.entries.tree_derivatives import derivatives_entry

        addresses = mass_entry.address, derivatives_entry.address
    opened = open_model(tables, workspace)
    opened.header[MASS], opened.header[DERIVATIVES] = addresses
    return opened
