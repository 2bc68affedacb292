"""run.spectrum, run.plot_spectrum: how much of each frequency is in a quantity."""

from typing import NamedTuple

import numpy as np

from mekane.analyses.figures import panels, plain, sentence, written
from mekane.errors import ModelError, did_you_mean, many
from mekane.view.plots.curves import checked_names, components, legend, style, with_unit

WINDOWS = {  # sums of cosines, periodic
    "hann": (0.5, 0.5),
    "flattop": (0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368),
    "none": (1.0,),
}
VISIBLE = 5e-3  # of the largest amplitude: what is smaller is not visible
OUT, SMALLEST_PEAK, MOST_PEAKS = (
    3.0,
    1e-3,
    5,
)  # a peak is so much higher than its feet, not below this share of the largest
LOWEST = 1e-5  # of the largest amplitude: where powers of ten begin
FEWEST = 8  # samples
GAP, LINE, WIDTH = 4.0, 10.0, 48.0  # points: names of peaks above them, their height and width
EVEN = 1e-6  # of a step: by so much even samples may differ from an even grid


class Peak(NamedTuple):
    """A sine in a signal: frequency [Hz], and amplitude in the unit of the signal."""

    frequency: float
    amplitude: float


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
    def peaks(self) -> list[Peak]:
        """The largest peaks that stand out, the largest first; a parabola through the logarithms of three amplitudes
        tells where one is between multiples of the resolution, and how high."""
        a = self.amplitude
        if not a.max() > 0:
            return []
        height = np.log(np.maximum(a, 1e-300))
        least = height.max() + np.log(SMALLEST_PEAK)
        found = [k for k in standing_out(height) if 0 < k < len(a) - 1 and height[k] >= least]
        largest = sorted(found, key=lambda k: -height[k])[:MOST_PEAKS]
        return [self.peak_at(height, k) for k in largest]

    def peak_at(self, height, k) -> Peak:
        before, here, after = height[k - 1 : k + 2]
        bend = before - 2 * here + after
        off = 0.5 * (before - after) / bend if bend < 0 else 0.0
        return Peak(
            float(self.frequency[k] + off * self.resolution), float(np.exp(here - 0.25 * (before - after) * off))
        )

    @property
    def highest(self):
        """Beyond this frequency there is next to nothing [Hz]."""
        there = self.frequency[self.amplitude > VISIBLE * self.amplitude.max()]
        return float(min(1.5 * there.max(initial=8 * self.resolution), self.frequency[-1]))


def standing_out(height):
    """Where a curve of logarithms has its peaks: those that rise by a factor of OUT above what is around them."""
    from scipy.signal import find_peaks

    return find_peaks(height, prominence=np.log(OUT))[0]


class SpectrumOfRun(NamedTuple):
    """run.spectrum("arm.angle"): of each component of a quantity.

    .peaks are those of all components, (name, frequency [Hz], amplitude); .plot() draws it."""

    system: str
    name: str
    units: str
    window: str
    components: dict[str, Spectrum]

    @property
    def peaks(self) -> list[tuple[str, float, float]]:
        return [(name, *peak) for name, one in self.components.items() for peak in one.peaks]

    @property
    def frequency(self) -> np.ndarray:
        """[Hz]"""
        return next(iter(self.components.values())).frequency

    def __str__(self):
        lines = [
            f"{name}: {frequency:.6g} Hz, amplitude {amplitude:.4g} {self.units}"
            for name, frequency, amplitude in self.peaks
        ]
        return "\n".join(lines) or f"{self.name}: no frequency stands out"

    def plot(self, path=None, log=True):
        """Amplitude over frequency, the largest peaks named.  log: powers of ten. Returns the figure, written to `path` if
        given."""
        found = list(self.components.values())
        resampled = ", resampled evenly" if found[0].resampled else ""
        title = f"{self.system}: spectrum\nwindow: {self.window}, mean left out, resolution {found[0].resolution:.3g} Hz{resampled}"
        label = with_unit(f"amplitude of {self.name}", self.units)
        figure, (axes,) = panels(plain(title), "frequency [Hz]", label, size=(7.5, 4))
        largest = max(float(one.amplitude.max()) for one in found)
        if not largest > 0:
            sentence(axes, f"{self.name} does not change: there is no frequency in it.")
            return written(figure, path)
        for k, (name, one) in enumerate(self.components.items()):
            axes.plot(
                one.frequency, one.amplitude, lw=1.2, label=plain(f"{name}, peak at {one.peak:.4g} Hz"), **style(k)
            )
        axes.set_xlim(0, max(one.highest for one in found))
        if log:
            axes.set_yscale("log", nonpositive="mask")
        axes.set_ylim((LOWEST if log else 0.0) * largest, (6.0 if log else 1.15) * largest)
        name_peaks(
            axes,
            [(*peak, style(k)["color"]) for k, one in enumerate(found) for peak in one.peaks if peak[0] <= one.highest],
        )
        legend(axes, beside=False)
        return written(figure, path)


def name_peaks(axes, peaks):
    """The frequency of each peak beside it, above what is written there already. peaks: (frequency, amplitude, colour)."""
    places, points = [], 72.0 / axes.figure.dpi
    for frequency, amplitude, colour in sorted(peaks, key=lambda peak: peak[1]):
        x, top = points * axes.transData.transform((frequency, amplitude))
        y = top + GAP
        while near := [b for a, b in places if abs(a - x) < WIDTH and abs(b - y) < LINE]:
            y = max(near) + LINE
        places.append((x, y))
        axes.annotate(
            f"{frequency:.4g} Hz", (frequency, amplitude), (0, y - top),
            textcoords="offset points", ha="center", fontsize=8, color=colour,
        )  # fmt: skip


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


def spectrum_of_run(run, name, window="hann"):
    """How much of each frequency is in a quantity, the mean left out: .frequency, .components, .peaks, .plot().

    window: "hann", "flattop" (amplitudes are exact, peaks wide) or "none"."""
    (name,) = checked_names(run, [name])
    found = {curve.name: spectrum(run.t, curve.values, window) for curve in components(run, name)}
    return SpectrumOfRun(run.system.name, name, run.units(name), window, found)


def plot_spectrum(run, name, path=None, window="hann", log=True):
    """Amplitude over frequency, the mean left out, the largest peaks named.  window: "hann", "flattop" (amplitudes are
    exact, peaks wide) or "none".  log: powers of ten.

    Returns the figure, written to `path` if given."""
    return spectrum_of_run(run, name, window).plot(path, log)
