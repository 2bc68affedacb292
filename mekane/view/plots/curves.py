"""Curves of a run: what is drawn over time, in which panel, under which name."""

from typing import NamedTuple

import numpy as np

from mekane.analyses.figures import CYCLE, panels, plain, short
from mekane.errors import ModelError
from mekane.exporters.report import default_columns
from mekane.view.plots.telling import without_ramps

MOST_NAMES, MOST_LETTERS = 12, 40  # in a legend, in a name there
PICTURES = (".png", ".svg", ".pdf")
STYLES = ("-", "--", "-.", ":")
STILL = 1e-9  # relative: what varies less than this is round-off of a number that stays as it is
POWERS = {"^2": "²", "^3": "³"}


class Curve(NamedTuple):
    """One number over time."""

    name: str  # "ball.position.z"
    of: str  # "ball.position", the requested name
    units: str
    values: np.ndarray


def curves_of(run, names):
    """The curves behind these names, those of vectors one for each component."""
    return [curve for name in names for curve in components(run, name)]


def components(run, name):
    labels, values, units = run.labels(name), run.numbers(name), run.units(name)
    if labels is None:
        return [Curve(name, name, units, values)]
    return [Curve(f"{name}.{label}", name, units, values[:, k]) for k, label in enumerate(labels)]


def checked_names(run, names):
    """The names, checked; joint coordinates if there are none, those of wheels as their rates, and of a model without
    joints the positions of bodies."""
    if not len(run.t):
        raise ModelError("plot", "the run has no samples", "there is nothing to draw", "See run.info['stopped'].")
    for name in names:
        if not isinstance(name, str):
            raise ModelError(
                "plot", f"{name!r} was requested", "names of quantities are expected", 'Write run.plot("arm.angle").'
            )
        if name.endswith(PICTURES) and name not in run:
            remedy = f"Write path={name!r} to write a file; as a command: -o {name}."
            raise ModelError("plot", f"there is no {name!r}", "names of quantities are expected", remedy)
        run.units(name)
    return list(names) or without_ramps(run, scalars(run, default_columns(run)))


def scalars(run, names):
    return [curve.name for curve in curves_of(run, names)]


def in_panels(curves):
    """Numbers of one unit share a panel; a vector has one of its own."""
    found = {}
    for curve in curves:
        alone = curve.name == curve.of
        found.setdefault(("", curve.units) if alone else (curve.of, curve.units), []).append(curve)
    return list(found.values())


def with_unit(name, units):
    for sign, power in POWERS.items():
        units = units.replace(sign, power)
    return f"{plain(name)} [{units}]" if units not in ("", "1") else plain(name)


def panel_name(curves):
    """What the curves of a panel have in common, with their unit."""
    names = {curve.of for curve in curves}
    if len(names) == 1:
        return with_unit(*names, curves[0].units)
    for of in (lambda name: name.partition(".")[2], lambda name: name.split(".")[1:2] and name.split(".")[1]):
        quantities = {of(name) or "" for name in names}
        if len(quantities) == 1:
            return with_unit(*quantities, curves[0].units).strip()
    return with_unit("", curves[0].units).strip()


def style(k):
    """Seven colours, then the same dashed, and so on."""
    return {"color": CYCLE[k % len(CYCLE)], "linestyle": STYLES[k // len(CYCLE) % len(STYLES)]}


def over_time(title, labels):
    """A picture with one panel for each label, over time."""
    return panels(plain(title), "t [s]", *labels, size=(7.5, min(1.6 + 1.9 * len(labels), 60)))


def level(axes):
    """Draw what stays as it is as a level line: its round-off does not fill the panel."""
    low, high = axes.dataLim.intervaly
    size = max(abs(low), abs(high))
    if np.isfinite(size) and 0 <= high - low < STILL * size:
        axes.set_ylim(low - 0.1 * size, high + 0.1 * size)


def legend(axes, beside=True):
    """Names of the curves, beside the panel where they hide nothing; of very many only the first."""
    handles, names = axes.get_legend_handles_labels()
    if len(names) > MOST_NAMES:
        rest = axes.plot([], [], " ", label=f"… {len(names) - MOST_NAMES} more")
        handles, names = handles[:MOST_NAMES] + rest, [*names[:MOST_NAMES], f"… {len(names) - MOST_NAMES} more"]
    if names:
        where = dict(loc="upper left", bbox_to_anchor=(1.0, 1.0)) if beside else dict(loc="best")
        axes.legend(handles, [short(name, MOST_LETTERS) for name in names], fontsize=8, frameon=False, **where)
