"""Frequency response of linearized motion: gain and phase of every output for every input, G(s) = C (s 1 − A)⁻¹ B + D
at s = 2πi f.

A frequency is in Hz; as text it may have a unit: "2 Hz", "6 rad/s" (an angular frequency, 6/2π Hz), "90 rpm".
"""

from functools import cached_property

import numpy as np

from mekane.analyses.quantity_names import as_value, dimension_of
from mekane.errors import ModelError
from mekane.model.values.unit_algebra import NAMED, PURE, derived_unit, product, si_unit
from mekane.model.values.units import DIMENSIONS, is_list, quantity, shown
from mekane.results.printing import Printed, Shown

PART = "frequency_response"
POINTS = 60  # of the automatic frequencies, in each decade
MOST_DECADES = 8
NEAR = 1e-9  # relative distance to an eigenvalue below which a frequency is that of an undamped mode
ASIDE = 1e-6  # relative distance at which a gain beside such a frequency is taken
PEAK = np.array([0.003, 0.01, 0.03, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0])  # in half widths of a peak


def frequency_response(linear, frequencies=None):
    """The gains of a Linearization at these frequencies [Hz], or "2 Hz", "6 rad/s", "90 rpm"; by default ones that show
    every mode."""
    if not linear.inputs:
        remedy = 'Write mk.linearize(s, inputs=["motor.torque"]).'
        raise ModelError(PART, "the linearization has no inputs", "a response is that to an input", remedy)
    chosen = automatic(linear.eigenvalues) if frequencies is None else read_frequencies(frequencies)
    return FrequencyResponse(linear, chosen)


def read_frequencies(given):
    """Numbers in Hz and texts with a unit, not negative."""
    listed = list(np.ravel(given)) if isinstance(given, np.ndarray) else list(given) if is_list(given) else [given]
    found = np.array([quantity(one, "frequency", PART, "frequencies") for one in listed], float)
    if not len(found) or (found < 0).any():
        problem = f"frequencies is {shown(given)}"
        raise ModelError(PART, problem, "frequencies of zero or more are expected", "Write [0.1, 1, 10], in Hz.")
    return found


def automatic(eigenvalues):
    """From a tenth of the slowest to ten times the fastest mode, evenly on a logarithmic scale, closer at peaks [Hz]."""
    sizes = np.abs(eigenvalues[np.abs(eigenvalues) > 0]) / (2 * np.pi)
    low, high = (sizes.min() / 10, sizes.max() * 10) if len(sizes) else (0.01, 100.0)
    low = max(low, high / 10**MOST_DECADES)
    even = np.geomspace(low, high, int(POINTS * np.log10(high / low)) + 1)
    peaks = [peak(x) for x in eigenvalues if x.imag > 0]
    found = np.unique(np.concatenate([even, *peaks]))
    exact = np.abs(eigenvalues.imag[np.abs(eigenvalues.real) <= NEAR * np.abs(eigenvalues)]) / (2 * np.pi)
    return np.array([f for f in found if low <= f <= high and not np.any(np.abs(exact - f) <= 1e-6 * f)])


def peak(eigenvalue):
    """Frequencies around that of a mode, in half widths of its peak, those of an undamped one in thousandths [Hz]."""
    middle, width = abs(eigenvalue.imag), max(abs(eigenvalue.real), 1e-3 * abs(eigenvalue.imag))
    return np.concatenate([middle - width * PEAK, [middle], middle + width * PEAK]) / (2 * np.pi)


