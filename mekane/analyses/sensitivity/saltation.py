"""Derivatives of a motion through events and ticks of controllers: the saltation matrix.  (N.18)

An event with the guard g(t, y, p) = 0 happens later by δt* when a parameter changes, and makes y⁺ = R(t, y, p):

    δt* = −(g_y S⁻ + g_p)/(g_y f⁻ + g_t)
    S̃ = S⁻ + f⁻ δt*,     S̃⁺ = R_y S̃ + R_t δt* + R_p,     S⁺ = S̃⁺ − f⁺ δt*

S̃ is the change of the state at the instant itself, which moves. Discrete states have derivatives, too. The instants of
ticks, and of conditions of time alone, do not move.
"""

import numpy as np

from mekane.compiler.discrete_state import ACTIVE
from mekane.errors import ModelError
from mekane.solvers import state as at
from mekane.solvers.clocks import NEXT, WRITTEN
from mekane.solvers.hybrid.controllers import clocks_of, is_due, next_time, tick_time, write_time
from mekane.solvers.hybrid.reset_derivatives import generalized_impulses, linear_parts, speeds_after
from mekane.tables.columns import KIND, MIXED

SAME = 1e-13  # relative: no time has passed
APART = 1e-6  # beside the larger: δt* of events at the same instant
FITS = 1e-6  # of the size of the model, when a parameter changes by its own size: a lock fits for other values, too
MOST = 50  # events at one instant
GRAZING = 1e-6  # of the duration: so soon a guard would stand still


