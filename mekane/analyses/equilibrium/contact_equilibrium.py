"""Equilibrium of bodies that touch: which contacts stay closed, and whether friction can hold.

What touches at the start is closed, and sticks if it is rough. From there downhill: a gap that becomes zero closes, a
contact that would have to pull opens. Contacts that close on the way push along their normals alone while the search goes
on; forces without friction are among those with friction. At the end all forces have to be in their sets (N.2).
"""

import numpy as np

from mekane.analyses.equilibrium.contact_forces import contact_forces, pulling
from mekane.analyses.equilibrium.equilibrium import Equilibrium, refuse_growing_controller_state, start_at
from mekane.analyses.equilibrium.imbalance_report import refuse_unbalanced
from mekane.analyses.equilibrium.slipping import refuse_slipping, refuse_slipping_joints
from mekane.analyses.equilibrium.solver import BALANCED, find_equilibrium
from mekane.analyses.equilibrium.stability import Stability
from mekane.analyses.equilibrium.static_equations import Statics, refuse_driven
from mekane.analyses.equilibrium.touching import ContactLaws
from mekane.analyses.equilibrium.trim import trimmed
from mekane.errors import ModelError
from mekane.model.hybrid.activity import without_contact_laws
from mekane.model.set_valued import MODE, OPEN, SLIDING
from mekane.solvers.contacts.local import TOUCHING

CHANGES = 60  # of the contacts that are closed, in one search
IDLE = 1e-9  # normal force, relative to the forces at work, that is none
LOOKS = 4  # at gaps, on a step
FINEST = 1e-16  # share of a step: round-off


def equilibrium_with_contacts(system, at, t, formulation, solve_for=None, hold=None):
    """What touches is closed; from there downhill, or with the parameters `solve_for` found."""
    _, start = start_at(without_contact_laws(system, {}), {**(at or {}), **(hold or {})}, t, formulation)
    laws = ContactLaws(system, formulation, start.statics.t)
    wanted = [name for name, mode in system._contact_modes.items() if mode != OPEN]
    modes, found, notes = laws.closed_modes(start.q, wanted), (), []
    if solve_for is None and hold is None:
        statics, state, modes, notes = find_contact_equilibrium(laws, start, modes)
    else:
        rest = trimmed(laws.closed_system(modes, start.q), solve_for, at, hold, t, formulation)
        statics, state, found, notes = rest.statics, rest.state, rest.found, rest.notes
        refuse_slipping(state, contact_forces(state))
    refuse_growing_controller_state(state)
    discrete = {name + MODE: mode for name, mode in modes.items()}
    rest = Equilibrium(statics, state, found, notes, contacts=(system, discrete))
    refuse_slipping_joints(rest, laws)
    rest.notes += idle_contacts(rest, laws, modes)
    return rest


def idle_contacts(rest, laws, modes):
    """A sentence about contacts that touch without a force: a push may open them."""
    least = IDLE * rest.state.load / rest.statics.size
    idle = [name for name, force in rest.contacts.items() if force.normal is not None and force.normal <= least]
    if not idle:
        return []
    without = ContactSearch(laws, rest.state, modes).state(modes | dict.fromkeys(idle, OPEN))
    verdict = {True: "stable", False: "not stable", None: "undecided"}[Stability(without.statics, without).stable]
    return [f"Touching without a force, and counted as closed for stability: {quoted(idle)}; without, it is {verdict}."]


def find_contact_equilibrium(laws: ContactLaws, start, modes):
    """(statics, state, modes, notes) of the equilibrium that is reached downhill from a StaticState."""
    search = ContactSearch(laws, start, modes)
    for _ in range(CHANGES):
        if search.advance():
            return search.result()
    problem = f"contacts open and close without end: {', '.join(map(repr, search.changed[-4:]))}"
    raise ModelError(
        f"equilibrium of {laws.system.name!r}", problem, "a configuration at rest", "Start elsewhere with at=."
    )


