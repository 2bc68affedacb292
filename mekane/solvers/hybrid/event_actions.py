"""What an event changes: the discrete state, what is active, and the speeds."""

import numpy as np

from mekane.compiler.discrete_state import ACTIVE, is_place
from mekane.errors import ModelError, SimulationError
from mekane.solvers.constraints.projection import CHOOSE
from mekane.solvers.entries.from_python import evaluate_inertias, evaluate_kinematics, follow, project, rhs
from mekane.solvers.hybrid.after_event import refuse_contradiction, time_to_return
from mekane.solvers.hybrid.impulse_wrenches import impulse_wrenches
from mekane.solvers.hybrid.momentum import Momentum
from mekane.solvers.hybrid.present_position import close_at_present
from mekane.solvers.state import LAST, STEP
from mekane.tables import columns as at
from mekane.tables.tables import FROZEN

FITS = 1e-6  # m or rad: so far off a joint may be when it is locked


def happen(solver, k):
    """Event k of the model happens now. Returns its entry in the table of events."""
    event, registers = list(solver.compiled.system.events.values())[k], solver.compiled.events[k]
    values = evaluate(solver, registers)
    before, stored = solver.discrete.copy(), stored_energy(solver)
    for target, value in values["set"].items():
        if target in solver.compiled.discrete:
            solver.discrete[solver.compiled.discrete.index(target)] = value
    switch(solver, event)
    if event.at_present:
        for name in event.lock:
            close_at_present(solver, name)
    entry = dict(time=solver.t, event=event.name, changes=changes(solver, before), impulses={}, kinetic_energy=None)
    rates = {target: value for target, value in values["set"].items() if target not in solver.compiled.discrete}
    if event.lock or event.impulses or rates:
        entry |= change_speeds(solver, event, values["impulses"], rates)
    elif event.release:
        choose_rows(solver)
    kinetic = entry["kinetic_energy"] or kinetic_energy(solver)
    entry["kinetic_energy"] = kinetic
    return entry | dict(energy=[stored + kinetic[0], stored_energy(solver) + kinetic[1]])


def kinetic_energy(solver):
    """Before and after an event that changes no speed."""
    momentum = Momentum(solver)
    return [momentum.kinetic_energy(momentum.u)] * 2


def stored_energy(solver):
    """In springs and the like, whose laws may read the discrete state; 0 for a model without such."""
    registers = list(solver.compiled.energy_registers.values())
    if not registers or not len(solver.discrete):
        return 0.0
    rhs(solver.handle, solver.t, solver.y, np.zeros(len(solver.y)))
    return float(solver.workspace.r[registers].sum())


def evaluate(solver, registers):
    """Values of what an event sets and of its impulses, at the state before it. Comparisons are decided here and now."""
    yd, r, W = np.zeros(len(solver.y)), solver.workspace.r, solver.workspace
    frozen, modes = int(W.state[FROZEN]), W.modes.copy()
    W.state[FROZEN] = 0
    rhs(solver.handle, solver.t, solver.y, yd)
    found = dict(
        set={target: float(r[k]) for target, k in registers.set.items()},
        impulses=[np.array([r[k] for k in places], float) for places in registers.impulses],
    )
    W.state[FROZEN], W.modes[:] = frozen, modes
    numbers = [*found["set"].values(), *np.ravel(found["impulses"])]
    if not np.isfinite(numbers).all():
        raise SimulationError(f"event {registers.name!r} at t = {solver.t:.6g} s: a value is no number")
    return found


def changes(solver, before):
    """{name: [before, after]} of the discrete state."""
    pairs = zip(solver.compiled.discrete, before, solver.discrete, strict=True)
    return {name: [float(old), float(new)] for name, old, new in pairs if old != new and not is_place(name)}


def switch(solver, event):
    """Set the flags of what is locked and released."""
    for name, flag in [*((name, 1.0) for name in event.lock), *((name, 0.0) for name in event.release)]:
        solver.discrete[solver.compiled.discrete.index(name + ACTIVE)] = flag


def choose_rows(solver):
    """Rows to activate, chosen anew from those that are on; with embedded constraints also the independent speeds."""
    from mekane.solvers.constraints import embedding

    evaluate_kinematics(solver.handle, solver.t, solver.y, solver.workspace.measurement.copy())
    evaluate_inertias(solver.handle, CHOOSE, solver.y)
    if solver.constraints == "embedded":
        embedding.partition_at_start(solver, None)
    solver.step_state[LAST] = 0.0  # derivatives of the last step are those of other equations


def change_speeds(solver, event, impulses, rates):
    """Speeds after an event, by Kane's impulse–momentum equations. Returns impulses and energies for the table."""
    choose_rows(solver)
    refuse_misfit(solver, event)
    momentum = Momentum(solver)
    wrenches = impulse_wrenches(solver.compiled.frames, event, impulses, solver.workspace.body)
    rows = [solver.compiled.pairs.measurement[tuple(target.rsplit(".", 2)[:2])] for target in rates]
    try:
        u, multipliers, along = momentum.after_impulses(wrenches, dict(zip(rows, rates.values(), strict=True)))
    except SimulationError as error:
        raise SimulationError(f"event {event.name!r}: {error}") from None
    wrenches = wrenches + momentum.row_wrenches(rows, dict(zip(rows, along, strict=True)))
    joints = momentum.joint_impulses(u, multipliers, wrenches)
    before, after = momentum.kinetic_energy(momentum.u), momentum.kinetic_energy(u)
    n_q = solver.compiled.n_q
    solver.y[n_q : n_q + len(u)] = u
    if solver.correct:
        project(solver.handle, solver.t, solver.y, solver.scratch.x)
    evaluate_kinematics(solver.handle, solver.t, solver.y, solver.scratch.measurement)
    follow(solver.handle, solver.t, solver.scratch.measurement)
    if event.lock:
        refuse_contradiction(solver, event)
    if solver.adaptive:
        soon = time_to_return(solver)
        solver.step_state[STEP] = soon if np.isfinite(soon) else 0.0  # 0: a first step anew
    found = {name: dict(impulse=list(map(float, P)), angular=list(map(float, L))) for name, (P, L) in joints.items()}
    return dict(impulses=found, kinetic_energy=[before, after])


def refuse_misfit(solver, event):
    """What is locked must fit together where it is."""
    W = solver.workspace
    for name in event.lock:
        gap = np.abs(W.row[list(solver.compiled.pairs.rows_of[name]), at.Y_PHI]).max(initial=0.0)
        if gap > FITS:
            raise ModelError(
                f"event {event.name!r}",
                f"it locks {name!r} at t = {solver.t:.6g} s, which is {gap:.3g} (m or rad) away from fitting together",
                f"at most {FITS:g} is closed by a lock",
                "Choose a condition that becomes true where it fits.",
            )
