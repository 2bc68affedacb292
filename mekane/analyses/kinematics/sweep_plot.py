"""Pictures of a sweep: positions above, ratios below."""

import numpy as np

MOST_LINES = 6


def plot(k, path=None, names=None):
    """The figure; written to `path` if one is given."""
    from mekane.analyses.figures import panels, written

    over, single = (k.drive, True) if len(k.drives) == 1 else (np.arange(len(k)), False)
    first = next(iter(k.drives))
    x = f"{first} [{k[first].attrs['units']}]" if single else "sample"
    figure, (above, below) = panels(f"{k.system.name}: kinematics", x, "position", "velocity ratio", size=(8, 7))
    for name in names or k.shown_names()[:MOST_LINES]:
        above.plot(over, k[name].values, label=f"{name} [{k[name].attrs['units']}]")
        if single:
            below.plot(over, k.velocity_ratio(name).values, label=name)
    for event in k.dead_points if single else ():
        for axes in (above, below):
            axes.axvline(next(iter(event.drives.values())), color="k", linestyle=":", label="dead point")
    for axes in (above, below):
        if axes.get_legend_handles_labels()[0]:
            axes.legend(fontsize="small")
    return written(figure, path)
