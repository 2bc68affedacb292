"""The same for what is computed on demand: forces and energies of a state, inverse dynamics."""

from mekane.kernels.handle import DERIVE, ENERGY, INVERSE, handle
from mekane.solvers import warm
from mekane.solvers.doors import derive, inverse

OUT = 8  # kinetic energy, potential energy of gravity, linear momentum (3), angular momentum about No (3)

__all__ = ["OUT", "derive", "inverse", "open_derived", "open_reading"]


def open_derived(tables, workspace):
    """A handle for `derive` and `inverse`."""
    return handle(tables, workspace, derived_addresses())


def open_reading(tables, workspace, which):
    """A handle for `samples.read_samples`, which calls this entry (LOOK, ENERGY, RHS or DERIVE) at every sample."""
    from mekane.solvers.entries import motion_addresses

    addresses = motion_addresses()
    if which == ENERGY:
        addresses |= energy_addresses()
    elif which == DERIVE:
        addresses |= derived_addresses()
    return handle(tables, workspace, addresses)


def energy_addresses():
    with warm.first_use("solvers/entry_energy"):
        warm.wait_for("solvers/entry_energy")
        from mekane.solvers.entry_energy import energy_entry

    return {ENERGY: energy_entry.address}


def derived_addresses():
    with warm.first_use("solvers/entry_derived"):
        warm.wait_for("solvers/entry_derived")
        from mekane.solvers.entry_derived import derive_entry, inverse_entry

    return {DERIVE: derive_entry.address, INVERSE: inverse_entry.address}
