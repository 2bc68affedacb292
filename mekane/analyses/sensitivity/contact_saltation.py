"""Derivatives of a motion through events of contact laws: impacts, stops and starts of sliding, lift-off.  (N.18)

The motion itself is computed first, with all its modes (contact_events). Its derivatives follow phase by phase: within a
phase the rows of what is closed and the friction of what slides are differentiated with everything else; between phases

    δt* = −(g_y S⁻ + g_p)/(g_y f⁻ + g_t),     S̃ = S⁻ + f⁻ δt*,     S⁺ = R_y S̃ + R_t δt* + R_p − f⁺ δt*

with the guard g that has ended the phase (N.6), and R the impact, or the rows that hold from there on.
"""

import numpy as np

from mekane.analyses.sensitivity.contact_refusals import (
    refuse_coinciding,
    refuse_contact_event,
    refuse_misfit,
    refuse_one_sided,
    refuse_start,
    refuse_touching,
)
from mekane.analyses.sensitivity.saltation import refused
from mekane.solvers.contacts.impact_derivatives import speeds_after_impact
from mekane.solvers.hybrid.reset_derivatives import linear_parts, speeds_after
from mekane.solvers.state import NOW
from mekane.tables import columns as column
from mekane.tables.columns import SLIDING

CONTINUOUS = 1e-9  # of the rates, beside them
APART = 1e-6  # of δt*: guards that end a phase together
GRAZING = 1e-6  # of the duration: so soon a guard would stand still
ROUND_OFF, JUST_NOW = 1e-12, 1e-9  # of times; of the duration
AHEAD = 1e-8  # of the duration
AGREE = 1e-6  # of the speeds: speeds after an impact, computed twice
NORMAL, FRICTION, SPEED = range(3)  # guards of an element


