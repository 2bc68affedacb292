"""Answers of `sensitivity`."""

import numpy as np

from mekane.errors import ModelError, did_you_mean
from mekane.results.printing import Printed, Shown

MOST_PANELS = 6


class Sensitivity(Printed):
    """system, parameters (names → values), quantities (names); `of(quantity, parameter)` is one derivative."""

    def __init__(self, parametrized):
        self.parametrized, self.system = parametrized, parametrized.system
        self.parameters = dict(zip(parametrized.names, parametrized.parameters.tolist(), strict=True))
        self.quantities = list(parametrized.outputs)

    def place(self, name, names, what):
        if name not in names:
            shown = ", ".join(names[:12]) + (" …" if len(names) > 12 else "")
            raise ModelError(
                "sensitivity",
                f"{name!r} is not among the {what}",
                f"there are {shown}",
                did_you_mean(name, names).strip(),
            )
        return list(names).index(name)

    def places(self, quantity, parameter):
        return self.place(quantity, self.quantities, "quantities"), self.place(
            parameter, list(self.parameters), "parameters"
        )


class MotionSensitivity(Sensitivity):
    """Over time: t, values (time, quantity), slopes (time, quantity, parameter); y and state_slopes: of the whole
    state.

    answer["hinge.angle"] is the quantity itself, answer.of("hinge.angle", "l") its derivative, over time.

    An event with stop=True ends the motion at an instant that moves with the parameters, by end_slopes (parameter,). The
    derivatives of the last sample are those of the values at that instant; all others are at fixed times."""

    def __init__(self, parametrized, kept):
        super().__init__(parametrized)
        self.end_slopes = kept.end_derivatives
        self.t, self.values, self.slopes, self.y, self.state_derivatives = (
            kept.t,
            kept.values,
            kept.derivatives,
            kept.y,
            kept.S,
        )

    def __getitem__(self, quantity):
        return self._over_time(self.values[:, self.place(quantity, self.quantities, "quantities")], quantity)

    def of(self, quantity, parameter):
        """d quantity / d parameter over time, as a DataArray."""
        k, p = self.places(quantity, parameter)
        return self._over_time(self.slopes[:, k, p], f"d {quantity} / d {parameter}")

    def _over_time(self, values, name):
        import xarray

        return xarray.DataArray(values, {"time": ("time", self.t, {"units": "s"})}, ("time",), name)

    def to_xarray(self):
        """A Dataset: value (time, quantity) and slope (time, quantity, parameter)."""
        import xarray

        data = dict(value=(("time", "quantity"), self.values), slope=(("time", "quantity", "parameter"), self.slopes))
        coords = dict(time=("time", self.t, {"units": "s"}), quantity=self.quantities, parameter=list(self.parameters))
        return xarray.Dataset(data, coords, {"system": self.system.name})

    def plot(self, path=None):
        """p dy/dp over time, a panel for each quantity: what a change of a parameter by its own size would do."""
        from mekane.analyses.figures import panels, written

        figure, column = panels(f"{self.system.name}: p · d/dp", "t [s]", *self.quantities[:MOST_PANELS])
        for k, axes in enumerate(column):
            for p, (name, value) in enumerate(self.parameters.items()):
                axes.plot(self.t, (value or 1.0) * self.slopes[:, k, p], lw=1.2, label=name)
        column[-1].legend()
        return written(figure, path)

    def to_dict(self):
        """Plain data."""
        return dict(
            system=self.system.name, parameters=self.parameters, quantities=self.quantities, t=self.t.tolist(),
            values=self.values.tolist(), slopes=self.slopes.tolist(),
        )  # fmt: skip

    def shown(self):
        rows = []
        for k, quantity in enumerate(self.quantities):
            for p, name in enumerate(self.parameters):
                largest = int(np.argmax(np.abs(self.slopes[:, k, p])))
                rows.append([quantity, name, self.slopes[-1, k, p], self.slopes[largest, k, p], self.t[largest]])
        title = f"{self.system.name}: how its motion changes with {', '.join(self.parameters)}"
        return [Shown(title, ["d of", "by", f"at {self.t[-1]:g} s", "largest", "at t [s]"], rows)]


