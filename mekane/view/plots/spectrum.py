"""run.plot_spectrum: how much of each frequency is in a quantity."""

from typing import NamedTuple

import numpy as np

from mekane.analyses.figures import panels, plain, written
from mekane.errors import ModelError, did_you_mean, many
from mekane.view.plots.curves import checked_names, components, legend, with_unit

WINDOWS = {  # sums of cosines, periodic
    "hann": (0.5, 0.5),
    "flattop": (0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368),
    "none": (1.0,),
}
VISIBLE = 5e-3  # of the largest amplitude: what is smaller is not visible
FEWEST = 8  # samples
EVEN = 1e-6  # of a step: by so much even samples may differ from an even grid


class Spectrum(NamedTuple):
    """Amplitudes of a signal over frequency; those of a sine are its amplitude if its frequency is a multiple of
    `resolution`."""

    frequency: np.ndarray  # [Hz]
    amplitude: np.ndarray  # in the unit of the signal
    resolution: float  # one over the length of the record [Hz]
    resampled: bool

    @property
    def peak(self):
        """The frequency with the largest amplitude [Hz]."""
        return float(self.frequency[np.argmax(self.amplitude)])

    @property
    def highest(self):
        """Beyond this frequency there is next to nothing [Hz]."""
        there = self.frequency[self.amplitude > VISIBLE * self.amplitude.max()]
        return float(min(1.5 * there.max(initial=8 * self.resolution), self.frequency[-1]))


def spectrum(t, values, window="hann"):
    """The spectrum of samples, less their mean. Samples that are not even are replaced by as many even ones of a cubic
    spline."""
    t, values, resampled = evenly(np.asarray(t, float), np.asarray(values, float))
    n, step = len(t), (t[-1] - t[0]) / (len(t) - 1)
    weights = shape(window, n)
    found = np.fft.rfft(weights * (values - values.mean())) / weights.sum()
    twice = np.full(len(found), 2.0)  # a sine has half of its amplitude at +f, half at −f
    twice[0] = 1.0
    twice[-1] = 1.0 if n % 2 == 0 else 2.0
    return Spectrum(np.fft.rfftfreq(n, step), twice * np.abs(found), 1.0 / (n * step), resampled)


def evenly(t, values):
    t, first = np.unique(t, return_index=True)
    values = values[first]
    if len(t) < FEWEST:
        remedy = "Sample more often: mk.simulate(…, every=…)."
        raise ModelError(
            "plot_spectrum", f"the run has {many(len(t), 'sample')}", f"at least {FEWEST} are needed", remedy
        )
    if not np.all(np.isfinite(values)):
        raise ModelError(
            "plot_spectrum",
            "the quantity is not finite at every sample",
            "finite numbers are expected",
            "See run.health.",
        )
    grid = np.linspace(t[0], t[-1], len(t))
    if np.abs(t - grid).max() <= EVEN * (grid[1] - grid[0]):
        return t, values, False
    from scipy.interpolate import CubicSpline

    return grid, CubicSpline(t, values)(grid), True


def shape(window, n):
    if window not in WINDOWS:
        expected = f"one of {', '.join(WINDOWS)} is expected"
        raise ModelError("plot_spectrum", f"window is {window!r}", expected, did_you_mean(str(window), WINDOWS).strip())
    turn = 2 * np.pi * np.arange(n) / n
    return sum((-1) ** k * a * np.cos(k * turn) for k, a in enumerate(WINDOWS[window]))


def plot_spectrum(run, name, path=None, window="hann"):
    """Amplitude over frequency, the mean left out.  window: "hann", "flattop" (amplitudes are exact, peaks wide) or
    "none".

    Returns the figure, written to `path` if given."""
    (name,) = checked_names(run, [name])
    curves = components(run, name)
    found = [spectrum(run.t, curve.values, window) for curve in curves]
    resampled = ", resampled evenly" if found[0].resampled else ""
    title = f"{run.system.name}: spectrum\nwindow: {window}, mean left out, resolution {found[0].resolution:.3g} Hz{resampled}"
    label = with_unit(f"amplitude of {name}", run.units(name))
    figure, (axes,) = panels(plain(title), "frequency [Hz]", label, size=(7.5, 4))
    for curve, one in zip(curves, found, strict=True):
        axes.plot(one.frequency, one.amplitude, lw=1.2, label=plain(f"{curve.name}, peak at {one.peak:.4g} Hz"))
    axes.set_xlim(0, max(one.highest for one in found))
    axes.set_ylim(0)
    legend(axes, beside=False)
    return written(figure, path)
