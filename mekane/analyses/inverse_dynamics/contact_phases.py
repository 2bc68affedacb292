"""Contacts in a given motion: what is open, slides or sticks at each instant, and how their forces act on the speeds.

A contact that sticks can push along all its rows. One that slides pushes along  W_N − μ W_Tᵀ d,  d the direction of
sliding (N.3), and friction of a given size is a load. What touches is read from the run that the motion is, or from gap,
velocity and acceleration.
"""

from typing import NamedTuple

import numpy as np

from mekane.compiler.discrete_state import ELEMENT_STATE
from mekane.errors import ModelError
from mekane.kernels.contact_modes import STILL
from mekane.model.set_valued import DIRECTION, MODE, OPEN, SLIDING, STICKING, STICKS
from mekane.solvers.contacts.force_sets import Forces, ForceSet
from mekane.tables import columns as at


class Phase(NamedTuple):
    """Of one element at one instant."""

    mode: int
    direction: np.ndarray  # of sliding, along its tangents


class Columns(NamedTuple):
    """Forces of contacts on the speeds: C x + load."""

    C: np.ndarray  # (speeds, forces)
    load: np.ndarray  # (speeds,)  friction of a given size
    sets: list  # ForceSet of each element, indices into x


class ContactPhases:
    """Phases of all elements of a compiled model along a motion."""

    def __init__(self, compiled, motion, tolerance):
        self.compiled, self.motion, self.tolerance = compiled, motion, tolerance
        self.table, self.facts = compiled.tables.contact_i, compiled.elements_of_contact
        laws = compiled.system.contact_laws.values()
        self.law_of = {one: law.name for law in laws for one in law.ids(compiled.system)}
        self.rows = np.zeros(compiled.n_rows, bool)
        for line in self.table:
            self.rows[[*normal_rows(line), *tangent_rows(line)]] = True
        self.fastest, self.hardest = (np.abs(x).max(axis=0, initial=0.0) for x in (motion.u, motion.ud))
        self.gravity = np.linalg.norm(compiled.system.gravity)
        # (element, time): friction by the reaction of a joint, which is found beside the forces
        self.by_reaction = np.zeros((len(self.table), len(motion.t)))

    def __len__(self):
        return len(self.table)

    def depends_on_reactions(self):
        return bool(len(self.table)) and bool((self.table[:, at.C_BY] == at.BY_LOAD).any())

    def read_reactions(self, run, phases):
        """Friction of bearings and guides that slide as a run of the model has it; how much it has changed, relative."""
        before = self.by_reaction.copy()
        for e, line in enumerate(self.table):
            if line[at.C_BY] == at.BY_LOAD:
                size = np.abs(run.loads.multipliers(range(line[at.C_TANGENT], line[at.C_TANGENT] + 1))[:, 0])
                self.by_reaction[e] = np.where([now[e].mode == SLIDING for now in phases], size, 0.0)
        return np.abs(self.by_reaction - before).max() / max(np.abs(self.by_reaction).max(), 1e-300)

    def at(self, i, gap, rate, acceleration, J, size):
        """Phases at an instant, from what all rows measure there; J: rows over the speeds, size: of the mechanism."""
        if self.motion.discrete:
            return [self.recorded(i, fact.name, line, rate) for fact, line in zip(self.facts, self.table, strict=True)]
        still = self.tolerance * np.maximum(np.abs(J) @ self.fastest, 1e-9)
        slow = self.tolerance * (np.abs(J) @ self.hardest + self.gravity)
        found = [
            self.measured(i, e, line, (gap, rate, acceleration), (self.tolerance * size, still, slow))
            for e, line in enumerate(self.table)
        ]
        return self.with_resistances(found)

    def with_resistances(self, phases):
        """Where a contact is open, nothing resists rolling and spinning."""
        closed = {int(line[at.C_NORMAL]) for line, one in zip(self.table, phases, strict=True) if one.mode != OPEN}
        return [
            Phase(OPEN, 0.0 * one.direction) if resists_turning(line) and line[at.C_PRESSED] not in closed else one
            for line, one in zip(self.table, phases, strict=True)
        ]

    def recorded(self, i, name, line, rate):
        """The direction recorded is that where a step began: from there it turns with the velocity of sliding."""
        direction = [self.motion.discrete[f"{name}{DIRECTION}{k}"][i] for k in range(line[at.C_TANGENTS])]
        mode, direction = int(round(self.motion.discrete[name + MODE][i])), np.array(direction, float)
        slip = rate[tangent_rows(line)]
        if mode == SLIDING and len(slip) == 2 and np.linalg.norm(slip) > STILL and direction.any():
            direction = np.copysign(1.0, slip @ direction) * slip / np.linalg.norm(slip)
        return Phase(mode, direction)

    def measured(self, i, e, line, found, limits):
        gap, rate, acceleration = found
        near, still, slow = limits
        tangents, none = tangent_rows(line), np.zeros(line[at.C_TANGENTS])
        for row in normal_rows(line):
            if not line[at.C_RATE]:
                self.refuse_entered(i, e, gap[row], near)
                if gap[row] > near:
                    return Phase(OPEN, none)
            if rate[row] > still[row] or acceleration[row] > slow[row]:
                return Phase(OPEN, none)
            if rate[row] < -still[row]:
                self.refuse_approach(i, e, rate[row])
        if not tangents:
            return Phase(SLIDING if line[at.C_NORMAL] >= 0 else OPEN, none)
        for value, limit in ((rate, still), (acceleration, slow)):
            slip = value[tangents]
            if np.linalg.norm(slip) > limit[tangents].max():
                return Phase(SLIDING, slip / np.linalg.norm(slip))
        return Phase(STICKING, none)

    def refuse_entered(self, i, e, gap, near):
        if gap < -near:
            raise self.impossible(i, e, f"its gap is {gap:.4g}", "bodies do not enter each other")

    def refuse_approach(self, i, e, rate):
        problem = f"it is closed and approaches with {-rate:.4g} per second"
        raise self.impossible(i, e, problem, "an impact has no finite forces")

    def impossible(self, i, e, problem, expected):
        part = f"inverse_dynamics, contact {self.facts[e].name!r}"
        return ModelError(part, f"at t = {self.motion.t[i]:g} s {problem}", expected, "Change the motion.")

    def columns(self, i, phases, B, r):
        """What closed elements exert; B: columns of all rows, r: registers with coefficients of friction."""
        C, load, sets, pressing = [], np.zeros(len(B)), [], {}
        for e, (line, fact, (mode, d)) in enumerate(zip(self.table, self.facts, phases, strict=True)):
            by_reaction = line[at.C_BY] == at.BY_LOAD
            friction = self.by_reaction[e, i] if by_reaction else r[line[at.C_FRICTION]]
            normal, tangents = normal_rows(line), tangent_rows(line)
            if mode == OPEN:
                continue
            if not normal and mode == SLIDING:
                rubs = friction * (B[:, tangents] @ d)
                if resists_turning(line):
                    C[pressing[line[at.C_PRESSED]]] = C[pressing[line[at.C_PRESSED]]] - rubs
                else:
                    load -= rubs
                continue
            first, push = len(C), B[:, normal[0]] if normal else None
            if mode == SLIDING and tangents:
                push = push - friction * (B[:, tangents] @ d)
            C += [push] if normal else []
            pressing |= dict.fromkeys(normal, first)
            C += [B[:, row] for row in tangents] if mode == STICKING else []
            static = max(r[line[at.C_STATIC]], friction)
            own = tuple(range(first + len(normal), len(C)))
            if not by_reaction:
                pressed = pressing.get(line[at.C_PRESSED], -1)
                sets.append(ForceSet(fact.name, self.law_of[fact.name], pressed, own, float(static)))
        return Columns(np.array(C).reshape(len(C), len(B)).T, load, sets)

    def discrete_state(self, names, start, phases):
        """(time, names): the discrete state at all instants with these phases."""
        found = np.tile(np.array([start[name] for name in names], float), (len(phases), 1))
        place = {name: k for k, name in enumerate(names)}
        for i, now in enumerate(phases):
            for fact, (mode, d) in zip(self.facts, now, strict=True):
                found[i, place[fact.name + MODE]] = mode
                found[i, place[fact.name + STICKS]] = mode == STICKING
                for k, x in enumerate(d):
                    found[i, place[f"{fact.name}{DIRECTION}{k}"]] = x
        return found


