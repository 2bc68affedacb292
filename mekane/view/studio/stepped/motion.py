"""A motion that is computed while one looks at it: rows from step to step, a hand that drags, and any row to go back to.

Rows are numbered; what was set before a step, and how long it was, is kept of each, the whole state of every so many. Going
back restores the state before and steps again, to the last bit."""

import math
import time
from typing import NamedTuple

import numpy as np

from mekane.analyses.simulate import ending, initial_solver
from mekane.analyses.stepper import Stepper
from mekane.errors import MekaneError, SimulationError
from mekane.view.studio.stepped.going_on import go_on
from mekane.view.studio.stepped.hand import Hand
from mekane.view.studio.stepped.readings import Readings
from mekane.view.web.events import mark_of

MOST_ROWS, MOST_BYTES = 40_000, 64e6  # kept to go back to, and the states among them
BETWEEN = 30, 300  # rows from one state that is kept to the next: at least, at most
BUDGET, PIECE = 0.1, 0.04  # computing for one request, and for one row of it [s]
MOST_PIECES = 12
MOST_EVENTS = 200  # that a solver remembers: enough to recognise events that accumulate
SAME = 1e-12  # relative: the same instant
NOT_OF_STEPPERS = ("t_end", "every", "until")


class Step(NamedTuple):
    """What led to a row."""

    grasp: tuple | None  # as in Hand.values
    dt: float
    count: int


class Kept(NamedTuple):
    """A state to go back to."""

    state: object
    by_user: float


class Grip(NamedTuple):
    """What the hand holds, as it was taken: number of the grip, body, place in its frame, stiffness, damping."""

    number: int
    body: int
    place: tuple
    stiffness: float
    damping: float


