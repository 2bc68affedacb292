"""A motion and what its contact laws have done on the way: instants, modes, speeds and impulses, for its derivatives."""

from typing import NamedTuple

import numpy as np

from mekane.errors import SimulationError
from mekane.solvers.contacts.contact_state import Instant
from mekane.solvers.contacts.resolve import Contacts
from mekane.solvers.solver import Solver


class Impact(NamedTuple):
    """Impulses at one instant."""

    instant: Instant  # before them
    P: np.ndarray  # over the rows of instant.local
    jams: bool  # without a collision (Painlevé)
    ends: bool  # bounces after it are left out  (N.13)


class ContactEvent(NamedTuple):
    """Where modes or speeds change."""

    t: float
    fired: list  # (element, which of its guards), as in Contacts.fired
    y: np.ndarray  # before
    y_after: np.ndarray
    discrete: np.ndarray  # the discrete state before
    discrete_after: np.ndarray
    impacts: list
    motions: int  # that satisfy contact and friction from here on


class RecordedContacts(Contacts):
    """The contact laws of a solver that has begun; `events` grows."""

    def __init__(self, contacts):
        self.__dict__.update(contacts.__dict__)
        self.events, self.happened, self.motions = [], [], 1

    def resolve(self, fired=()):
        solver, self.happened, self.motions = self.solver, [], 1
        y, discrete, modes = solver.y.copy(), solver.discrete.copy(), self.state.modes()
        table = super().resolve(fired)
        if fired or self.happened or self.motions > 1 or modes != self.state.modes():
            self.events.append(
                ContactEvent(
                    solver.t,
                    list(fired),
                    y,
                    solver.y.copy(),
                    discrete,
                    solver.discrete.copy(),
                    list(self.happened),
                    self.motions,
                )  # fmt: skip
            )
        return table

    def ambiguous(self, instant, count):
        self.motions = count
        super().ambiguous(instant, count)

    def take(self, instant, P, kind):
        self.happened.append(Impact(instant, P.copy(), kind == "jam", False))
        return super().take(instant, P, kind)

    def ordinary_rounds(self, fired, banned):
        """None are taken by compiled code: an impact is differentiated with the answers at its own instant, see Impact."""

    def close(self, line, falls, rates):
        if any(falls):
            self.happened[-1] = self.happened[-1]._replace(ends=True)
        super().close(line, falls, rates)


class RecordedMotion:
    """discrete: the discrete state at the start; state: ContactState; events: of contact laws; others: lines of the table of
    events that are not theirs."""

    def __init__(self, parametrized, t_end, rtol, atol):
        compiled = parametrized.compiled
        solver = Solver(compiled, np.concatenate([*parametrized.initial, compiled.start_memory]), rtol=rtol, atol=atol)
        contacts = solver.phases.contacts = RecordedContacts(solver.phases.contacts)
        self.state, self.discrete, self.at_start = contacts.state, solver.discrete.copy(), list(solver.phases.table)
        stopped = solver.run(t_end, np.array([]))[1]
        if stopped:
            raise SimulationError(f"{parametrized.analysis}: {stopped}")
        self.events = contacts.events
        self.others = [line for line in solver.phases.table if "kind" not in line]
