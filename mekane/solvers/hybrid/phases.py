"""A run as smooth phases separated by events: what happens between two calls of the compiled loop."""

import warnings

import numpy as np

from mekane.errors import SimulationError
from mekane.solvers import state as at
from mekane.solvers.hybrid.controllers import Controllers
from mekane.solvers.hybrid.no_contacts import NoContacts
from mekane.tables.columns import OPEN

MOST = 50  # events at one instant
RECENT, FEW = 200, 5  # events looked back at; intervals that shrink: see accumulation
VANISHING = 1e-6  # the last of them by the first
MANY = 30  # closed contacts: there is a method for so many
SAME = 1e-13  # relative: no time has passed
MANY_EVENTS = 1000  # of contact laws: then a warning states how many more there will be
MANY_MORE = 4  # times as many: few more need no words


class ManyEventsWarning(UserWarning):
    """Contact laws change so often that a run will take long."""


def contacts_of(solver, impacts, painleve, impulsive):
    """The contact laws of a solver. Their compiled code is loaded for models that have some."""
    if not solver.compiled.system.contact_laws and not impulsive:
        return NoContacts(impacts, painleve)
    from mekane.solvers.contacts.resolve import Contacts
    from mekane.solvers.moreau.contacts import ImpulsiveContacts
    from mekane.solvers.moreau.shapes import refuse_searched

    if not impulsive:
        refuse_searched(solver.compiled.system)
    return (ImpulsiveContacts if impulsive else Contacts)(solver, impacts, painleve)


