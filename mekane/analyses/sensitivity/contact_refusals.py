"""Where a motion with contact laws has no derivative, or none that is known: errors that name contact and time."""

import numpy as np

from mekane.analyses.sensitivity.saltation import refused
from mekane.errors import ModelError
from mekane.solvers.contacts.impact import approaching
from mekane.tables import columns as column
from mekane.tables.columns import KIND, MIXED, OPEN

SAME = 1e-9  # of the duration: events of the model at the instant of one of a contact law
FITS = 1e-6  # of the size of the model, when a parameter changes by its own size


def refuse_formulation(parametrized):
    """Before anything is computed."""
    compiled = parametrized.compiled
    if MIXED in compiled.tables.primitive_i[:, KIND]:
        part = f"{parametrized.analysis} of {parametrized.system.name!r}"
        problem = f"formulation {compiled.formulation!r} has absolute angular velocities, which contact laws change"
        raise ModelError(part, problem, "speeds of joints", 'Leave formulation= out, or write "joint".')


def refuse_start(resets, y, S):
    """What touches at the start must touch for other values of the parameters, too, and what sticks must stick."""
    flow, scales, z = resets.flow, resets.along.scales, resets.group.z
    for line in resets.motion.at_start:
        if line["kind"] != "modes":
            what = "jams (Painlevé)" if line["kind"] == "jam" else "is hit"
            raise refused(flow, f"{line['event']!r} {what} at the start", "a start that goes on smoothly")
    here = resets.along.along(0.0, y, S)[1]
    for what, rows in ((z.phi, flow._position), (z.rate, flow._velocity_level)):
        off = np.abs(here[:, what][:, rows]) * scales[:, None]
        if off.max(initial=0.0) > FITS * flow.size:
            k = int(np.argmax(off.max(axis=1)))
            name = resets.flow.parametrized.names[resets.group.which[k]]
            row = int(np.flatnonzero(rows)[np.argmax(off[k])])
            problem = f"{part_of_row(resets, row)} holds at the start for this value of {name!r} alone"
            raise refused(flow, problem, "a start that fits for other values, too")


def part_of_row(resets, row):
    for e, line in enumerate(resets.table):
        rows = [line[column.C_NORMAL], *range(line[column.C_TANGENT], line[column.C_TANGENT] + line[column.C_TANGENTS])]
        if row in rows:
            return repr(resets.motion.state.facts[e].name)
    return "a constraint"


def refuse_one_sided(resets):
    """Friction and restitution that are zero have derivatives on one side only."""
    solver, facts, scales = resets.solver, resets.motion.state.facts, resets.along.scales
    solver.registers_along(0.0, solver.Z, 0.0 * scales)
    of = lambda places: solver.workspace.r[places][:, : 1 + len(scales)].T
    rough = resets.table[:, column.C_TANGENTS] > 0
    numbers = [("friction", of(resets.table[:, column.C_FRICTION]) * rough), ("restitution", resets.along.restitutions)]
    for what, values in numbers:
        for e in np.flatnonzero((values[0] == 0.0) & (np.abs(values[1:]).max(axis=0, initial=0.0) > 0.0)):
            problem = f"{what} of {facts[e].name!r} is 0 and cannot be less"
            raise refused(resets.flow, problem, f"a {what} above 0", "Begin with a small one.")
        for e in np.flatnonzero(
            (values[0] == 1.0) & (what == "restitution") & (np.abs(values[1:]).max(axis=0, initial=0.0) > 0.0)
        ):
            problem = f"restitution of {facts[e].name!r} is 1 and cannot be more"
            raise refused(resets.flow, problem, "a restitution below 1", "Begin with one a little smaller.")


def refuse_contact_event(resets, event):
    flow, names, when = resets.flow, resets.names(event), f"at t = {event.t:.6g} s"
    if any(e < 0 for e, _ in event.fired) or any(one.jams for one in event.impacts) or event.motions > 1:
        raise refused(flow, f"{names} jams {when} (Painlevé)", "friction with which there is one motion")
    if any(one.ends for one in event.impacts):
        remedy = "End before, or give restitution=0."
        raise refused(flow, f"bounces of {names} accumulate {when}", "impacts one by one", remedy)
    hit = [e.name for one in event.impacts for e in approaching(one.instant.local)]
    if len(hit) > 1:
        raise refused(
            flow,
            f"{', '.join(map(repr, dict.fromkeys(hit)))} are hit at the same instant, t = {event.t:.6g} s",
            "impacts one by one",
        )


def refuse_misfit(resets, event, y, S, later):
    """What is closed after an event must be so for other values of the parameters, too. Sliding that ends in space is left to
    the rows of sticking."""
    flow, z, scales = resets.flow, resets.group.z, resets.along.scales
    x, directions = resets.along.point_and_directions(event.t, y, S, later)
    rates = np.abs(resets.group.along(x, directions)[1][:, z.rate]) * scales[:, None]
    for line, fact, mode in zip(resets.table, resets.motion.state.facts, resets.modes(), strict=True):
        normal = line[column.C_NORMAL]
        most = np.abs(event.y[resets.u]).max(initial=0.0) + flow.size
        if mode != OPEN and normal >= 0 and rates[:, normal].max(initial=0.0) > FITS * most:
            problem = f"{fact.name!r} stays closed after the impact at t = {event.t:.6g} s for these values of the parameters alone"
            raise refused(flow, problem, "contacts that leave, or that are pressed")


def refuse_coinciding(resets, event):
    """Events of the model at the same instant, and those that change speeds while something touches."""
    near = [line for line in resets.motion.others if abs(line["time"] - event.t) <= SAME * resets.flow.duration]
    for line in near:
        problem = f"event {line['event']!r} and {resets.names(event)} meet at t = {event.t:.6g} s"
        raise refused(resets.flow, problem, "one after the other")


def refuse_touching(resets, event, t):
    """An event of the model that changes speeds while something touches: the contact has an impulse, too."""
    closed = [fact.name for fact, mode in zip(resets.motion.state.facts, resets.modes(), strict=True) if mode != OPEN]
    if closed:
        problem = f"event {event.name!r} changes speeds at t = {t:.6g} s while {', '.join(map(repr, closed))} touches"
        raise refused(resets.flow, problem, "events while nothing touches")
