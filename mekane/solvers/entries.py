"""Addresses of the compiled physics, for handles. See `doors` for what can be asked, `warm` for the first compilation."""

from mekane.kernels.handle import handle
from mekane.solvers import warm
from mekane.solvers.doors import correct, look_at, rhs, weigh

__all__ = ["correct", "look_at", "open_model", "rhs", "weigh"]


def open_model(tables, workspace):
    """A handle on a compiled model and its workspace, for motion."""
    warm.prepare_motion()
    from mekane.solvers.entry_motion import rhs_entry
    from mekane.solvers.entry_places import follow_entry, look_entry  # first: most kernels are shared with the others

    warm.wait_for("solvers/entry_correction")
    from mekane.solvers.entry_correction import correct_entry, weigh_entry

    warm.done("solvers/entry_places", "solvers/entry_motion", "solvers/entry_correction")
    return handle(tables, workspace, [e.address for e in (rhs_entry, correct_entry, look_entry, weigh_entry, follow_entry)] + [0, 0])
