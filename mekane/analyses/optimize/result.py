"""Answers of `optimize`."""

from functools import cached_property

import numpy as np

from mekane.results.printing import Printed, Shown

AT_BOUND = 1e-6


class Optimum(Printed):
    """parameters, start (name → value), objective, success, message, history [(values, objective)]; `system`: with the
    values found."""

    def __init__(self, designs, values, objective, success, message):
        box = designs.box
        self.names = box.names
        self.parameters, self.start = (dict(zip(box.names, map(float, x), strict=True)) for x in (values, box.start))
        self.objective, self.success, self.message, self.history = objective, success, message, designs.history
        self._box, self.formulation = box, designs.formulation

    @cached_property
    def system(self):
        return self._box.at(list(self.parameters.values()))

    def at_bounds(self):
        """Names of parameters that ended at a bound."""
        box, x = self._box, np.array(list(self.parameters.values()))
        near = (x - box.low <= AT_BOUND * box.scale) | (box.high - x <= AT_BOUND * box.scale)
        return [name for name, one in zip(self.names, near, strict=True) if one]

    def plot(self, path=None):
        """The objective over the evaluations."""
        from mekane.analyses.figures import panels, written

        figure, (axes,) = panels(f"{self._box.system.name}: optimization", "evaluation", "objective")
        axes.semilogy(
            range(1, len(self.history) + 1), [max(abs(value), 1e-300) for _, value in self.history], "o-", ms=3
        )
        return written(figure, path)

    def to_dict(self):
        """Plain data."""
        return dict(
            system=self._box.system.name, parameters=self.parameters, start=self.start, objective=self.objective, success=self.success,
            message=self.message, at_bounds=self.at_bounds(), evaluations=len(self.history),
        )  # fmt: skip

    def remark(self):
        ended = self.at_bounds()
        bounds = f"At its bound: {', '.join(ended)}. " if ended else ""
        failed = "" if self.success else f"Not finished: {self.message}. "
        return f"{failed}{bounds}Objective {self.objective:.6g} after {len(self.history)} evaluations."

    def shown(self):
        rows = [[name, self.start[name], value] for name, value in self.parameters.items()]
        return [Shown(f"{self._box.system.name}: best values", ["parameter", "start", "found"], rows, self.remark())]


class Identified(Optimum):
    """An Optimum with standard_errors (name → number), covariance and correlation (DataArrays), residuals (time,
    quantity), deviation (of each quantity, measured less computed)."""

    def __init__(self, designs, values, residuals, J, measured, success, message):
        super().__init__(designs, values, float(residuals @ residuals), success, message)
        self.measured, n, m = measured, len(values), len(residuals)
        weight = 1.0 if measured.sigma is None else measured.sigma
        self.residuals = residuals.reshape(measured.data.shape) * weight
        variance = 1.0 if measured.sigma is not None else self.objective / max(m - n, 1)
        size = np.linalg.norm(J, axis=0)
        self._covariance = variance * np.linalg.pinv((J / size).T @ (J / size)) / np.outer(size, size)
        self.standard_errors = dict(zip(self.names, np.sqrt(np.diag(self._covariance)).tolist(), strict=True))
        self.deviation = dict(zip(measured.names, np.sqrt(np.mean(self.residuals**2, axis=0)).tolist(), strict=True))

    @property
    def covariance(self):
        return self._labelled(self._covariance)

    @property
    def correlation(self):
        size = np.sqrt(np.diag(self._covariance))
        return self._labelled(self._covariance / np.maximum(np.outer(size, size), 1e-300))

    def _labelled(self, matrix):
        import xarray

        return xarray.DataArray(matrix, {"parameter": self.names, "with": self.names}, ("parameter", "with"))

    def plot(self, path=None):
        """What was measured, and what the fitted system does."""
        from mekane.analyses.figures import panels, written

        measured = self.measured
        fitted = measured.data + self.residuals
        figure, column = panels(f"{self._box.system.name}: measured and fitted", "t [s]", *measured.names)
        for k, axes in enumerate(column):
            axes.plot(measured.times, measured.data[:, k], ".", ms=3, color="0.5", label="measured")
            axes.plot(measured.times, fitted[:, k], lw=1.2, label="fitted")
        column[-1].legend()
        return written(figure, path)

    def to_dict(self):
        more = dict(
            standard_errors=self.standard_errors, covariance=self._covariance.tolist(), deviation=self.deviation
        )
        return super().to_dict() | more

    def shown(self):
        rows = [[name, self.start[name], value, self.standard_errors[name]] for name, value in self.parameters.items()]
        first = Shown(
            f"{self._box.system.name}: fitted values",
            ["parameter", "start", "found", "standard error"],
            rows,
            self.remark(),
        )
        rows = [[name, len(self.measured.times), self.deviation[name]] for name in self.measured.names]
        return [first, Shown("What is left", ["quantity", "numbers", "root mean square"], rows)]
