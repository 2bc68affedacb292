"""A model as functions of (t, y, p) that a page can integrate by itself: beside the right-hand side, steps onto the
constraints, where the bodies are, energies, and what comparisons compare.

y = (q, u, integrals, work of non-conservative elements)
p = (measurements with turns counted, their rates, the time they were known | parameters | outcomes of comparisons |
     regularization of the rows near singular positions | variables and inputs that events set | of each event whether its
     condition holds, and how often it happened | of each element of contact laws mode and direction of sliding | energy
     that impacts have taken | a force and a moment in world axes on each body, at its origin: the hand that drags it)

The active rows and their scales are those of the start, as for runs on lanes (mekane.codegen.lanes.traced_model): the
smallest pivot is an output, and rows that repeated others are watched.
"""

from dataclasses import dataclass

import numpy as np

from mekane.algebra.vectors import add, cross, mat, rotate, vec
from mekane.analyses.simulate import initial_solver
from mekane.codegen.entry_code import at
from mekane.codegen.trace import undisturbed
from mekane.compiler.symbolic_tables import symbolic
from mekane.errors import ModelError
from mekane.expressions.node import scalar
from mekane.kernels.kinematics import forward_kinematics
from mekane.kernels.rhs import energies
from mekane.numba_backend.kernel import plain
from mekane.symbolic.frozen_model import (
    FrozenModel,
    or_equal,
    refuse_compiled,
    refuse_impulsive,
    refuse_phases,
    set_by_events,
)
from mekane.symbolic.functions import Entry, Function, Functions, parameter_entries, units
from mekane.symbolic.live_contacts import (
    ContactFunctions,
    contact_rows,
    mode_registers,
    open_contacts,
    refuse_compiled_contacts,
    refuse_contact_laws,
)
from mekane.tables.columns import (
    ACT_FORCE_WORLD,
    ACT_TORQUE_WORLD,
    ACTION_ELEMENT,
    ACTION_KIND,
    ACTION_ON,
    ACTION_R,
    B_P,
    B_R,
    B_V,
    B_W,
    Y_PHI,
    Y_RATE,
)
from mekane.tables.tables import REGULAR

POSE_WIDTH = (
    18  # numbers of a body in `bodies`: origin, rotation matrix row by row, velocity of the origin, angular velocity
)
N_ENERGIES = 3  # kinetic, potential, work of non-conservative elements
REMEDY = (
    "The studio plays it live: mekane studio model.yaml. A run of it can be saved as a page: "
    "mk.simulate(s, …).save_html(…)."
)
MOST_SPEEDS = 150  # straight-line code of larger models is megabytes

add, cross, mat, rotate, vec = (plain(function) for function in (add, cross, mat, rotate, vec))


@dataclass(frozen=True)
class LiveFunctions:
    """Functions, where things stand in p, and what a time loop needs besides."""

    functions: Functions
    controlled: int  # numbers of y whose error sets the step: all but work
    coordinates: list  # (name, place in y, unit) of those that are an angle or a distance
    places: dict  # where in p: measurements, parameters, outcomes of comparisons and the hand begin
    measured: int  # how many measurements are followed
    or_equal: list  # of every comparison: whether it holds where both sides are equal
    events: list  # plain data of each; of what it sets the places in p, and the numbers in the function `events`
    stops: list  # instants at which a law of time changes: steps end there
    strongest: (
        float  # that the weakest pivot has been, beside which pivots are judged (solvers/constraints/projection.py)
    )
    near: float  # residual [m, rad] that one more Newton step brings to round-off
    contacts: dict | None  # plain data of the contact laws; None: there are none


def fixed_parameters(system, names, formulation="joint"):
    """{name: why it is a number somewhere} of those that cannot vary in a live page."""
    refuse(system)
    chosen = [name for name in names if name not in set_by_events(system)]
    return {**set_by_events(system, names), **symbolic(system, formulation, chosen).fixed}


@undisturbed()
def live_functions(system, parameters=(), formulation="joint"):
    """LiveFunctions of a system. parameters: names of numbers that stay symbols: parameters, inputs, "arm.mass"; one that
    cannot vary is an error."""
    refuse(system)
    solver, _ = initial_solver(system, formulation=formulation, code="loops")
    refuse_compiled(solver.compiled, "a live page")
    refuse_large(solver.compiled)
    refuse_compiled_contacts(solver.compiled, REMEDY)
    if system.contact_laws:
        open_contacts(solver)
    found = symbolic(system, formulation, [*parameters, *set_by_events(system)])
    for name, reason in {**set_by_events(system, parameters), **found.fixed}.items():
        raise ModelError("sliders", f"{name!r} cannot vary: {reason}", "a number that the equations read is expected")
    return LiveModel(found, solver).collected()