class Resets:
    """Events and controllers along one GroupFlow."""

    def __init__(self, along, solver):
        self.along, self.flow, self.solver, self.group = along, along.flow, solver, along.group
        system = solver.compiled.system
        self.events, self.ticks = list(system.events.values()), Ticks(solver.compiled)
        self.happened = np.zeros(len(self.events), np.int64)
        self.contacts = None  # ContactResets
        self.last, self.later, self.at_once = -np.inf, np.zeros(len(along.scales)), 0
        solver.step_state[at.NEXT_TICK] = self.ticks.next_time()
        numbers = iter(range(len(solver.compiled.reset_registers)))  # in z.resets
        self.of_events = [
            ({target: next(numbers) for target in one.set}, [[next(numbers) for _ in three] for three in one.impulses])
            for one in solver.compiled.events
        ]
        self.of_controllers = [[next(numbers) for _ in one.expressions] for one in solver.compiled.controllers]

    def __bool__(self):
        return bool(self.events or self.ticks.writes)

    def happen(self):
        """What is due where the solver stands. Returns True if the motion ends here, and δt*."""
        solver, t = self.solver, self.solver.t
        if solver.counters[at.OUTCOME] == at.TICK:
            return self.tick()
        fired = np.flatnonzero(solver.scratch.fired > 0.0).tolist()
        solver.scratch.fired[:] = 0.0
        y, S = self.along.parts(solver.Z)
        before = solver.rates(1)
        later = self.instant(fired, t, y, S, before)
        S, ended = S + np.outer(later, before), False
        for k in fired:
            self.happened[k] += 1
            y, S = self.after(k, t, y, S, later)
            ended |= self.events[k].stop
        done = np.array([event.once for event in self.events], bool) & (self.happened > 0)
        solver.scratch.condition[done] = at.DONE
        self.go_on(t, y, S, later)
        return ended, later

    def go_on(self, t, y, S, later):
        """From the state after it, whose changes S are those at the instant that moves."""
        solver, along = self.solver, self.along
        along.put_state(solver, t, y, S)
        solver.look_ahead()
        solver.decide()
        S = S - np.outer(later, solver.rates(1))
        solver.Z[:] = along.whole(*along.projected(t, y, S))
        solver.start_anew()

    # ---------------------------------------------------------------- when

    def instant(self, fired, t, y, S, before):
        """δt* of these events."""
        if t - self.last <= SAME * max(1.0, abs(t)):  # one follows from the other
            self.at_once += 1
            if self.at_once > MOST:
                raise refused(self.flow, f"more than {MOST} events at t = {t:.6g} s", "time that passes between events")
            return self.later
        found = np.array([self.moves(k, t, y, S, before) for k in fired])
        if np.any(np.ptp(found, axis=0) > APART * np.abs(found).max(axis=0, initial=1e-300)):
            names = ", ".join(repr(self.events[k].name) for k in fired)
            raise refused(self.flow, f"events {names} happen at the same instant, t = {t:.6g} s", "events one by one")
        self.last, self.later, self.at_once = t, found[0], 1
        return found[0]

    def moves(self, k, t, y, S, before):
        """δt* of event k; zero where only time decides."""
        changed = self.solver.decided(self.solver.in_conditions[k])
        if not len(changed):
            return np.zeros(len(S))
        guards = self.solver.columns[changed]
        self.refuse_touch(k, t, y, before, guards)
        return self.along.instants(t, y, S, before, guards)

    def refuse_touch(self, k, t, y, before, guards):
        """A guard that would have stood still within a moment of where it is crossed."""
        now, moment = self.along.guard_rates(t, y, before)[guards], GRAZING * self.flow.duration
        earlier = t - moment, y - moment * before
        then = self.along.guard_rates(*earlier, self.solver.rates_at(*earlier))[guards]
        if np.any(np.abs(then - now) >= np.abs(now)):
            problem = f"the condition of event {self.events[k].name!r} is only just touched at t = {t:.6g} s"
            raise refused(self.flow, problem, "a condition that is crossed, and not where it would turn round")

    # ---------------------------------------------------------------- what

    def after(self, k, t, y, S, later):
        """State and changes after event k, at the instant that moves by `later`."""
        event, (changes, impulses) = self.events[k], self.of_events[k]
        x, directions = self.along.point_and_directions(t, y, S, later)
        here, derivatives = self.group.along(x, directions)
        z = np.vstack([here[None], derivatives])
        resets = z[:, self.group.z.resets]
        self.set_discrete(
            {target: resets[:, i] for target, i in changes.items() if target in self.solver.compiled.discrete}
        )
        self.switch(event)
        rates = [target for target in changes if target not in self.solver.compiled.discrete]
        if event.lock or event.impulses or rates:
            if self.contacts is not None:
                self.contacts.refuse_touching(event, t)
            self.flow.update_active_rows(t, y)
            self.refuse_misfit(event, z)
            components = resets[:, np.array(impulses, int).reshape(-1, 3)]
            values = resets[:, [changes[target] for target in rates]]
            u = slice(self.flow.n_q, self.flow.n_q + self.flow.n_u)
            x, directions = self.along.point_and_directions(t, y, S, later)  # with the discrete state after it
            new = self.new_speeds(k, x, directions, np.vstack([y[None, u], S[:, u]]), rates, values, components)
            y[u], S[:, u] = new[0], new[1:]
        return y, S

    def new_speeds(self, k, x, directions, u, rates, values, components):
        flow, z = self.flow, self.group.z
        active = np.flatnonzero((flow.parametrized.model.workspace.active == 1) & flow.velocity_level)
        outputs = [z.outputs.start + flow.parametrized.place_of_rate(target) for target in rates]
        parts = linear_parts(self.group, x, directions, [*(z.rate.start + active), *outputs])
        wanted = np.hstack([np.zeros((len(u), len(active))), values])
        return speeds_after(parts, u, wanted, generalized_impulses(self.group, parts, k, components))

    def set_discrete(self, changes):
        """{name: value and its derivatives}"""
        values, derivatives = self.along.discrete()
        for name, numbers in changes.items():
            place = self.solver.compiled.discrete.index(name)
            values[place], derivatives[:, place] = numbers[0], numbers[1:]
        self.along.set_discrete(self.solver, values, derivatives)

    def switch(self, event):
        flag = lambda value: np.append(value, np.zeros(len(self.later)))
        changes = {name + ACTIVE: flag(1.0) for name in event.lock} | {
            name + ACTIVE: flag(0.0) for name in event.release
        }
        self.set_discrete(changes)

    def refuse_misfit(self, event, z):
        """What is locked must fit together for other values of the parameters, too."""
        rows = [row for name in event.lock for row in self.flow.compiled.pairs.rows_of[name] if self.flow.position[row]]
        gaps = np.abs(z[1:, self.group.z.phi][:, rows]) * self.along.scales[:, None]
        if gaps.max(initial=0.0) > FITS * self.flow.size:
            problem = f"event {event.name!r} locks what fits together for these values of the parameters alone"
            raise refused(self.flow, problem, "a condition that becomes true where it fits")

    # ---------------------------------------------------------------- clocks

    def tick(self):
        """Controllers compute their inputs from the state now."""
        solver, t = self.solver, self.solver.t
        if self.later.any() and t - self.last <= SAME * max(1.0, abs(t)):
            raise refused(
                self.flow, f"an event and a tick of a controller meet at t = {t:.6g} s", "one after the other"
            )
        y, S = self.along.parts(solver.Z)
        none = np.zeros(len(S))
        here, derivatives = self.group.along(*self.along.point_and_directions(t, y, S, none))
        resets = np.vstack([here[None], derivatives])[:, self.group.z.resets]
        for names, numbers in self.ticks.due(t, [resets[:, places] for places in self.of_controllers]):
            self.set_discrete(dict(zip(names, numbers.T, strict=True)))
        solver.step_state[at.NEXT_TICK] = self.ticks.next_time()
        self.last, self.later, self.at_once = t, none, 1
        self.go_on(t, y, S, none)
        return False, none