def resists_turning(line):
    """Whether an element resists rolling or spinning: the normal force of another one limits it."""
    return line[at.C_NORMAL] < 0 and line[at.C_PRESSED] >= 0


def normal_rows(line):
    return [int(line[at.C_NORMAL])] if line[at.C_NORMAL] >= 0 else []


def tangent_rows(line):
    first = int(line[at.C_TANGENT])
    return list(range(first, first + int(line[at.C_TANGENTS]))) if first >= 0 else []


def contact_state_of(run):
    """{name: values} of the modes of contacts that a run has recorded; nothing if it has no contact laws."""
    if not run.system.contact_laws or not run.record.discrete.size:
        return {}
    columns = dict(zip(run.compiled.discrete, run.record.discrete.T, strict=False))
    return {one + what: columns[one + what] for one in element_names(run) for what in ELEMENT_STATE}


def element_names(run):
    return [fact.name for fact in run.compiled.elements_of_contact]


# ---------------------------------------------------------------- judged


def judged(times, balances):
    """Sentences about contacts that would have to pull, or to have more friction. balances: of each instant (columns,
    forces x, self-stresses Z, scale), or None where nothing is closed."""
    forces = [None if one is None else Forces(*one) for one in balances]
    closed = [k for k, one in enumerate(forces) if one is not None]
    if not closed:
        return []
    outside = [k for k in closed if not forces[k].hold]
    if not outside:
        return ["Forces of contacts: they push, and stay within friction."]
    worst = max(outside, key=lambda k: forces[k].margin())
    factor = forces[worst].needed_factor()
    names = ", ".join(map(repr, dict.fromkeys(one.law for one in forces[worst].sets)))
    when = f"at {len(outside)} of {len(times)} times, from {times[outside[0]]:g} to {times[outside[-1]]:g} s"
    if factor is None:
        return [f"Not possible with contacts that only push, {when}: {names}, worst at {times[worst]:g} s."]
    rough = {(one.law, one.limit): one for one in forces[worst].sets if one.tangents}.values()
    needed = "; ".join(f"{factor * one.limit:.4g} at {one.law!r}, {one.limit:.4g} given" for one in rough)
    return [f"Not possible with the friction given, {when}; worst at {times[worst]:g} s, where it needs {needed}."]
