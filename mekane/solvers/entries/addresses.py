"""Addresses of the compiled physics, for handles. See `calls` for what can be called, `precompile` for the first
compilation. They are found once in a process."""

from functools import cache

from mekane.solvers.entries import precompile
from mekane.tables.columns import Y_PHI, Y_RATE
from mekane.tables.handle import (
    ANSWER,
    CONTACT_PROBLEM,
    DERIVE,
    ENERGY,
    FOLLOW,
    INERTIAS,
    INVERSE,
    KINEMATICS,
    MOREAU,
    MULTIPLIERS,
    PARTITION,
    PROJECT,
    PROJECTION_STEP,
    RHS,
    handle,
)


def open_model(tables, workspace, constraints="multipliers", impulsive=False):
    """A handle on a compiled model and its workspace, for motion. Embedded constraints need a workspace with space for
    them. impulsive: by Moreau's method."""
    addresses = dict(motion_addresses())
    if len(tables.contact_i):
        addresses |= contact_addresses()
    if impulsive:
        addresses |= moreau_addresses()
    if constraints == "embedded":
        addresses |= {MULTIPLIERS: addresses[RHS]} | embedded_addresses()
    return handle(tables, workspace, addresses)


@cache
def motion_addresses():
    """Entry → its address, of all that a motion needs."""
    with precompile.first_use(*precompile.MOTION):
        precompile.prepare_motion()
        # isort: skip  (first: most kernels are shared with the others)
        from mekane.solvers.entries.kinematics import follow_entry, kinematics_entry
        from mekane.solvers.entries.projection import inertias_entry, project_entry

        found = {KINEMATICS: kinematics_entry.address, FOLLOW: follow_entry.address}
        found |= {PROJECT: project_entry.address, INERTIAS: inertias_entry.address}
        precompile.wait_for("solvers/entries/rhs")
        from mekane.solvers.entries.rhs import rhs_entry

        rhs = rhs_entry.address
        precompile.wait_for("solvers/entries/projection_step")
        from mekane.solvers.entries.projection_step import projection_step_entry

        return found | {RHS: rhs, PROJECTION_STEP: projection_step_entry.address}


@cache
def embedded_addresses():
    with precompile.first_use("solvers/entries/embedding"):
        precompile.announce("solvers/entries/embedding", "embedded constraints")
        from mekane.solvers.entries.embedding import embedded_entry, partition_entry

        return {RHS: embedded_entry.address, PARTITION: partition_entry.address}


@cache
def contact_addresses():
    with precompile.first_use("solvers/entries/contact_problem"):
        precompile.announce("solvers/entries/contact_problem", "contact laws")
        from mekane.solvers.entries.contact_problem import answer_entry, contact_problem_entry

        return {CONTACT_PROBLEM: contact_problem_entry.address, ANSWER: answer_entry.address}


@cache
def event_addresses():
    """Of what contact laws do where a step has ended, as EventCalls has them."""
    with precompile.first_use("solvers/entries/contact_event"):
        precompile.announce("solvers/entries/contact_event", "contact laws")
        from mekane.solvers.entries import contact_event as at

        entries = at.open_lost_entry, at.close_gaps_entry, at.read_instant_entry, at.rounds_entry, at.go_on_entry
        return tuple(one.address for one in entries)


@cache
def moreau_addresses():
    with precompile.first_use("solvers/entries/moreau"):
        precompile.announce("solvers/entries/moreau", "Moreau's method")
        from mekane.solvers.entries.moreau import moreau_entry

        return {MOREAU: moreau_entry.address}


def open_derived(tables, workspace):
    """A handle for `derive` and `inverse`."""
    return handle(tables, workspace, derived_addresses())


def open_reading(tables, workspace, which):
    """A handle for `samples.read_samples`: this entry (KINEMATICS, ENERGY, RHS or DERIVE) is called at every sample."""
    addresses = dict(motion_addresses())
    if which == ENERGY:
        addresses |= energy_addresses()
    elif which == DERIVE:
        addresses |= derived_addresses()
    return handle(tables, workspace, addresses)


@cache
def energy_addresses():
    with precompile.first_use("solvers/entries/energy"):
        precompile.wait_for("solvers/entries/energy")
        from mekane.solvers.entries.energy import energy_entry

        return {ENERGY: energy_entry.address}


@cache
def derived_addresses():
    with precompile.first_use("solvers/entries/on_demand"):
        precompile.wait_for("solvers/entries/on_demand")
        from mekane.solvers.entries.on_demand import derive_entry, inverse_entry

        return {DERIVE: derive_entry.address, INVERSE: inverse_entry.address}


def lane_addresses(lanes, projection):
    """Name → address of right-hand side and, where requested, projection on lanes."""
    names = ["solvers/entries/lane_rhs", "solvers/entries/lane_projection"][: 1 + projection]
    with precompile.first_use(*names):
        for name in names:
            precompile.announce(name, "runs on lanes")
        from mekane.solvers.entries.lane_rhs import lane_rhs_entry

        found = {"rhs": lane_rhs_entry(lanes).address}
        if projection:
            from mekane.solvers.entries.lane_projection import lane_projection_entry

            columns = {"project_positions": Y_PHI, "project_speeds": Y_RATE}
            found |= {name: lane_projection_entry(lanes, column).address for name, column in columns.items()}
    return found