class Ticks:
    """When controllers tick, and what they have computed, with its derivatives, until it is written."""

    def __init__(self, compiled):
        self.clocks, self.writes = (
            clocks_of(compiled, False),
            [one.writes for one in compiled.system.controllers.values()],
        )
        self.waiting = {}  # (controller, tick) → numbers

    def next_time(self):
        return next_time(self.clocks)

    def due(self, now, computed):
        """(names of inputs, numbers) to be written now. computed: what each controller computes here."""
        found = self.written(now)
        for k, numbers in enumerate(computed):
            if is_due(tick_time(self.clocks, k), now):
                self.waiting[k, self.clocks.counts[k, NEXT]] = numbers
                self.clocks.counts[k, NEXT] += 1
        return found + self.written(now)

    def written(self, now):
        found, counts = [], self.clocks.counts
        for k, names in enumerate(self.writes):
            while is_due(write_time(self.clocks, k), now):
                found.append((names, self.waiting.pop((k, counts[k, WRITTEN]))))
                counts[k, WRITTEN] += 1
        return found


# ---------------------------------------------------------------- what has no derivative


def refused(flow, problem, expected, remedy="Change the initial state a little, or end before."):
    part = f"{flow.parametrized.analysis} of {flow.parametrized.system.name!r}"
    return ModelError(part, f"{problem}: the motion has no derivative there", expected, remedy)


def refuse_unknown_resets(parametrized):
    """Before anything is computed: events and controllers whose changes cannot be differentiated."""
    compiled, part = parametrized.compiled, f"{parametrized.analysis} of {parametrized.system.name!r}"
    for one in compiled.controllers:
        if not one.expressions:
            problem = f"controller {one.name!r} is a Python function that has no expression, so it has no derivative"
            remedy = 'Write function={"u": "-20*hinge.angle"}, or compare runs of mk.simulate.'
            raise ModelError(part, problem, "controllers that are expressions", remedy)
    for event in parametrized.system.events.values():
        if event.at_present:
            problem = f"event {event.name!r} locks where it is at present"
            raise ModelError(part, problem, "locks that close where the joint fits", "Compare runs of mk.simulate.")
        changes_speeds = event.lock or event.impulses or any(target not in compiled.discrete for target in event.set)
        if changes_speeds and MIXED in compiled.tables.primitive_i[:, KIND]:
            problem = f"formulation {compiled.formulation!r} has absolute angular velocities, which events change"
            raise ModelError(part, problem, "speeds of joints", 'Leave formulation= out, or write "joint".')