class Phases:
    """Events and controllers of one solver, and the table of what has happened."""

    def __init__(self, solver, copied=False, impacts="simultaneous", painleve="impact", impulsive=False):
        self.solver, self.controllers = solver, Controllers(solver, copied)
        self.impulsive, self.contacts = impulsive, contacts_of(solver, impacts, painleve, impulsive)
        self.events = list(solver.compiled.system.events.values())
        self.table, self.work = [], []  # of events: plain data; [time, change of energy] where one jumps
        self.happened = np.zeros(len(self.events), np.int64)
        self.passed = np.zeros(len(self.events), np.int64)  # so often an event with stop=True does not end the motion
        self.busy = False  # where something is under way that cannot be left
        self.last, self.at_once = -np.inf, []  # names of the events at that instant
        self.ended_by = ""
        self.most_closed = 0  # contacts at one time
        self.warns = True  # of very many events; a run that is repeated has done so
        self.of_contacts = 0  # lines of the table that contact laws have made

    @property
    def done(self):
        """(events,) True for those that happen once, and have."""
        return np.array([event.once for event in self.events], bool) & (self.happened > 0)

    def start(self):
        self.controllers.reset()
        if self.contacts:
            self.take_lines(self.contacts.start())
        self.solver.step_state[at.NEXT_TICK] = self.controllers.next_time()

    def note_true_at_start(self):
        """Conditions that hold at the start do not become true there: a note states it."""
        if not self.events:
            return
        for k in np.flatnonzero(self.solver.scratch.fired == at.TRUE_AT_START):
            self.solver.scratch.fired[k] = 0.0
            self.solver.notes.append(
                f"event {self.events[k].name!r}: its condition holds at the start; it happens when it becomes true "
                "(at_start=True: at the start, too)"
            )

    def remarks(self):
        """On events of a run that is over: conditions that never became true."""
        idle = [event.name for event, times in zip(self.events, self.happened, strict=True) if not times]
        found = [f"event {name!r} did not happen: its condition did not become true" for name in idle]
        if self.most_closed > MANY and not self.impulsive:
            found.append(
                f"up to {self.most_closed} contacts were closed at one time; method='moreau' is made for many, "
                "with a fixed step and of order one"
            )
        return found

    def between(self, record):
        """After the compiled loop has returned for an event or a tick. True: the motion ends here."""
        from mekane.solvers.hybrid.event_actions import happen, stored_energy

        solver, ended, self.busy, fired, happened = self.solver, False, True, [], True
        discrete, lines = solver.discrete.copy(), len(self.table)
        if solver.counters[at.OUTCOME] == at.TICK:
            before = stored_energy(solver)
            self.controllers.happen()
            self.add_work([before, stored_energy(solver)])
            solver.step_state[at.NEXT_TICK] = self.controllers.next_time()
        else:
            fired = self.contacts.fired() if self.contacts else []
            holding = np.flatnonzero(solver.scratch.fired > 0.0).tolist() if self.events else []
            happened = bool(holding)
            for k in holding:
                solver.scratch.fired[k] = 0.0
                if self.events[k].once and self.happened[k]:
                    continue
                self.count(self.events[k].name)
                self.happened[k] += 1
                self.table.append(happen(solver, k))
                self.add_work(self.table[-1]["energy"])
                self.refuse_accumulation(self.events[k].name)
                if self.events[k].stop and self.happened[k] > self.passed[k]:
                    ended, self.ended_by = True, self.events[k].name
        if self.contacts:
            if not fired and not happened:
                self.count("contact laws")
            for e, _ in fired:
                self.count(self.contacts.state.facts[e].name if e >= 0 else "sliding")
            self.contacts.state.calls.open_lost()
            self.take_lines(self.contacts.resolve(fired))
        if self.events:
            solver.scratch.condition[self.done] = at.DONE
        if self.events or self.controllers:  # else contact laws alone have changed something: their modes
            of_events = any("kind" not in line for line in self.table[lines:])
            if of_events or (solver.time_laws and self.differs(discrete)):
                solver.discrete_state_changed()
        solver.rewrite_samples(record)
        solver.counters[at.OUTCOME] = at.UNDERWAY
        self.busy = False
        return ended

    def differs(self, discrete):
        """Whether the discrete state is another one than this, modes of contacts left out."""
        changed = discrete != self.solver.discrete
        return (changed[~self.contacts.state.in_discrete] if self.contacts else changed).any()

    def inputs_jumped(self):
        """Modes of contacts are chosen anew where inputs that were set by hand end them."""
        if self.contacts and not self.impulsive and not self.contacts.modes_hold():
            self.take_lines(self.contacts.resolve())

    def take_lines(self, lines):
        """Lines of the table that contact laws have made."""
        if lines:
            self.most_closed = max(self.most_closed, sum(mode != OPEN for mode in self.contacts.state.modes()))
        for line in lines:
            self.table.append(line)
            self.add_work(line["energy"])
        self.add_work([0.0, self.contacts.lifted])
        before, self.of_contacts = self.of_contacts, self.of_contacts + len(lines)
        if before < MANY_EVENTS <= self.of_contacts and not self.impulsive:
            self.warn_of_many()

    def warn_of_many(self):
        """Say how often contact laws change, and how many more events that will be, at the pace of the last ones."""
        solver, times = self.solver, [line["time"] for line in self.table[-RECENT:] if "kind" in line]
        passed, left = times[-1] - times[0], float(solver.step_state[at.END]) - solver.t
        pace = (len(times) - 1) / passed if passed > 0.0 else np.inf
        if pace * left < MANY_MORE * MANY_EVENTS:
            return
        names = ", ".join(map(repr, dict.fromkeys(line["event"] for line in self.table[-FEW:] if "kind" in line)))
        text = (
            f"contact laws: {MANY_EVENTS} events up to t = {solver.t:.6g} s, of late {pace:.3g} in a second ({names}): about "
            f"{pace * left:.2g} more until t = {solver.step_state[at.END]:.6g} s. Each is located and solved by itself, which "
            "takes some tenths of a millisecond; method='moreau' passes them in fixed steps, of order one."
        )
        solver.notes.append(text)
        if self.warns:
            warnings.warn(text, ManyEventsWarning, stacklevel=2)

    def go_past_stops(self, names):
        """What has ended the motion before does not end it there again. names: of the events that have happened."""
        self.passed[:] = [names.count(event.name) if event.stop else 0 for event in self.events]
        self.ended_by = ""

    def add_work(self, energy):
        if energy[0] != energy[1]:
            self.work.append([self.solver.t, energy[1] - energy[0]])

    def count(self, name):
        """Refuse events without end at one instant."""
        now = self.solver.t
        if now - self.last > SAME * max(1.0, abs(now)):
            self.last, self.at_once = now, []
        self.at_once.append(name)
        if len(self.at_once) > MOST:
            raise self.without_end(now)

    def without_end(self, now):
        """The error of too many events at one instant: of the model, or of contact laws alone."""
        what, remedy = "condition of another, or its own, true", "change the conditions, or leave out once=False"
        if not {event.name for event in self.events} & set(self.at_once):
            what = "modes of another, or its own, change"
            remedy = "give what touches at one place one contact, change its friction or restitution, or start beside this state"
        names = ", ".join(map(repr, dict.fromkeys(self.at_once)))
        return SimulationError(
            f"more than {MOST} events at t = {now:.6g} s, and no time passes: {names}. Each makes the {what} again: {remedy}."
        )

    def refuse_accumulation(self, name):
        """Refuse an event that happens faster and faster, without end before some instant: a ball that bounces lower and
        lower."""
        times = [line["time"] for line in self.table[-RECENT:] if line["event"] == name]
        intervals = np.diff(times)
        longer = np.flatnonzero(intervals[1:] >= intervals[:-1])
        shrinking = intervals[longer[-1] + 1 if len(longer) else 0 :]
        if len(shrinking) >= FEW and shrinking[-1] < VANISHING * shrinking[0]:
            ratio = shrinking[-1] / shrinking[-2]
            raise SimulationError(
                f"event {name!r} happens faster and faster, at last after {shrinking[-1]:.2g} s: without end before "
                f"t = {times[-1] + shrinking[-1] * ratio / (1.0 - ratio):.9g} s. End the motion before, or let an event lock "
                "what comes to rest."
            )

    # ---------------------------------------------------------------- for copies and checkpoints

    def state(self):
        return dict(
            table=list(self.table), work=list(self.work), happened=self.happened.tolist(), passed=self.passed.tolist(),
            last=self.last if np.isfinite(self.last) else None, at_once=list(self.at_once), ended_by=self.ended_by,
            controllers=self.controllers.state(), contacts=self.contacts.kept(), of_contacts=self.of_contacts,
        )  # fmt: skip

    def restore(self, state):
        self.table, self.at_once, self.ended_by = list(state["table"]), list(state["at_once"]), state["ended_by"]
        self.work = [list(one) for one in state["work"]]
        self.happened[:], self.passed[:] = state["happened"], state["passed"]
        self.last = -np.inf if state["last"] is None else state["last"]
        self.controllers.restore(state["controllers"])
        self.contacts.restore(state["contacts"])
        self.of_contacts = state.get("of_contacts", 0)
