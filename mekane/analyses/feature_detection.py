"""Detection of features that a motion's steps pass over, by interval enclosure of its laws of the state between them: where
a law acts for less than a step, the motion goes back, and on in steps that are short enough.

The laws are run on intervals of what they measure, from one sample of the dense output to the next
(`expressions.narrow_laws`). Where that shows a feature, the part is sampled more finely until its borders are known.
"""

from typing import NamedTuple

import numpy as np

from mekane.expressions.narrow_laws import LESS, SHORTEST, WINDOW, NarrowLaws, TooMuchWork, motion
from mekane.results.sampled_loads import LAWS, Model
from mekane.solvers import state as at
from mekane.solvers.hybrid.controller_objects import objects_of, restore_objects
from mekane.solvers.saved_state import go_back, state_of
from mekane.solvers.state import Record
from mekane.tables.callbacks import State
from mekane.tables.columns import ACTION_R

SAMPLES = 1000  # of a motion at least
PER_STEP = 4  # samples
MOST = 20_000  # samples looked through at once
FINE = 64  # parts of an interval that is looked at more closely
SEEN = 4  # steps in a feature: then it is not passed over
ACROSS = 16  # steps through a feature at least
ZOOMS = 12
MOST_FEATURES = 200


class PassedOver(NamedTuple):
    """What a law did from begin to end [s], within one step."""

    begin: float
    end: float
    register: int


def narrow_laws(compiled):
    """The laws of a model that may be narrow in the state: of forces, conditions of events, constraints."""
    forces = compiled.tables.action_i[:, ACTION_R : ACTION_R + 3].ravel().tolist()
    conditions = [one.condition for one in compiled.events]
    energies = map(int, compiled.energy_registers.values())  # these do not decide on the motion
    others = set(compiled.program.outputs.tolist()).difference(forces, conditions, energies)
    return NarrowLaws(compiled.program, compiled.n_fixed, [*forces, *conditions], sorted(others))


def names_of(compiled, laws, register):
    """Forces whose laws a register belongs to."""
    rows = [*compiled.first_action.values(), len(compiled.tables.action_i)]
    found = []
    for name, first in compiled.first_action.items():
        last = min(row for row in rows if row > first)
        registers = compiled.tables.action_i[first:last, ACTION_R : ACTION_R + 3].ravel()
        if any(register == x or register in laws.needed(int(x)) or register in laws.read(int(x)) for x in registers):
            found.append(name)
    return found


