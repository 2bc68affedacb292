"""Pictures of a sweep: positions above, ratios below. matplotlib is loaded here, when first needed."""

import numpy as np

MOST_LINES = 6


def plot(k, path=None, names=None):
    """The figure; written to `path` if one is given."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 7), layout="constrained")
    above, below = figure.subplots(2, 1, sharex=True)
    over, single = (k.drive, True) if len(k.drives) == 1 else (np.arange(len(k)), False)
    for name in names or k.told()[:MOST_LINES]:
        units = k[name].attrs["units"]
        above.plot(over, k[name].values, label=f"{name} [{units}]")
        if single:
            below.plot(over, k.velocity_ratio(name).values, label=name)
    for event in k.dead_points if single else ():
        for axes in (above, below):
            axes.axvline(next(iter(event.drives.values())), color="k", linestyle=":", label="dead point")
    above.set_title(f"{k.system.name}: kinematics")
    above.set_ylabel("position")
    below.set_ylabel("velocity ratio")
    below.set_xlabel(f"{next(iter(k.drives))} [{k[next(iter(k.drives))].attrs['units']}]" if single else "sample")
    for axes in (above, below):
        axes.grid(alpha=0.3)
        if axes.get_legend_handles_labels()[0]:
            axes.legend(fontsize="small")
    if path is not None:
        figure.savefig(path, dpi=120)
    return figure