class SteppedMotion:
    """options: of the section `simulate`. before: another motion that it goes on from; `anew` says why it could not."""

    def __init__(self, system, options, before=None):
        self.anew, self.grip, self.grasp, self.cost, self.events, self.by_user = "", None, None, 0.0, [], 0.0
        self.hand = Hand(system if options.get("until") is None else ending(system, options["until"]))
        options = {"code": "loops"} | {name: one for name, one in options.items() if name not in NOT_OF_STEPPERS}
        solver, assembly = self.start(options, before)
        self.sim = Stepper(self.hand.system, solver, assembly, options, math.inf)
        self.readings, self.times = Readings(self.sim, self.hand), []
        self.take_events()
        if before is not None and not self.anew:
            self.by_user = balance(self.row()) - balance(before.row()) + self.by_user
        self.keep_first()

    def start(self, options, before):
        """A solver at the start of the model, or where the motion before is; and its assembly."""
        begin = lambda: initial_solver(self.hand.system, **options, copied=True)
        solver, assembly = begin()
        if before is None:
            return solver, assembly
        before.let_go()
        try:
            go_on(solver, before.sim.solver)
            return solver, None
        except MekaneError as error:
            self.anew = f"It begins anew: {error}"
        return begin()

    def keep_first(self):
        """The first row, and how many states can be kept."""
        first = self.sim.save()
        size = sum(array.nbytes for array in first.arrays.values())
        self.between = int(min(max(BETWEEN[0], MOST_ROWS * size / MOST_BYTES), BETWEEN[1]))
        self.most = int(min(MOST_ROWS, max(1000, self.between * MOST_BYTES / max(size, 1))))
        self.times, self.steps, self.kept = [self.sim.t], [None], {0: Kept(first, self.by_user)}

    def let_go(self):
        """The hand holds nothing from here on."""
        self.set(None)
        self.grip = None

    @property
    def about(self) -> dict:
        """For the page."""
        compiled = self.sim.solver.compiled
        names = [
            {"name": name, "index": k, "units": unit} for k, (name, _, unit) in enumerate(self.readings.coordinates)
        ]
        sizes = {"n": len(names), "q": compiled.n_q, "u": compiled.n_u, "bodies": len(self.hand.bodies)}
        return {**sizes, "places": {}, "coordinates": names}

    def row(self) -> dict:
        return self.readings.row(self.grasp, self.by_user)

    # ---------------------------------------------------------------- going on

    def advance(self, begin: float, step: float, hand=None) -> dict:
        """From the row at `begin` [s] on by `step` [s], or as far as there is time for. hand: {number, body, place,
        target, quick, weight, sag, strength} of what is grasped; None: nothing."""
        self.go_back(begin)
        grasp, rows, stopped, begun = self.grasp_of(hand), [], "", time.perf_counter()
        pieces = min(MOST_PIECES, max(1, math.ceil(self.cost * step / PIECE)))
        for k in range(pieces if step > 0.0 and not self.sim.ended_by else 0):
            try:
                self.take(Step(grasp, *self.pieces(step / pieces)))
            except SimulationError as error:
                self.go_to(len(self.times) - 1)
                stopped = str(error)
                break
            rows.append(self.row())
            if self.sim.ended_by or time.perf_counter() - begun > BUDGET * (k + 1) / (k + 2):
                break
        if self.sim.ended_by:
            stopped = f"event '{self.sim.ended_by}' ends the motion at {self.sim.t:.4g} s"
        gone = self.times[-1] - begin
        if rows and gone > 0.0:
            self.cost = 0.7 * self.cost + 0.3 * (time.perf_counter() - begun) / gone
        events, self.events = self.events, []
        return {"rows": rows, "stopped": stopped, "events": events}

    def pieces(self, dt):
        """Length and number of the steps for a row: fixed-step methods take their own."""
        solver = self.sim.solver
        if solver.adaptive or solver.step_size is None:
            return dt, 1
        return solver.step_size, max(1, round(dt / solver.step_size))

    def take(self, step: Step):
        """One row more."""
        self.set(step.grasp)
        for _ in range(step.count):
            self.sim.step(step.dt)
            if self.sim.ended_by:
                break
        self.take_events()
        self.times.append(self.sim.t)
        self.steps.append(step)
        if (len(self.times) - 1) % self.between == 0:
            self.kept[len(self.times) - 1] = Kept(self.sim.save(), self.by_user)
        if len(self.times) > self.most:
            self.forget()

    def set(self, grasp):
        """Inputs, where they differ from what they are."""
        if grasp != self.grasp:
            self.sim.set(self.hand.values(grasp))
            self.grasp = grasp

    def take_events(self):
        """Events since the last row as marks, and their energies; a solver need not remember them for ever."""
        phases = self.sim.solver.phases
        begin = self.times[-1] if self.times else -math.inf
        lines = [line for line in phases.table if line["time"] > begin]
        self.events += [mark_of([EventLine(line["event"], line["time"], line["changes"])]) for line in lines]
        self.by_user += sum(change for _, change in phases.work)
        phases.work.clear()
        del phases.table[:-MOST_EVENTS]

    # ---------------------------------------------------------------- the hand

    def grasp_of(self, hand):
        """What the springs pull at, from what a page sent."""
        if hand is None:
            self.grip = None
            return None
        if self.grip is None or self.grip.number != hand["number"]:
            self.grip = self.gripped(**hand)
        number, body, place, stiffness, damping = self.grip
        return body, place, tuple(hand["target"]), stiffness, damping

    def gripped(self, number, body, place, target, quick, weight, sag, strength):
        """Stiff enough to be followed within 1/quick [s] and to carry `weight` [N] at `sag` [m]."""
        self.set(None)
        mass = self.readings.mass_at(body, np.array(place))
        stiffness = strength * max(mass * quick**2, weight / sag)
        return Grip(number, body, tuple(place), stiffness, 2.0 * math.sqrt(stiffness * mass))

    # ---------------------------------------------------------------- going back

    def go_back(self, t: float):
        """To the last row that is not after this time."""
        last = len(self.times) - 1
        while last > 0 and self.times[last] > t + SAME * abs(t):
            last -= 1
        if last < len(self.times) - 1:
            self.go_to(last)

    def go_to(self, row: int):
        """Rows after it are forgotten."""
        first = max(k for k in self.kept if k <= row)
        steps = self.steps[first + 1 : row + 1]
        self.kept = {k: kept for k, kept in self.kept.items() if k <= first}
        del self.times[first + 1 :], self.steps[first + 1 :]
        state, self.by_user = self.kept[first]
        self.sim.restore(state)
        self.grasp = self.steps[first].grasp if first and self.steps[first] else None
        self.grip = None
        for step in steps:
            self.take(step)
        self.events = []

    def forget(self):
        """About the oldest quarter."""
        cut = max(k for k in self.kept if k <= len(self.times) // 4 + self.between)
        del self.times[:cut], self.steps[:cut]
        self.kept = {k - cut: kept for k, kept in self.kept.items() if k >= cut}


def balance(row: dict) -> float:
    """What stays as it is [J]: kinetic and potential energy, less all work, and less what sliders and events brought."""
    kinetic, potential, *brought = row["energies"]
    return kinetic + potential - sum(brought)


class EventLine(NamedTuple):
    event: str
    time: float
    changes: dict