class FeatureDetection:
    """A solver that goes on to the times of samples while features are detected. advance(t, times, lost): Record, and why it stopped; lost:
    evaluations that the solver has forgotten, as it went back."""

    def __init__(self, solver, laws, samples, advance):
        self.solver, self.laws, self.advance = solver, laws, advance
        self.samples, self.step = np.asarray(samples, float), solver.step_size
        self.t_end, self.duration = float(self.samples[-1]), float(self.samples[-1]) - solver.t
        self.kept, self.next, self.lost, self.stopped = [], 0, 0, ""
        self.passed, self.looks, self.undecided = [], 0, np.nan  # undecided: from then on there may be more
        self.model = Model(solver.compiled, {LAWS})
        self.columns = {("r", 0, x, 1): slice(k, k + 1) for k, x in enumerate(laws.inputs)}

    def run(self):
        """Record at the samples, and why it ended early."""
        length = self.duration
        while not self.over:
            begun = self.solver.t
            length = min(length, MOST / self.density)
            feature = self.part(min(self.t_end, begun + length))
            if feature is None:
                length *= 4.0
                continue
            self.closely(feature)
            length = max(4.0 * (self.solver.t - begun), self.duration / SAMPLES)
        kept = self.kept or [self.solver.empty_record(())]
        return Record(*map(np.concatenate, zip(*kept, strict=True))), self.stopped

    @property
    def over(self):
        return bool(self.stopped or self.solver.phases.ended_by or not self.solver.t < self.t_end)

    @property
    def density(self):
        """Samples per second."""
        return max(SAMPLES / self.duration, PER_STEP / self.step if self.step else 0.0)

    # ---------------------------------------------------------------- going on and back

    def go(self, t, more=()):
        """Go on to t; all that was sampled, and what is to be kept of it. more: times to be sampled besides."""
        wanted = self.samples[self.next :]
        wanted = wanted[wanted <= t]
        record, stopped = self.advance(t, np.union1d(wanted, more), self.lost)
        self.stopped = stopped or ""
        keep = np.isin(record.t, wanted)
        if self.solver.phases.ended_by and len(keep):
            keep[-1] = True
        return record, Record(*(part[keep] for part in record))

    def keep(self, record):
        if len(record.t):
            self.kept.append(record)
            self.next += len(record.t)

    def saved(self):
        return *state_of(self.solver), objects_of(self.solver)

    def back(self, arrays, values, objects):
        spent = int(self.solver.counters[at.EVALUATIONS])
        go_back(self.solver, arrays, values)
        restore_objects(self.solver, objects)
        self.lost += spent - int(self.solver.counters[at.EVALUATIONS])
        self.stopped = ""

    def to(self, t):
        """Go on to t, if it is ahead."""
        if not self.over and self.solver.t < t:
            self.keep(self.go(t)[1])

    # ---------------------------------------------------------------- looking

    def part(self, t):
        """Go on to t; but if something was passed over, only to where that Feature begins."""
        begun, n = self.saved(), max(self.density * (t - self.solver.t), 2 * WINDOW)
        record, kept = self.go(t, np.linspace(self.solver.t, t, int(np.ceil(n)) + 1))
        feature = self.first_feature(record) if np.isnan(self.undecided) else None
        if feature is None:
            self.keep(kept)
            return None
        self.back(*begun)
        self.to(feature.begin)
        return None if self.over else feature

    def first_feature(self, record):
        """The first Feature that was passed over between samples."""
        if len(record.t) < 2:
            return None
        try:
            feature, decided = self.laws.passed_over(self.motion(record), self.model.workspace.r, self.call)
        except TooMuchWork:
            feature, decided = None, False
        if not decided and feature is None:
            self.undecided = record.t[0]
        return feature

    def motion(self, record):
        """Inputs of the laws at samples."""
        numbers = np.empty((len(record.t), len(self.columns)))
        self.model.begin(record)
        self.model.read(record, slice(0, len(record.t)), self.model.addresses(self.columns), numbers)
        events = np.array([entry["time"] for entry in self.solver.phases.table], float)
        discontinuous = np.zeros(max(len(record.t) - 1, 0), bool)
        for side in ("left", "right"):
            number = np.searchsorted(record.t, events, side) - 1
            discontinuous[number[(number >= 0) & (number < len(discontinuous))]] = True
        discontinuous |= (np.diff(record.discrete, axis=0) != 0.0).any(axis=1)
        return motion(record.t, dict(zip(self.laws.inputs, numbers.T.copy(), strict=True)), discontinuous)

    def call(self, register, inputs):
        """Values of a Python function at many places. inputs: {register: values}"""
        program = self.laws.tape
        function, places = dict(program.callbacks)[register], {name: i for i, name in enumerate(program.inputs)}
        r = np.stack([inputs[x] for x in range(len(places))], axis=1)
        return np.array([function(float(one[0]), State(places, program.formulas, one)) for one in r], float)

    def closely(self, feature):
        """Go on through what was passed over, from where it begins."""
        self.looks += 1
        if self.looks > MOST_FEATURES:
            self.undecided = self.solver.t
        end, registers = feature.end, feature.registers
        for _ in range(ZOOMS):
            begin, begun, steps = self.solver.t, self.saved(), int(self.solver.counters[at.STEPS])
            record, kept = self.go(end, np.linspace(begin, end, FINE + 1))
            try:
                found = None if self.over and self.solver.t < end else self.first_region(record, registers)
            except TooMuchWork:
                self.undecided, found = begin, None
            if found is None:
                return self.keep(kept)
            steps = int(self.solver.counters[at.STEPS]) - steps
            if steps * (found.end - found.begin) >= SEEN * (end - begin):
                self.passed.append(found)
                return self.keep(kept)
            self.back(*begun)
            apart = (end - begin) / FINE
            first, end = max(begin, found.begin - apart), min(end, found.end + apart)
            if found.end - found.begin >= WINDOW * apart or not begin < first + SHORTEST * self.t_end < end:
                break
            self.to(first)
        return self.across(first, end, found.register)

    def first_region(self, record, registers):
        """The first part in which one of these registers is not what it is at both ends: PassedOver, or None."""
        moved = self.motion(record)
        found = [PassedOver(*part, x) for x in registers for part in self.regions(record, moved, x)]
        return min(found, default=None, key=lambda one: one.begin)

    def regions(self, record, moved, register):
        """(begin, end) of parts in which a register is not what it is at both ends, in order."""
        r, laws = self.model.workspace.r, self.laws
        values = laws.values((register,), r, moved.x)[register]
        allowed = LESS * np.abs(values[np.isfinite(values)]).max(initial=0.0)
        low, high = np.fmin(values[0], values[-1]) - allowed, np.fmax(values[0], values[-1]) + allowed
        if register in laws.functions:
            out = np.flatnonzero((values < low) | (values > high))
            return [(record.t[out[0] - 1], record.t[out[-1] + 1])] if len(out) else []
        number = np.flatnonzero(~moved.discontinuous)
        parts = number, np.zeros(len(number)), np.ones(len(number))
        rounding, like = laws.rounding(register, laws.over((register,), moved, r, *parts)), np.ones(len(moved.t) - 1)
        found, decided = laws.regions(moved, r, register, (low - rounding) * like, (high + rounding) * like, *parts)
        if not decided and not found:
            self.undecided = record.t[0]
        return together(sorted(one[1:] for one in found))

    def across(self, begin, end, register):
        """In short steps from begin to end."""
        self.to(begin)
        self.solver.step_size = (end - begin) / ACROSS
        self.to(end)
        self.solver.step_size = self.step
        self.passed.append(PassedOver(begin, end, register))


def together(parts):
    """Sorted parts joined with those that follow at a distance no longer than they are: a train of pulses stays a train."""
    found = []
    for begin, end in parts:
        if found and begin - found[-1][1] <= found[-1][1] - found[-1][0]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((begin, end))
    return found