class EquilibriumSensitivity(Sensitivity):
    """Of an equilibrium: values (quantity,), slopes (quantity, parameter); dq (parameter, coordinate), multipliers
    (parameter, row)."""

    def __init__(self, equilibrium):
        super().__init__(equilibrium.parametrized)
        self.values, self.slopes = equilibrium.outputs()
        self.dq, self.multipliers, self.coordinates = (
            equilibrium.dq,
            equilibrium.multipliers,
            list(equilibrium.parametrized.compiled.coordinates),
        )

    def __getitem__(self, quantity):
        return float(self.values[self.place(quantity, self.quantities, "quantities")])

    def of(self, quantity, parameter):
        """d quantity / d parameter."""
        return float(self.slopes[self.places(quantity, parameter)])

    def to_xarray(self):
        import xarray

        return xarray.DataArray(
            self.slopes, {"quantity": self.quantities, "parameter": list(self.parameters)}, ("quantity", "parameter")
        )

    def to_dict(self):
        """Plain data."""
        data = dict(system=self.system.name, parameters=self.parameters, quantities=self.quantities)
        return data | dict(values=self.values.tolist(), slopes=self.slopes.tolist())

    def shown(self):
        rows = [[name, value, *row] for name, value, row in zip(self.quantities, self.values, self.slopes, strict=True)]
        title = f"{self.system.name}: how its equilibrium moves with {', '.join(self.parameters)}"
        return [Shown(title, ["quantity", "value", *(f"d/d {name}" for name in self.parameters)], rows)]


class EigenvalueSensitivity(Sensitivity):
    """eigenvalues [1/s], slopes (eigenvalue, parameter), A and dA.

    Eigenvalues are numbered from 1, by size; of a pair the one with positive imaginary part is first. `repeated` marks
    those that coincide with others: their derivatives are not unique, and not a number.
    """

    def __init__(self, found):
        super().__init__(found.parametrized)
        self.eigenvalues, self.slopes, self.repeated, self.A, self.dA = (
            found.values,
            found.derivatives,
            found.repeated,
            found.A,
            found.dA,
        )
        self.quantities = [f"eigenvalue {k}" for k in range(1, len(self.eigenvalues) + 1)]

    def of(self, quantity, parameter):
        """d eigenvalue / d parameter, complex; quantity: "eigenvalue 1" or 1."""
        quantity = quantity if isinstance(quantity, str) else f"eigenvalue {quantity}"
        return complex(self.slopes[self.places(quantity, parameter)])

    @property
    def modes(self):
        """Numbers (from 0) of the eigenvalues of oscillating modes, one of each pair."""
        return np.flatnonzero(self.eigenvalues.imag > 1e-9 * (1e-300 + np.abs(self.eigenvalues)))

    @property
    def frequencies(self):
        """Of the oscillating modes [Hz]."""
        return self.eigenvalues[self.modes].imag / (2 * np.pi)

    @property
    def frequency_slopes(self):
        """(mode, parameter)"""
        return self.slopes[self.modes].imag / (2 * np.pi)

    def to_dict(self):
        """Plain data; complex numbers as [real, imaginary]."""
        pair = lambda x: [float(x.real), float(x.imag)]
        return dict(
            system=self.system.name, parameters=self.parameters, eigenvalues=[pair(x) for x in self.eigenvalues],
            slopes=[[pair(x) for x in row] for row in self.slopes], repeated=self.repeated.tolist(),
        )  # fmt: skip

    def shown(self):
        texts = [[as_text(x) for x in row] for row in self.slopes]
        rows = [
            [k, as_text(value), *row] for k, (value, row) in enumerate(zip(self.eigenvalues, texts, strict=True), 1)
        ]
        title = f"{self.system.name}: how the eigenvalues of linearized motion change with {', '.join(self.parameters)}"
        remark = "Eigenvalues that coincide with others have no derivative of their own." if self.repeated.any() else ""
        return [
            Shown(title, ["number", "eigenvalue [1/s]", *(f"d/d {name}" for name in self.parameters)], rows, remark)
        ]


def as_text(x):
    if np.isnan(x):
        return "repeated"
    return f"{x.real + 0.0:.6g} {'+' if x.imag >= 0 else '−'} {abs(x.imag):.6g}i"