class ContactSearch:
    def __init__(self, laws, start, modes):
        self.laws, self.start = laws, start
        self.q, self.integrals, self.modes = start.q, start.integrals, dict(modes)
        self.changed, self.lifted, self.met = [], [], []

    def state(self, modes):
        """The configuration with what is closed as constraints."""
        before = self.start.statics
        statics = Statics(self.laws.closed_system(modes, self.q), before.formulation, before.t)
        statics.model.measure_from_start(statics.t, np.concatenate([self.q, np.zeros(statics.compiled.n_u)]))
        found = statics.closed(statics.at(self.q, self.start.parameters, self.integrals))
        if found is None:
            closed = ", ".join(repr(name) for name, mode in modes.items() if mode != OPEN)
            raise ModelError(
                f"equilibrium of {self.laws.system.name!r}",
                f"the contacts {closed} cannot be closed together",
                "a possible configuration",
                "Start elsewhere with at=.",
            )
        return found

    def advance(self):
        """One search with the contacts that are closed now; True if nothing opens or closes any more."""
        state = self.state(self.modes)
        refuse_driven(state)
        if self.open(pulling(state)):
            return False
        guard = GapGuard(self.laws, self.open_elements())
        end = find_equilibrium(state.statics, state, guard)
        self.q, self.integrals = end.q, end.integrals
        if guard.closing:
            self.close(guard.closing)
            return False
        entered = guard.below(end.q)
        if entered:
            self.close(entered)
            return False
        if self.open(pulling(end)):
            return False
        if end.unbalanced > BALANCED:
            refuse_unbalanced(end)
        return True

    def open_elements(self):
        return [k for k, name in enumerate(self.laws.names) if self.modes[name] == OPEN]

    def close(self, names):
        for name in names:
            self.modes[name] = SLIDING
        self.changed += names
        self.met += names

    def open(self, names):
        for name in names:
            self.modes[name] = OPEN
        self.modes = self.laws.with_resistances(self.modes)
        self.changed += names
        self.lifted += names
        return bool(names)

    def result(self):
        """All that touches in the end is closed, and sticks if it is rough."""
        closed = [name for name, mode in self.modes.items() if mode != OPEN]
        modes = self.laws.closed_modes(self.q, closed)
        state = self.state(modes)
        refuse_slipping(state, contact_forces(state))
        return state.statics, state, modes, self.notes(modes)

    def notes(self, modes):
        open_now = [name for name in dict.fromkeys(self.lifted) if modes[name] == OPEN]
        met = [name for name in dict.fromkeys(self.met) if modes[name] != OPEN]
        found = [f"Contacts that lift off on the way from the start: {quoted(open_now)}."] if open_now else []
        return found + ([f"Contacts that close on the way from the start: {quoted(met)}."] if met else [])


def quoted(names):
    return ", ".join(map(repr, names))


class GapGuard:
    """Ends a descent where a gap closes."""

    def __init__(self, laws, elements):
        self.laws, self.elements, self.closing = laws, elements, []
        self.with_gap = [k for k in elements if laws.has_gap(k)]

    def below(self, q):
        """Names of open elements whose gaps are negative."""
        gaps = self.laws.gaps(q)
        return [self.laws.names[k] for k in self.with_gap if gaps[k] < -TOUCHING]

    def least(self, q):
        return min(self.laws.gaps(q)[self.with_gap], default=np.inf)

    def __call__(self, state, y):
        """The state where the first gap closes on a step y from a state; None if none does."""
        ahead = lambda share: state.statics.closed(
            state.statics.at(state.statics.displaced(state.q, share * (state.Z @ y)), state.parameters, state.integrals)
        )
        last = 0.0
        for share in np.linspace(0.0, 1.0, LOOKS + 1)[1:]:
            there = ahead(share)
            if there is not None and self.least(there.q) < -TOUCHING:
                return self.stop(ahead, last, share)
            last = share
        return None

    def stop(self, ahead, low, high):
        from scipy.optimize import brentq

        height = lambda share: self.least(ahead(share).q)
        share = brentq(height, low, high, xtol=FINEST) if height(low) > 0.0 else low
        end = ahead(share)
        gaps = self.laws.gaps(end.q)
        self.closing = [self.laws.names[k] for k in self.with_gap if gaps[k] <= TOUCHING]
        return end