class FrequencyResponse(Printed):
    """`frequency` [Hz], `inputs`, `outputs`; `gain` complex, `magnitude` and `phase` [rad, continuous], each a labelled
    array (frequency, output, input). response["arm.angle", "push"] is one gain over frequency.

    `notes`: frequencies of undamped modes, where a gain is infinite; nan stands there.
    """

    def __init__(self, linear, frequency):
        self.linear, self.frequency = linear, frequency
        self.inputs, self.outputs = list(linear.inputs), list(linear.outputs)
        self._gains = np.array([gain(linear, 2j * np.pi * f) for f in frequency])
        self.notes = [
            infinite(f, self._gains[k], linear) for k, f in enumerate(frequency) if np.isnan(self._gains[k]).any()
        ]

    def __array__(self, dtype=None, copy=None):
        return np.array(self._gains, dtype)

    def __getitem__(self, key):
        """By names: an output, or (output, input); by numbers as an array of gains (frequency, output, input)."""
        names = key if isinstance(key, tuple) else (key,)
        if not all(isinstance(name, str) for name in names):
            return self._gains[key]
        labels = dict(zip(("output", "input"), names, strict=False))
        for dimension, name in labels.items():
            known = getattr(self, f"{dimension}s")
            if name not in known:
                raise ModelError(PART, f"there is no {dimension} {name!r}", f"it has {', '.join(known)}")
        return self.gain.sel(labels)

    @cached_property
    def units(self):
        """Of the gains: {(output, input): "m/N"}; "" where one is not known."""
        system = self.linear.system
        return {
            (y, u): ratio(unit_of_output(system, y), unit_of_input(system, u))
            for y in self.outputs
            for u in self.inputs
        }

    @cached_property
    def gain(self):
        return self._labelled(self._gains, "complex gain")

    @cached_property
    def magnitude(self):
        return self._labelled(np.abs(self._gains), "magnitude")

    @cached_property
    def phase(self):
        """Continuous over frequency [rad], between −π and π at the first one; a lead is positive."""
        return self._labelled(phases(self.linear, self.frequency, self._gains), "phase", "rad")

    def _labelled(self, values, what, units=None):
        import xarray

        axis = ("frequency", self.frequency, {"units": "Hz"})
        attrs = {"long_name": what, "units": units or next(iter(set(self.units.values())), "")}
        if units is None and len(set(self.units.values())) > 1:
            attrs["units"] = "; ".join(f"{y} by {u}: {unit or '?'}" for (y, u), unit in self.units.items())
        coords = {"frequency": axis, "output": self.outputs, "input": self.inputs}
        return xarray.DataArray(values, coords, ("frequency", "output", "input"), attrs=attrs)

    def bode(self, path=None):
        """Magnitude [dB] and phase [deg] over frequency: a figure, written if a path is given."""
        from mekane.analyses.figures import panels, plain, written

        title = plain(f"{self.linear.system.name}: frequency response")
        figure, (size, angle) = panels(title, "frequency [Hz]", "magnitude [dB]", "phase [deg]")
        order = np.argsort(self.frequency)
        with np.errstate(divide="ignore"):
            decibels = 20 * np.log10(self.magnitude.values)
        decibels[np.isinf(decibels)] = np.nan  # no response at all
        for i, j in np.ndindex(decibels.shape[1:]):
            unit = self.units[self.outputs[i], self.inputs[j]]
            label = plain(f"{self.outputs[i]} by {self.inputs[j]}" + (f" [dB re 1 {unit}]" if unit else ""))
            size.plot(self.frequency[order], decibels[order, i, j], lw=1.2, label=label)
            angle.plot(self.frequency[order], np.degrees(self.phase.values[order, i, j]), lw=1.2)
        if (self.frequency > 0).all():
            size.set_xscale("log")
        angle.locator_params(axis="y", steps=[1, 1.5, 3, 4.5, 9, 10])
        size.legend(fontsize=8, frameon=False)
        return written(figure, path)

    def to_dict(self):
        """Plain data."""
        lists = lambda values: np.where(np.isfinite(values), values, None).tolist()
        return dict(
            frequency=self.frequency.tolist(), inputs=self.inputs, outputs=self.outputs, magnitude=lists(self.magnitude.values),
            phase=lists(self.phase.values), units=[[self.units[y, u] for u in self.inputs] for y in self.outputs], notes=self.notes,
        )  # fmt: skip

    def shown(self):
        rows = [self._row(i, j) for i in range(len(self.outputs)) for j in range(len(self.inputs))]
        title = f"frequency response from {self.frequency.min():.4g} to {self.frequency.max():.4g} Hz"
        heads = ["output", "input", "unit", "first magnitude", "largest", "at [Hz]"]
        return [Shown(title, heads, rows, " ".join(self.notes))]

    def _row(self, i, j):
        size, y, u = self.magnitude.values[:, i, j], self.outputs[i], self.inputs[j]
        top = int(np.nanargmax(size)) if np.isfinite(size).any() else 0
        return [y, u, self.units[y, u], size[0], size[top], self.frequency[top]]


