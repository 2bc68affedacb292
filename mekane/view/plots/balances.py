"""run.plot_energy, run.plot_residual, run.plot_reactions: whether a run can be trusted, and what its joints feel."""

import numpy as np

from mekane.analyses.figures import plain, sentence, written
from mekane.results.residuals import mechanism_size
from mekane.view.plots.curves import checked_names, legend, over_time, style

ROUND_OFF = 1e-9  # of the forces at play: what is smaller is not blown up to fill a panel


def plot_energy(run, path=None, each=False):
    """The ledger of energy: kinetic, potential, less work, and their sum, which stays; below, by how much it does not.

    each=True draws every store of potential energy and the work of every element by itself. Returns the figure, written
    to `path` if given.
    """
    checked_names(run, ())
    energies = run.energies
    figure, (above, below) = over_time(f"{run.system.name}: ledger of energy", ["energy [J]", "drift of the sum [J]"])
    for label, values in entries(energies, each):
        above.plot(run.t, values, label=plain(label))
    above.plot(run.t, energies.balance, "k--", lw=1, label="sum: T + V − W")
    below.plot(run.t, energies.balance - energies.balance[0], "k", lw=1)
    legend(above)
    return written(figure, path)


def entries(energies, each):
    """What adds up to the balance, by name."""
    yield "kinetic T", energies.kinetic
    if not each:
        yield "potential V", energies.potential
        yield "less work, −W", -energies.work
        return
    for k, name in enumerate(energies.stores):
        yield f"potential: {name}", energies.potentials[:, k]
    for k, name in enumerate(energies.elements):
        yield f"less work: {name}", -energies.works[:, k]


def plot_residual(run, path=None):
    """By how much joints and constraints are open, and how fast they open, on a scale of powers of ten. Returns the
    figure."""
    checked_names(run, ())
    found = run.residuals
    labels = ["open by [m or rad]", "opening at [m/s or rad/s]"]
    figure, column = over_time(f"{run.system.name}: residuals of joints and constraints", labels)
    for axes, values in zip(column, (found.position, found.rate), strict=True):
        for k, name in enumerate(found.names):
            axes.plot(run.t, values[:, k], lw=1, label=plain(name), **style(k))
        if np.any(values > 0):
            axes.set_yscale("log", nonpositive="mask")
    if not found.names:
        for axes in column:
            sentence(axes, "The model has no joints and no constraints: nothing can open.")
    legend(column[0])
    return written(figure, path)


def plot_reactions(run, joint, path=None, **options):
    """Force and moment in a joint, or of a constraint, by components and as a whole. Returns the figure, written to
    `path` if given.

    options: on, axes and at, as run.reaction has them."""
    checked_names(run, ())
    found = run.reaction(joint, **options)
    name = found.attrs.get("joint") or found.attrs.get("constraint")
    title = f"{run.system.name}: reaction of {name!r} on {found.attrs['on']!r}, {found.attrs['axes']} axes"
    title += "" if found.attrs["unique"] else "\n(not unique: constraints repeat one another)"
    figure, column = over_time(title, ["force [N]", "moment [N m]"])
    forces = np.abs(found["force"].values).max()
    for axes, quantity in zip(column, ("force", "moment"), strict=True):
        values = found[quantity].values
        for k, axis in enumerate("xyz"):
            axes.plot(run.t, values[:, k], label=axis)
        axes.plot(run.t, np.linalg.norm(values, axis=1), "k--", lw=1, label="whole")
        at_least(axes, ROUND_OFF * forces * (mechanism_size(run) if quantity == "moment" else 1.0))
    legend(column[0])
    return written(figure, path)


def at_least(axes, height):
    """Show as much as this above and below zero."""
    low, high = axes.get_ylim()
    axes.set_ylim(min(low, -height), max(high, height))
