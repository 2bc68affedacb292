"""What contact laws refuse when a run begins, and on its way."""

import numpy as np

from mekane.errors import ModelError, SimulationError, did_you_mean
from mekane.kernels.contact_guards import WEAKER
from mekane.solvers.contacts.local import STILL, TOUCHING
from mekane.solvers.entries.from_python import evaluate_kinematics, rhs
from mekane.tables import columns as column

HOLDS = "what sticks holds at least as much as what slides"
CHANGE = "Change the expression, or the parameters in it."
ORDERS = ("simultaneous", "sequential")  # of impacts at one instant
PAINLEVE = ("impact", "stop")  # where no acceleration satisfies contact and friction


def find_option(what, given, options):
    if given not in options:
        hint = did_you_mean(str(given), options).strip()
        raise ModelError(what, f"it is {given!r}", f"{' or '.join(map(repr, options))} is expected", hint)
    return given


def law_of(system, element):
    """The contact law that an element belongs to."""
    return next(law for law in system.contact_laws.values() if element in law.ids(system))


def refuse_start(contacts):
    """Gaps and friction that are negative."""
    solver, state = contacts.solver, contacts.state
    evaluate_kinematics(solver.handle, solver.t, solver.y, solver.workspace.measurement)
    for e, fact in enumerate(state.facts):
        if state.table[e, column.C_NORMAL] >= 0 and state.gap(e) < -TOUCHING:
            system = solver.compiled.system
            law = law_of(system, fact.name)
            what, why, remedy = law.negative_gap
            raise ModelError(
                law.part,
                f"{f'its {what}' if len(law.ids(system)) == 1 else f'the {what} of {fact.name!r}'} is {state.gap(e):.6g} at the start",
                why,
                remedy + about_joint(law, system),
            )
    refuse_first_friction(contacts)


def about_joint(law, system):
    """A sentence about bodies of a law that a joint connects."""
    joined = law.joined_pairs(system)
    text = ", ".join(f"{a!r} and {b!r} (joint {joint!r})" for (a, b), joint in joined.items())
    return f" A joint connects {text}: leave that pair out." if joined else ""


def refuse_first_friction(contacts):
    """Coefficients and capacities that are expressions have their first values here."""
    solver, state = contacts.solver, contacts.state
    rhs(solver.handle, solver.t, solver.y, np.zeros(len(solver.y)))
    for line, fact in zip(contacts.state.table, contacts.state.facts, strict=True):
        for what, place in (("friction", column.C_FRICTION), ("static friction", column.C_STATIC)):
            value = float(solver.workspace.r[line[place]]) if line[column.C_TANGENTS] else 0.0
            if not value >= 0.0:
                raise ModelError(
                    law_of(solver.compiled.system, fact.name).part,
                    f"its {what} is {value:.6g} at the start",
                    "friction resists motion: it is not negative",
                    CHANGE,
                )
    for e in np.flatnonzero(holds_less(state) & is_at_rest(state)).tolist():
        kinetic, static = frictions(state)
        problem = (
            f"its static friction is {static[e]:.6g} at the start, less than {kinetic[e]:.6g}, which resists sliding"
        )
        part = law_of(solver.compiled.system, state.facts[e].name).part
        raise ModelError(part, problem, HOLDS, CHANGE)


def refuse_on_the_way(contacts, fired):
    """Friction that an expression makes negative, or larger than what holds at rest."""
    state, solver = contacts.state, contacts.solver
    for e, which in fired:
        if e >= 0 and which == 3 and not state.table[e, column.C_SUMS]:
            kinetic, static = frictions(state)
            if static[e] < kinetic[e]:
                refuse_weak(contacts, e)
            raise SimulationError(
                f"{law_of(solver.compiled.system, state.facts[e].name).part}: its friction becomes negative at "
                f"t = {solver.t:.9g} s; friction resists motion. {CHANGE}"
            )


def refuse_weak_sticking(contacts):
    """What sticks from here on although its static friction is less than that of sliding: it could do neither."""
    weak = holds_less(contacts.state)
    if weak.any():
        for e in np.flatnonzero(weak & (np.array(contacts.state.modes()) == column.STICKING)).tolist():
            refuse_weak(contacts, e)


def refuse_weak(contacts, e):
    solver, (kinetic, static) = contacts.solver, frictions(contacts.state)
    name = contacts.state.facts[e].name
    raise SimulationError(
        f"{law_of(solver.compiled.system, name).part}: static friction of {name!r} is {static[e]:.6g} at t = {solver.t:.9g} s, less than "
        f"{kinetic[e]:.6g}, which resists sliding; {HOLDS}. {CHANGE}"
    )


def frictions(state):
    """Of all elements: while they slide, and while they stick."""
    r = state.solver.workspace.r
    return r[state.in_friction], r[state.in_static]


def holds_less(state):
    """Elements whose static friction is less than that of sliding, by more than round-off."""
    kinetic, static = frictions(state)
    return state.is_tangent[:, 0] & (static < kinetic * (1.0 - WEAKER))


def is_at_rest(state):
    """Elements that would not slide now if they touched: friction of these may stick. That of what slides may grow with its velocity."""
    rows = np.where(state.is_tangent, state.table[:, column.C_TANGENT, None] + np.arange(2), 0)
    rates = np.where(state.is_tangent, state.solver.workspace.row[rows, column.Y_RATE], 0.0)
    return np.abs(rates).max(axis=1, initial=0.0) <= STILL


def no_motion(contacts, local):
    """An error where no acceleration satisfies contact and friction, and no impact is to help."""
    solver, names = contacts.solver, contacts.names(local)
    in_joints = [e for e in local.elements if e.load is not None and e.load.in_joint and local.speed(e) > STILL]
    if in_joints:
        e = in_joints[0]
        law = law_of(solver.compiled.system, e.name)
        return SimulationError(
            f"{law.part}: it locks itself at t = {solver.t:.9g} s: to stop {law.joint.joint!r} takes a reaction whose friction is larger "
            "than what it stops, and no acceleration satisfies both. Give it less friction or a smaller radius, or let it begin at rest."
        )
    remedy = "; painleve='impact' applies an impact without collision" if contacts.painleve == "stop" else ""
    return SimulationError(f"{names}: no acceleration satisfies contact and friction at t = {solver.t:.9g} s{remedy}")