def refuse(system):
    refuse_phases(system, "a live page", dict.fromkeys(("controllers", "switched"), REMEDY))
    refuse_contact_laws(system, REMEDY)
    refuse_impulsive(system, "a live page", REMEDY)


def refuse_large(compiled):
    if compiled.n_u > MOST_SPEEDS:
        problem, expected = f"it has {compiled.n_u} speeds", f"a live page has at most {MOST_SPEEDS}"
        raise ModelError(f"system {compiled.system.name!r}", problem, expected, REMEDY)


class LiveModel(FrozenModel):
    """The functions of a model for a page. solver: at the start."""

    def __init__(self, found, solver):
        super().__init__(found, solver.workspace)
        self.solver, self.bodies = solver, list(self.compiled.system.bodies)
        entries, changing = parameter_entries(found), set_by_events(self.compiled.system)
        self.values = [one for one in entries if one.name not in changing]
        self.discrete = [one for one in entries if one.name in changing]
        self.wrenches = [at("hand", k) for k in range(6 * len(self.bodies))]
        self.tables = with_wrenches(self.tables, self.compiled.frames, self.bodies, len(found.registers))
        self.modes = mode_registers(self.tables)
        self.contacts = ContactFunctions(self) if self.modes else None
        self.switched_rows = set(contact_rows(self.tables))

    def workspace(self, tables=None):
        W = super().workspace(tables)
        W.r[self.modes] = [at("mode", k) for k in range(len(self.modes))]
        return W._replace(r=np.concatenate([W.r, np.array(self.wrenches, object)]))

    def collected(self):
        p, places = self.parameters()
        listed = self.functions_listed()
        sizes = {"coordinates": self.n_q, "speeds": self.n_u, "integrals": self.n - self.n_q - self.n_u}
        sizes |= {"state": self.n, "parameters": len(p), "rows": self.compiled.n_rows}
        title = self.compiled.system.name
        functions = Functions(title, self.compiled.formulation, self.state(), p, sizes, [], listed, [])
        program = self.compiled.program
        stops = [t for t in self.solver.compiled.program.event_times().tolist() if t > 0]
        controlled = self.n_q + self.n_u + len(self.compiled.integrals)
        coordinates = plotted_coordinates(self.compiled)
        return LiveFunctions(
            functions,
            controlled,
            coordinates,
            places,
            len(self.measured),
            or_equal(program),
            self.events(places["discrete"]),
            stops,
            *limits(self.solver),
            self.contacts.about(self.solver) if self.contacts else None,
        )

    def state(self):
        c = self.compiled
        names = [*c.coordinates, *c.speeds, *(f"{name}.integral" for name in c.integrals), *c.elements]
        values = map(float, self.solver.y)
        return [Entry(name, "SI", x, y) for name, x, y in zip(names, values, self.y, strict=True)]

    def parameters(self):
        """Entries of p, and where its parts begin."""
        known = self.solver.workspace.measurement[self.measured] if self.measured else []
        first = [*map(float, known), *[0.0] * (self.n_measured - len(self.measured))]
        groups = {
            "measured": [Entry(f"m{k}", "SI", x, at("p", k)) for k, x in enumerate(first)],
            "parameters": self.values,
            "outcomes": [Entry(f"o{k}", "1", 0.0, x) for k, x in enumerate(self.outcomes)],
            "regularization": [Entry("r", "1", REGULAR[0], self.regularization)],
            "discrete": self.discrete,
            "events": [Entry(f"e{k}", "1", 0.0, at("event", k)) for k in range(2 * len(self.compiled.events))],
            "modes": [Entry(f"c{k}", "1", 0.0, at("mode", k)) for k in range(len(self.modes))],
            "impacts": [Entry("i", "J", 0.0, at("impacts"))] if self.contacts else [],
            "hand": [Entry(f"f{k}", "SI", 0.0, x) for k, x in enumerate(self.wrenches)],
        }
        places, p = {}, []
        for name, entries in groups.items():
            places[name] = len(p)
            p += entries
        return p, places

    def functions_listed(self):
        n, (rates, guards) = self.n, self.rates_and_guards()
        found = [Function("rhs", "rates of y, then the smallest pivot", (n + 1,), rates)]
        if self.contacts:
            numbers = self.contacts.outputs(self.evaluated_workspace, rates)
            points = self.contacts.touching(self.evaluated_workspace)
            found = [Function("contact", "the mechanism as its contact laws see it", (len(numbers),), numbers)]
            found.append(Function("touching", "points of contact, and unit forces there", (len(points),), points))
        if self.has_projection:
            after = "y after one Newton step onto the constraints, then residual, pivot and what rows that repeat others miss"
            for name, column in (("project_positions", Y_PHI), ("project_speeds", Y_RATE)):
                found.append(Function(name, after, (n + 3,), in_order(self.projection(column))))
        if self.measured:
            found.append(
                Function("measure", "measurements, their rates, t", (self.n_measured,), in_order(self.measurements()))
            )
        if len(self.outcomes):
            found.append(Function("guards", "left - right of every comparison", (len(guards),), guards))
        if self.compiled.events:
            numbers = [scalar(self.registers[k]) for k in self.event_registers()]
            found.append(Function("events", "conditions, then what events set", (len(numbers),), numbers))
        poses = "origin, rotation matrix, velocity, angular velocity of every body"
        found.append(Function("bodies", poses, (POSE_WIDTH * len(self.bodies),), self.poses()))
        found.append(Function("energies", "kinetic, potential, work of other forces", (N_ENERGIES,), self.energies()))
        return found

    def event_registers(self):
        """Of all conditions, then of all that is set, event by event."""
        events = self.compiled.events
        return [*(one.condition for one in events), *(k for one in events for k in one.set.values())]

    def events(self, first):
        """Plain data of each; first: where in p what they set begins."""
        names, found, number = [one.name for one in self.discrete], [], len(self.compiled.events)
        for one in self.compiled.system.events.values():
            places = [[first + names.index(target), number + k] for k, target in enumerate(one.set)]
            number += len(places)
            found.append({"name": one.name, "once": one.once, "stop": one.stop, "atStart": one.at_start, "set": places})
        return found

    def poses(self):
        """Of every body, in the frame that the user gave."""
        W, T, frames = self.workspace(), self.tables, self.compiled.frames
        q, u = self.y[: self.n_q], self.y[self.n_q : self.n_q + self.n_u]
        plain(forward_kinematics)(T.body_i, T.body_f, T.primitive_i, T.primitive_f, T.speed_kind, q, u, W.body, W.speed)
        found = []
        for name in self.bodies:
            i = frames.row[name]
            arm, w = rotate(mat(W.body, i, B_R), frames.p_BU[i]), vec(W.body, i, B_W)
            R = np.array(mat(W.body, i, B_R), object).reshape(3, 3) @ frames.R_BU[i].astype(object)
            found += [*add(vec(W.body, i, B_P), arm), *R.ravel(), *add(vec(W.body, i, B_V), cross(w, arm)), *w]
        return [scalar(x) for x in found]

    def energies(self):
        """T; V of gravity and of all that store energy; the work of all others so far."""
        W, out, c = self.workspace(), np.zeros(8, object), self.compiled
        plain(energies)(self.tables, W, self.t, self.y, np.zeros(c.n_work, object), out)
        stored = sum((W.r[k] for k in c.energy_registers.values()), scalar(out[1]))
        work = sum(self.y[self.n_q + self.n_u + len(c.integrals) :], 0.0)
        return [scalar(out[0]), scalar(stored), scalar(work)]