class ContactResets:
    """Contact laws along one GroupFlow. `waiting`: their events that are still to come."""

    def __init__(self, along, solver, resets):
        self.along, self.flow, self.solver, self.group, self.resets = along, along.flow, solver, along.group, resets
        self.motion = along.flow.motion
        self.table = (
            solver.compiled.tables.contact_i
        )  # registers are those of the solver; elements and rows of the model
        self.waiting = list(self.motion.events)
        self.u = slice(self.flow.n_q, self.flow.n_q + self.flow.n_u)

    def start(self, y, S):
        """Modes at the start."""
        self.set_discrete(self.motion.discrete)
        self.flow.update_active_rows(0.0, y)
        refuse_one_sided(self)
        refuse_start(self, y, S)
        self.along.put_state(self.solver, 0.0, y, S)
        self.end_phase_at_event()

    def set_discrete(self, values):
        derivatives = self.along.discrete()[1]
        self.along.set_discrete(self.solver, values, derivatives)

    # ---------------------------------------------------------------- within a phase

    def end_phase_at_event(self):
        """The solver goes on to the next event, or to the end."""
        self.ahead = AHEAD * self.flow.duration if self.waiting and self.ends_in_space(self.waiting[0]) else 0.0
        self.solver.set_end(
            max(self.waiting[0].t - self.ahead, self.solver.t) if self.waiting else self.solver.times[-1]
        )

    def ends_in_space(self, event):
        return any(self.is_stop_in_space(e, which) for e, which in event.fired)

    def after_step(self):
        """What is due where the solver stands. True: an event has happened."""
        happened = False
        while self.waiting and self.solver.t >= self.waiting[0].t - self.ahead:
            self.go_to(self.waiting[0].t)
            self.happen()
            self.end_phase_at_event()
            happened = True
        if not happened:
            self.turn_directions(self.solver.t, self.along.parts(self.solver.Z)[0])
        return happened

    def go_to(self, t):
        """The last moment before sliding in space ends, where its direction is no longer smooth."""
        if t > self.solver.t:
            self.solver.Z[:] += (t - self.solver.t) * self.solver.all_rates()
            self.solver.step_state[NOW] = t

    def turn_directions(self, t, y):
        """Directions of sliding in space as they are known after a step."""
        turning = [e for e in self.sliding() if self.table[e, column.C_TANGENTS] == 2]
        if not turning:
            return
        rate = self.flow.derivatives.at(self.flow.point(t, y))[self.flow.derivatives.z.rate]
        values = self.along.discrete()[0]
        first = self.solver.compiled.discrete_registers.start
        for e in turning:
            row, d = self.table[e, column.C_TANGENT], self.table[e, column.C_DIRECTION] - first
            speed = np.linalg.norm(rate[row : row + 2])
            if speed > 0.0 and values[d : d + 2].any():
                values[d : d + 2] = rate[row : row + 2] / speed
        self.set_discrete(values)

    def modes(self):
        values, first = self.along.discrete()[0], self.solver.compiled.discrete_registers.start
        return [int(round(values[line[column.C_MODE] - first])) for line in self.table]

    def sliding(self):
        return [e for e, mode in enumerate(self.modes()) if mode == SLIDING and self.table[e, column.C_TANGENTS] > 0]

    def refuse_touching(self, event, t):
        refuse_touching(self, event, t)

    # ---------------------------------------------------------------- between phases

    def happen(self):
        """The next event: from here on S is that of the phase after it."""
        event, (_, S), flow = self.waiting.pop(0), self.along.parts(self.solver.Z), self.flow
        refuse_contact_event(self, event)
        y = event.y[: flow.n_y].copy()
        self.along.put_state(self.solver, event.t, y, S)
        before = self.solver.rates(1)
        later = self.instant(event, y, S, before) if self.is_discontinuous(event, y, S, before) else np.zeros(len(S))
        S = S + np.outer(later, before)
        for impact in event.impacts:
            S[:, self.u] = self.after_impact(event, impact, y, S, later)
        y = event.y_after[: flow.n_y].copy()
        self.set_discrete(event.discrete_after)
        flow.update_active_rows(event.t, y)
        refuse_misfit(self, event, y, S, later)
        S[:, self.u] = self.on_rows(event.t, y, S, later)
        self.resets.last, self.resets.later, self.resets.at_once = event.t, later, 1
        self.resets.go_on(event.t, y, S, later)
        refuse_coinciding(self, event)

    def is_discontinuous(self, event, y, S, before):
        """Whether rates or speeds jump, so that it matters when."""
        if event.impacts:
            return True
        self.set_discrete(event.discrete_after)
        self.along.put_state(self.solver, event.t, event.y_after[: self.flow.n_y].copy(), S)
        change = np.abs(self.solver.rates(0) - before).max(initial=0.0)
        self.set_discrete(event.discrete)
        self.along.put_state(self.solver, event.t, y, S)
        return change > CONTINUOUS * (1.0 + np.abs(before).max(initial=0.0))

    def instant(self, event, y, S, before):
        """δt* of the guards that have ended the phase."""
        found = self.instants(event, y, S, before)
        if not found:
            problem = f"{self.names(event)} change at t = {event.t:.6g} s, and no guard of a contact law ends there"
            raise refused(self.flow, problem, "modes that change where a force, a speed or a gap ends")
        found = np.array(found)
        if np.any(np.ptp(found, axis=0) > APART * np.abs(found).max(initial=1e-300)):
            problem = f"{self.names(event)} change at the same instant, t = {event.t:.6g} s"
            raise refused(self.flow, problem, "events one by one")
        return found[0]

    def instants(self, event, y, S, before):
        """δt* of every guard that has fired."""
        stopped = dict.fromkeys(e for e, which in event.fired if self.is_stop_in_space(e, which))
        found = [self.of_stop(event, e, y, S, before) for e in stopped]
        guards = [self.table[e, column.C_GUARD] + which for e, which in event.fired if e >= 0 and e not in stopped]
        return found + [self.moves(event, guard, y, S, before) for guard in guards]

    def is_stop_in_space(self, e, which):
        ends = which == FRICTION or (which == SPEED and not self.table[e, column.C_SUMS])
        return e in self.sliding() and ends and self.table[e, column.C_TANGENTS] == 2

    def of_stop(self, event, e, y, S, before):
        """δt* of the end of sliding in space: γ_T + γ̇_T δt* = 0, as near as can be. What is left across it the rows of sticking
        take."""
        rows = self.table[e, column.C_TANGENT] + np.arange(2)
        slip = self.along.along(event.t, y, S)[1][:, self.group.z.rate][:, rows]
        rate = self.along.along_motion(event.t, y, before)[self.flow.derivatives.z.rate][rows]
        return -(slip @ rate) / (rate @ rate)

    def moves(self, event, guard, y, S, before):
        """δt* of one guard."""
        value, by_p, rate = self.guard_along(event.t, y, S, before, guard)
        moment = GRAZING * self.flow.duration
        if abs(value) > moment * abs(rate):
            return self.of_comparison(event, y, S, before)
        earlier = event.t - moment, y - moment * before
        then = self.guard_along(*earlier, S, self.solver.rates_at(*earlier), guard)[2]
        self.solver.Z[:] = self.along.whole(y, S)
        if abs(then - rate) >= abs(rate):
            problem = f"{self.names(event)}: only just touched at t = {event.t:.6g} s"
            raise refused(self.flow, problem, "a contact that is met at some speed")
        return -by_p / rate

    def of_comparison(self, event, y, S, before):
        """δt* where a law jumps, and with it what is possible: that of its comparison."""
        times = self.solver.compiled.program.event_times()
        if len(times) and np.abs(times - event.t).min() <= ROUND_OFF * max(1.0, abs(event.t)):
            return np.zeros(len(S))
        z = self.flow.derivatives.z
        values, rates = (
            self.flow.derivatives.at(self.flow.point(event.t, y))[z.events],
            self.along.guard_rates(event.t, y, before),
        )
        decided = np.flatnonzero(np.abs(values) <= JUST_NOW * self.flow.duration * np.abs(rates))
        if not len(decided):
            problem = f"{self.names(event)}: what is possible jumps at t = {event.t:.6g} s"
            raise refused(self.flow, problem, "a guard, or a comparison in a law, that changes its sign there")
        return self.along.instants(event.t, y, S, before, decided)

    def guard_along(self, t, y, S, rates, guard):
        """A guard, its derivatives along the parameters, and its rate along the motion."""
        zero, one = np.zeros(len(S)), np.ones(len(S))
        here = self.solver.registers_along(t, self.along.whole(y, S), zero)[guard]
        there = self.solver.registers_along(t, self.along.whole(y, S + rates), self.along.scales * one)[guard]
        by_p = here[1 : 1 + len(S)] / self.along.scales
        return float(here[0]), by_p, float(there[1] / self.along.scales[0] - by_p[0])

    def names(self, event):
        facts = self.motion.state.facts
        named = [facts[e].name for e, _ in event.fired if e >= 0]
        named += [e.name for one in event.impacts for e in one.instant.local.elements if e.by_normal]
        return ", ".join(map(repr, dict.fromkeys(named))) or "contact laws"

    # ---------------------------------------------------------------- speeds

    def on_rows(self, t, y, S, later):
        """Derivatives of the speeds where the rows of what is closed hold from here on: they change as by an impulse.  (N.8)"""
        flow, z = self.flow, self.group.z
        active = np.flatnonzero((flow.parametrized.model.workspace.active == 1) & flow.velocity_level)
        if not len(active):
            return S[:, self.u]
        x, directions = self.along.point_and_directions(t, y, S, later)
        parts = linear_parts(self.group, x, directions, z.rate.start + active)
        u = np.vstack([y[None, self.u], S[:, self.u]])
        return speeds_after(parts, u, np.zeros((len(u), len(active))), np.zeros_like(u))[1:]

    def after_impact(self, event, impact, y, S, later):
        """Derivatives of the speeds after an impact."""
        local, others = impact.instant.local, impact.instant.others
        x, directions = self.along.point_and_directions(event.t, y, S, later)
        n = self.flow.compiled.n_rows
        parts = linear_parts(self.group, x, directions, self.group.z.rate.start + np.arange(n))
        u = np.vstack([y[None, self.u], S[:, self.u]])
        found = speeds_after_impact(
            parts, u, impact.instant.selection, others, local, self.frictions(event, y, S, later, local), self.restitutions(local)
        )  # fmt: skip
        if found is None:
            problem = (
                f"{self.names(event)}: the impact at t = {event.t:.6g} s would go on in another way on either side, "
                "for its sliding, or a contact beside it, stops just then"
            )
            raise refused(self.flow, problem, "an impact whose order of sliding and sticking does not change")
        expected = impact.instant.speeds_after(impact.P)
        if np.abs(found[0] - expected).max() > AGREE * (1e-300 + np.abs(np.append(expected, u[0])).max()):
            raise refused(
                self.flow, f"{self.names(event)}: the impact at t = {event.t:.6g} s is not reproduced", "another model"
            )
        return found[1:]

    def frictions(self, event, y, S, later, local):
        """(1 + parameters, elements of local)"""
        scales = self.along.scales
        r = self.solver.registers_along(event.t, self.along.whole(y, S), scales * later)
        r = r[self.table[[e.index for e in local.elements], column.C_FRICTION]][:, : 1 + len(scales)]
        return (r / np.append(1.0, scales)).T

    def restitutions(self, local):
        """(1 + parameters, elements of local)"""
        return self.along.restitutions[:, [e.index for e in local.elements]]


def restitutions_of(group):
    """(1 + parameters, elements) of all elements, with derivatives."""
    from mekane.compiler.parameter_derivatives import STEP

    values = np.array(
        [[fact.element.restitution for fact in one.compiled.elements_of_contact] for one in group.members]
    )
    return np.vstack([values[:1].real, values.imag / STEP])
