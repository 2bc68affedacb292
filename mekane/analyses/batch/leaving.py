"""Runs that leave their lanes: the engine of mk.simulate takes them from their last accepted state, and gives them back when
they are past what lanes cannot do.

A run leaves where a position is singular for the rows of the code, where rows no longer repeat others, and where it is
stiff. What happens to it depends on the run alone, so its numbers do, too.
"""

from typing import NamedTuple

import numpy as np

from mekane.analyses.batch.one_by_one import in_threads, outcome_of, sentence
from mekane.analyses.batch.runs import FAILED
from mekane.compiler.compiler import compile_system
from mekane.model.interface.kept import made_code
from mekane.results.result import Result
from mekane.solvers.lanes import lane_state as at

PASSING = (at.SINGULAR, at.ROWS_CHANGED)  # lanes may go on after them
RESUMED = (*PASSING, at.IS_STIFF)
FIRST_STRETCH, LONGER = 1 / 50, 5.0  # share of a run before it comes back, and how much longer when it leaves again


class Piece(NamedTuple):
    """What the other engine computed of a run."""

    samples: slice
    values: np.ndarray  # (samples, channels)
    states: np.ndarray  # (samples, state)
    steps: int
    stopped: str


class Leaving:
    """The runs of a LaneEngine that go on without lanes, some of them back to lanes. runs: LaneRuns."""

    def __init__(self, engine, runs):
        self.engine, self.runs, self.batch = engine, runs, engine.batch
        self.pieces = {}  # {run: [Piece]}
        self.steps = np.zeros(len(runs.order), np.int64)  # on lanes, before a run last left
        self.failed = {}  # {run: sentence}

    def leaving(self):
        """Runs that can go on from where they are. Others start anew: their outcomes of comparisons, discrete states, and
        states of channels without code, are not kept."""
        model = self.engine.model
        if model.traced.n_frozen or model.discrete or model.channels.missing:
            return []
        found = np.flatnonzero(np.isin(self.runs.outcome, RESUMED) & (self.runs.now > 0.0)).tolist()
        return [run for run in found if run not in self.failed]

    def go_on(self, threads=None):
        """Take all of them on. Returns the runs that come back to lanes; None after Ctrl-C."""
        leaving, back = self.leaving(), []
        for run, error in in_threads(lambda k: self.take_on(k, back), leaving, threads):
            self.failed[run] = sentence(error)
        known = set(self.failed).union(back, (k for k in leaving if self.runs.outcome[k] not in RESUMED))
        return sorted(back) if known.issuperset(leaving) else None

    def take_on(self, run, back):
        """Go on with one run by itself: for a stretch, or to its end."""
        runs, times = self.runs, np.array(self.batch.times, float)
        begin, end = float(runs.now[run]), float(times[-1])
        t_end = self.end_of_stretch(run, begin, end)
        solver = self.solver(run, begin)
        first, last = (int(np.searchsorted(times, t, "right")) for t in (begin, t_end))
        record, stopped = solver.run(t_end, times[first:last])
        result = Result(solver.compiled.system, solver.compiled, record, {})
        result.prepare(self.batch.channels)
        values = np.stack([result.numbers(name) for name in self.batch.channels], axis=1) if len(record.t) else None
        samples, steps = slice(first, first + len(record.t)), int(solver.facts()["steps"])
        piece = Piece(samples, values, record.y, steps, stopped or "")
        self.pieces.setdefault(run, []).append(piece)
        self.steps[run] += runs.steps[run]
        runs.steps[run] = 0
        if stopped or t_end >= end:
            runs.outcome[run] = at.DONE
            return
        self.keep_state(run, solver)
        runs.outcome[run] = at.NOT_BEGUN
        back.append(run)

    def end_of_stretch(self, run, begin, end):
        visits = len(self.pieces.get(run, ()))
        comes_back = self.runs.outcome[run] in PASSING and self.engine.solver.adaptive
        later = begin + FIRST_STRETCH * LONGER**visits * end
        return later if comes_back and later < end else end

    def solver(self, run, begin):
        """At the last accepted state of a run."""
        from mekane.solvers.entries.calls import evaluate_kinematics, follow
        from mekane.solvers.solver import Solver

        engine, varied = self.engine, {name: values[run] for name, values in self.batch.varied.items()}
        system = engine.varied.at(varied)
        settings = {name: x for name, x in self.batch.settings.items() if name not in ("formulation", "progress")}
        settings.setdefault("code", "auto")
        compiled, made = compile_system(system, engine.formulation), made_code(system, engine.formulation)
        solver = Solver(compiled, self.runs.start[run], t=begin, made=made, **settings)
        measured = engine.model.traced.measured
        if measured:  # their whole turns
            solver.workspace.measurement[measured] = self.runs.parameters[run, : len(measured)]
            evaluate_kinematics(solver.handle, begin, solver.y, solver.workspace.measurement)
            follow(solver.handle, begin, solver.workspace.measurement)
        return solver

    def keep_state(self, run, solver):
        """Where lanes take the run again."""
        runs, measured, W = self.runs, self.engine.model.traced.measured, solver.workspace
        runs.now[run], runs.start[run] = solver.t, solver.y
        if measured:
            known = [*W.measurement[measured], *W.measurement_rate[measured], W.measurement_time[0]]
            runs.parameters[run, : len(known)] = known

    def put_into(self, found):
        """The pieces in their places among the results of all runs."""
        for run, pieces in self.pieces.items():
            for piece in pieces:
                if piece.values is not None:
                    found.values[run, piece.samples] = piece.values
                    found.states[run, piece.samples] = piece.states[:, : found.states.shape[2]]
                found.steps[run] += piece.steps
                if piece.stopped:
                    found.messages[run], found.outcome[run] = piece.stopped, outcome_of(piece.stopped)
                    found.values[run, piece.samples.stop :] = np.nan
            found.steps[run] += self.steps[run]
        for run, message in self.failed.items():
            found.outcome[run], found.messages[run], found.values[run] = FAILED, message, np.nan