def with_wrenches(tables, frames, bodies, first):
    """Tables in which a force and a moment act at the origin of each body; their values are in registers from `first`."""
    n, rows = len(tables.point_i), [frames.row[name] for name in bodies]
    points = np.array([list(frames.p_BU[i]) for i in rows], object).reshape(-1, 3)
    actions = np.zeros((2 * len(rows), tables.action_i.shape[1]), np.int64)
    for k in range(len(rows)):
        for one, kind in enumerate((ACT_FORCE_WORLD, ACT_TORQUE_WORLD)):
            action = actions[2 * k + one]
            action[ACTION_KIND], action[ACTION_ON], action[ACTION_ELEMENT] = kind, n + k, -1
            action[ACTION_R : ACTION_R + 3] = first + 6 * k + 3 * one + np.arange(3)
    return tables._replace(
        point_i=np.concatenate([tables.point_i, np.array(rows, tables.point_i.dtype)]),
        point_f=np.concatenate([tables.point_f, points]),
        action_i=np.concatenate([tables.action_i, actions]),
    )


def plotted_coordinates(compiled):
    """(name, place in y, unit) of coordinates and of speeds that are their rates; Euler parameters are left out."""
    named = lambda names, some, first: [*zip(names, range(first, first + len(names)), some, strict=True)]
    q, u = units(compiled)
    found = [one for one in named(compiled.coordinates, q, 0) if one[2] != "1"]
    rates = {f"{name}.rate" for name, _, _ in found}
    return [*found, *(one for one in named(compiled.speeds, u, compiled.n_q) if one[0] in rates)]


def limits(solver):
    """(strongest, near) of LiveFunctions."""
    from mekane.analyses.batch.lane_runs import QUADRATIC, size_of

    return float(solver.workspace.regularization[1]), QUADRATIC * min(1.0, size_of(solver.compiled.system))


def in_order(placed):
    """The expressions of {Place: expression}, by place."""
    return [x for _, x in sorted(placed.items(), key=lambda item: item[0].index)]