# ---------------------------------------------------------------- gains


def transfer(linear, s):
    """G(s), by one linear solution; nan where s is exactly an eigenvalue."""
    try:
        return linear.C @ np.linalg.solve(s * np.eye(len(linear.A)) - linear.A, linear.B) + linear.D
    except np.linalg.LinAlgError:
        return np.full(linear.D.shape, complex(np.nan, np.nan))


def gain(linear, s):
    """G(s); at an eigenvalue its limit, and nan where that is infinite."""
    if not is_pole(linear, s):
        return transfer(linear, s)
    aside = ASIDE * (abs(s) or np.abs(linear.eigenvalues).max(initial=0.0) or 1.0)
    around = np.array([transfer(linear, s + step * aside) for step in (-2, -1, 1, 2)])
    middle = around[1:3].mean(axis=0)
    size = np.maximum(np.abs(middle), np.abs(around).max() * 1e-9)
    finite = np.abs(around - middle).max(axis=0) <= 1e-3 * size  # beside a pole they differ by factors
    return np.where(finite, middle, complex(np.nan, np.nan))


def is_pole(linear, s):
    scale = max(abs(s), 1e-6 * np.abs(linear.eigenvalues).max(initial=0.0))
    return bool((np.abs(linear.eigenvalues - s) <= NEAR * scale).any())


def phases(linear, frequency, gains):
    """Angles, made continuous in the order of the frequencies. A gain without an imaginary part has the phase that it
    has with a trace of damping, so that resonances of undamped systems lag."""
    trace = 1e-9 * 2 * np.pi * np.maximum(frequency, 1e-300)
    damped = np.array([transfer(linear, 2j * np.pi * f + step) for f, step in zip(frequency, trace, strict=True)])
    real = np.abs(gains.imag) <= 1e-9 * np.abs(gains)
    angles, order = np.angle(np.where(real, damped, gains)), np.argsort(frequency)
    for i, j in np.ndindex(angles.shape[1:]):
        those = order[np.isfinite(angles[order, i, j])]
        angles[those, i, j] = np.unwrap(angles[those, i, j])
    return angles


def infinite(f, gains, linear):
    pairs = [f"{linear.outputs[i]} by {linear.inputs[j]}" for i, j in np.argwhere(np.isnan(gains))]
    what = "a rigid-body motion" if f == 0 else "an undamped mode"
    return f"At {f:.6g} Hz {what} resonates: the gain of {', '.join(pairs)} is infinite (nan)."


# ---------------------------------------------------------------- units


def ratio(unit, other):
    """ "m/N"; "" where one is not known."""
    if not (unit and other):
        return ""
    short = product([unit, other], -1)
    return short if short in (PURE, *NAMED) else f"{unit}/{other}" if other.isalpha() else f"{unit}/({other})"


def unit_of_output(system, text):
    expression = as_value(system, text, PART).graph
    unit = lambda name: "s" if name == "t" else _of_dimension(dimension_of(system, name))
    return derived_unit(expression, unit, PART)


def unit_of_input(system, name):
    """Of a parameter that was given with a unit, or of a keyword of a force; "" where it is not known."""
    if name in system._measured:
        return si_unit(system._measured[name].text)
    owner, _, keyword = name.partition(".")
    force = system.forces.get(owner)
    field = next((f for f in force.value_fields() if f.name == keyword.partition(".")[0]), None) if force else None
    dimension = field.metadata["dimension"] if field else None
    if isinstance(dimension, dict):
        dimension = dimension[force.acts.dimension]
    return _of_dimension(dimension if isinstance(dimension, str) else None)


def _of_dimension(dimension):
    return DIMENSIONS[dimension].units[0] if dimension else ""
