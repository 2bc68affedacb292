"""Pictures of studies: a measure over what varied, a histogram, a band of quantiles over time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mekane.errors import ModelError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from matplotlib.figure import Figure
    from xarray import DataArray, Dataset

BESIDE = ("status", "message")
SAME = 1e-12  # values that differ by a smaller share are one value and round-off


def plot_sweep(ds: Dataset, name: str | None = None, path: str | PathLike[str] | None = None) -> Figure:
    """A variable of a sweep over what varied: lines over one dimension, a map over two.

    Parameters:
        ds: what mk.sweep returned.
        name: a variable with one number for each run; by default the first.
        path: a file to write (.png, .svg, .pdf).

    Example:
        from mekane import gallery
        s = gallery.find("pendulum").system()
        ds = mk.sweep(s, {"bob.mass": [1, 2, 3]}, t_end=1.0, measure={"pull": "max(abs(hinge.reaction.force))"})
        mk.plot_sweep(ds, "pull")
    """
    from mekane.analyses.figures import panels, plain, short, written

    name = variable(ds, name, lambda one: "time" not in one.dims)
    one = numeric(ds[name])
    figure, (axes,) = panels(ds.attrs.get("title", ""), label(ds, one.dims[0]), label(ds, name))
    if one.ndim == 2 and ds[one.dims[1]].dtype.kind in "fi" and one.sizes[one.dims[1]] > 8:
        axes.set_ylabel(short(plain(label(ds, one.dims[1]))))
        picture = axes.pcolormesh(ds[one.dims[0]], ds[one.dims[1]], one.values.T, shading="nearest")
        figure.colorbar(picture, label=short(plain(label(ds, name))))
        return written(figure, path)
    for point in np.ndindex(*one.shape[1:]):
        where = {dim: k for dim, k in zip(one.dims[1:], point, strict=True)}
        text = ", ".join(f"{dim} = {ds[dim].values[k]:.6g}" if ds[dim].dtype.kind in "fi" else f"{dim} = {ds[dim].values[k]}"
                         for dim, k in where.items())  # fmt: skip
        axes.plot(ds[one.dims[0]].values, one.isel(where).values, "-", marker=".", lw=1.2, label=plain(text) or None)
    if 0 < int(np.prod(one.shape[1:])) <= 12 and one.ndim > 1:
        axes.legend(fontsize="small")
    return written(figure, path)


def plot_histogram(
    ds: Dataset, name: str | None = None, path: str | PathLike[str] | None = None, bins: int | str = "auto"
) -> Figure:
    """How often values of a measure occur in a study, with its 5 %, 50 % and 95 % quantiles.

    Parameters:
        ds: what mk.monte_carlo or mk.sweep returned.
        name: a variable with one number for each run; by default the first.
        path: a file to write (.png, .svg, .pdf).
        bins: how many, or a rule of numpy.histogram.

    Example:
        from mekane import gallery
        s = gallery.find("pendulum").system()
        ds = mk.monte_carlo(s, {"hinge.rate": mk.normal(1, 0.1)}, n=16, t_end=1.0, measure={"peak": "max(hinge.angle)"})
        mk.plot_histogram(ds, "peak")
    """
    from mekane.analyses.figures import panels, plain, written

    name = variable(ds, name, lambda one: "time" not in one.dims)
    values = ds[name].values.ravel()
    values = values[np.isfinite(values)]
    title = f"{ds.attrs.get('title', '')}: {len(values)} of {ds[name].size} values"
    figure, (axes,) = panels(title, label(ds, name), "runs")
    if len(values):
        scatter = np.ptp(values) > SAME * np.abs(values).max()
        axes.hist(values, bins=bins if scatter else 1, color="tab:blue", alpha=0.7)
        for share, style in ((0.05, ":"), (0.5, "-"), (0.95, ":")):
            axes.axvline(np.quantile(values, share), color="tab:red", ls=style, lw=1.2, label=plain(f"{share:.0%}"))
        axes.legend(fontsize="small")
    return written(figure, path)


def plot_band(
    ds: Dataset,
    name: str | None = None,
    path: str | PathLike[str] | None = None,
    quantiles: Sequence[float] = (0.05, 0.25, 0.5, 0.75, 0.95),
) -> Figure:
    """Quantiles of a channel over time: the bands in which given shares of all runs are.

    Parameters:
        ds: what mk.monte_carlo or mk.sweep returned, with a channel that was kept.
        name: the channel; by default the first.
        path: a file to write (.png, .svg, .pdf).
        quantiles: shares of runs, rising; the first and the last bound the widest band.

    Example:
        from mekane import gallery
        s = gallery.find("pendulum").system()
        ds = mk.monte_carlo(s, {"hinge.rate": mk.normal(1, 0.1)}, n=16, t_end=1.0, keep="hinge.angle")
        mk.plot_band(ds, "hinge.angle")
    """
    from mekane.analyses.figures import panels, plain, written

    name = variable(ds, name, lambda one: "time" in one.dims)
    one = band(ds, name, quantiles)
    if one.ndim != 2:
        problem, dims = f"{name!r} is a vector", ", ".join(one.dims)
        raise ModelError("plot_band", problem, f"it has the dimensions {dims}", 'Select one: ds.sel(axis="x").')
    figure, (axes,) = panels(ds.attrs.get("title", ""), "time [s]", label(ds, name))
    shares = list(quantiles)
    for k in range(len(shares) // 2):
        low, high = one.values[k], one.values[-1 - k]
        text = plain(f"{shares[k]:.0%} to {shares[-1 - k]:.0%}")
        axes.fill_between(one["time"].values, low, high, color="tab:blue", alpha=0.25, lw=0, label=text)
    if len(shares) % 2:
        axes.plot(one["time"].values, one.values[len(shares) // 2], color="tab:blue", lw=1.4, label="median")
    axes.legend(fontsize="small")
    return written(figure, path)


def band(ds: Dataset, name: str, quantiles: Sequence[float] = (0.05, 0.5, 0.95)) -> DataArray:
    """Quantiles over all runs, (quantile, time, …); runs that failed do not count."""
    inner = {"time", "axis", "quaternion", "eigenvalue", "mode"}
    over = [dim for dim in ds[name].dims if dim not in inner]
    return ds[name].quantile(list(quantiles), dim=over, skipna=True)


def variable(ds, name, fits):
    """The name, or the first variable that fits."""
    names = [str(one) for one in ds.data_vars if one not in BESIDE and fits(ds[one])]
    if name is None and names:
        return names[0]
    if name not in ds.data_vars:
        remedy = did_you_mean(str(name), names).strip()
        raise ModelError("plot", f"there is no {name!r} to draw", f"there are {', '.join(names) or 'none'}", remedy)
    return name


def numeric(one):
    """With the longest dimension of numbers first."""
    dims = sorted(one.dims, key=lambda dim: (one[dim].dtype.kind not in "fi", -one.sizes[dim]))
    return one.transpose(*dims)


def label(ds, name):
    unit = ds[name].attrs.get("units", "") if name in ds.variables else ""
    return f"{name} [{unit}]" if unit and unit != "1" else str(name)
