"""The same for what is computed on demand: forces and energies of a state, inverse dynamics."""

from mekane.kernels.handle import DERIVE, INVERSE, handle
from mekane.solvers import warm
from mekane.solvers.doors import derive, inverse

OUT = 8  # kinetic energy, potential energy of gravity, linear momentum (3), angular momentum about No (3)

__all__ = ["OUT", "derive", "inverse", "open_derived"]


def open_derived(tables, workspace):
    """A handle for `derive` and `inverse`."""
    with warm.first_use("solvers/entry_derived"):
        warm.wait_for("solvers/entry_derived")
        from mekane.solvers.entry_derived import derive_entry, inverse_entry

    return handle(tables, workspace, {DERIVE: derive_entry.address, INVERSE: inverse_entry.address})
