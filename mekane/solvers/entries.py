"""Addresses of the compiled physics, for handles. See `doors` for what can be asked, `warm` for the first compilation."""

from mekane.kernels.handle import CORRECT, FOLLOW, LOOK, MULTIPLIERS, PULL, RHS, SPLIT, WEIGH, handle
from mekane.solvers import warm
from mekane.solvers.doors import correct, look_at, rhs, weigh

__all__ = ["correct", "look_at", "motion_addresses", "open_model", "rhs", "weigh"]


def open_model(tables, workspace, constraints="multipliers"):
    """A handle on a compiled model and its workspace, for motion. Embedded constraints need a workspace with room for them."""
    addresses = motion_addresses()
    if constraints == "embedded":
        addresses |= {MULTIPLIERS: addresses[RHS]} | embedded_addresses()
    return handle(tables, workspace, addresses)


def motion_addresses():
    """Entry → its address, of all that a motion needs."""
    with warm.first_use("solvers/entry_places", "solvers/entry_motion", "solvers/entry_correction", "solvers/entry_pull"):
        warm.prepare_motion()
        from mekane.solvers.entry_places import follow_entry, look_entry  # isort: skip  (first: most kernels are shared with the others)
        from mekane.solvers.entry_correction import correct_entry, weigh_entry

        warm.wait_for("solvers/entry_motion")
        from mekane.solvers.entry_motion import rhs_entry

        warm.wait_for("solvers/entry_pull")
        from mekane.solvers.entry_pull import pull_entry
    entries = {RHS: rhs_entry, CORRECT: correct_entry, LOOK: look_entry, FOLLOW: follow_entry, WEIGH: weigh_entry, PULL: pull_entry}
    return {which: entry.address for which, entry in entries.items()}


def embedded_addresses():
    with warm.first_use("solvers/entry_embedded"):
        warm.announce("solvers/entry_embedded", "embedded constraints")
        from mekane.solvers.entry_embedded import embedded_entry, split_entry
    return {RHS: embedded_entry.address, SPLIT: split_entry.address}
