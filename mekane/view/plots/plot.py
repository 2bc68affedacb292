"""run.plot and mk.plot_runs: quantities over time, of one run or of several beside each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mekane.analyses.figures import CYCLE, plain, sentence, written
from mekane.errors import ModelError
from mekane.results.result import Result
from mekane.view.plots.curves import (
    STYLES,
    checked_names,
    curves_of,
    in_panels,
    legend,
    level,
    over_time,
    panel_name,
    scalars,
    style,
    with_unit,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from os import PathLike

    from matplotlib.figure import Figure


def plot(run, *names, path=None, against=None):
    """Quantities over time: numbers of one unit share a panel, a vector has its own. Returns the figure, written to
    `path` if given.

    names: as run[…] knows them; without any, the joint coordinates.  against: another run, or {"label": run, …}, drawn
        beside this one.
    """
    if against is not None:
        others = against if isinstance(against, dict) else {label_of(against, run): against}
        return plot_runs({label_of(run): run, **others}, *names, path=path)
    groups = in_panels(curves_of(run, checked_names(run, names)))
    figure, column = over_time(run.system.name, [panel_name(group) for group in groups])
    for axes, group in zip(column, groups, strict=True):
        for k, curve in enumerate(group):
            axes.plot(run.t, curve.values, label=plain(curve.name), **style(k))
        level(axes)
        if not any(np.isfinite(curve.values).any() for curve in group):
            sentence(axes, "It has no finite value at any sample: see run.health.")
        if len(group) > 1:
            legend(axes)
    return written(figure, path)


def plot_runs(runs: Mapping[str, Result], *names: str, path: str | PathLike[str] | None = None) -> Figure:
    """Runs beside each other: one panel for each number, one colour for each run.

    Parameters:
        runs: {"label": run, …}.
        names: as run[…] knows them; without any, the joint coordinates of the first run.
        path: the picture to write; left out, the figure is only returned.

    Example:
        from mekane import gallery
        s = gallery.find("pendulum").system()
        runs = {name: mk.simulate(s, 1.0, formulation=name) for name in ("joint", "absolute")}
        mk.plot_runs(runs, "hinge.angle", path="runs.png")
    """
    check_runs(runs)
    first = next(iter(runs.values()))
    names = scalars(first, checked_names(first, names))
    found = {label: curves_in(run, label, names) for label, run in runs.items()}
    labels = [with_unit(curve.name, curve.units) for curve in next(iter(found.values()))]
    figure, column = over_time(" and ".join(dict.fromkeys(run.system.name for run in runs.values())), labels)
    for k, (label, curves) in enumerate(found.items()):
        for axes, curve in zip(column, curves, strict=True):
            axes.plot(
                runs[label].t, curve.values, STYLES[k % len(STYLES)], color=CYCLE[k % len(CYCLE)], label=plain(label)
            )
    for axes in column:
        level(axes)
    legend(column[0])
    return written(figure, path)


def curves_in(run, label, names):
    try:
        return curves_of(run, checked_names(run, names))
    except ModelError as error:
        raise ModelError(f"run {label!r}, {error.part}", error.problem, error.expected, error.remedy) from None


def check_runs(runs):
    expected, remedy = "runs by their labels are expected", 'Write {"soft": one, "stiff": other}.'
    if not isinstance(runs, dict) or not runs:
        raise ModelError("plot_runs", f"it got {type(runs).__name__}" if runs else "it got no runs", expected, remedy)
    for label, run in runs.items():
        if not isinstance(run, Result):
            raise ModelError("plot_runs", f"{label!r} is {type(run).__name__}", expected, remedy)


def label_of(run, before=None):
    """The name of its model; of a second run of the same model, "the other"."""
    name = getattr(getattr(run, "system", None), "name", "the other")
    return "the other" if before is not None and name == before.system.name else name
