"""Many runs on the lanes of vector registers, by all cores: the engine behind sweeps and batches.

A run's numbers do not depend on its neighbours, its lane, the number of lanes and threads, or the order of runs. A run
that cannot go on in its lane is computed by itself.
"""

import numpy as np

from mekane.analyses.batch.lane_model import LaneModel, NotOnLanes
from mekane.analyses.batch.runs import DONE, MISSING, TOO_LONG, Runs
from mekane.analyses.batch.single_run import result_of, run_alone
from mekane.analyses.batch.starts import assembled_starts
from mekane.analyses.batch.stops import stops_of
from mekane.analyses.simulate import initial_solver
from mekane.codegen.lanes.lane_code import PREPARE
from mekane.solvers import integrators
from mekane.solvers.constraints.projection import ORDINARY, WEAK
from mekane.solvers.error_control import POWER
from mekane.solvers.lanes import lane_state as at
from mekane.solvers.lanes.step_code import step_functions, stride_of
from mekane.solvers.lanes.threads import lanes_of_processor, prepare_runs, run_on_threads

KNOWN = ("method", "rtol", "atol", "step", "formulation", "code", "correct", "constraints", "progress")
MOST_STEPS = 3_000_000
LONG = f"stopped after {MOST_STEPS} steps: it would take very long"


def run_on_lanes(batch, threads=None, lanes=None, progress=None) -> Runs:
    """All runs of a batch. NotOnLanes says why they cannot be on lanes.

    threads: by default one for each core. lanes: by default as many as the processor has. progress(ended, runs): called
    now and then. After Ctrl-C runs that have not ended are MISSING."""
    engine = LaneEngine(batch, lanes or lanes_of_processor())
    return engine.run(threads, progress)


class LaneEngine:
    """Code and inputs of a batch."""

    def __init__(self, batch, lanes):
        self.batch, self.lanes = batch, lanes
        self.method, self.tableau = method_of(batch.settings)
        settings = {name: x for name, x in batch.settings.items() if name in KNOWN and name not in ("code", "progress")}
        self.solver, assembly = initial_solver(batch.system, code="loops", **settings)
        self.model = LaneModel(
            batch.system, batch.varied, self.solver, assembly, stride_of(self.tableau), batch.channels
        )
        self.machine = self.model.code.compile(lanes)

    @property
    def addresses(self):
        names = ("rhs", "project_positions", "project_speeds", "measure", "channels")
        own = [self.machine.address(name) if name in self.model.code.functions else 0 for name in names]
        return np.concatenate([own, step_functions(self.method, self.lanes)[1]]).astype(np.int64)

    def inputs(self):
        """Initial states and parameters p of all runs."""
        varied = np.array(list(self.batch.varied.values()), float).reshape(-1, self.batch.count).T
        n_p, n = len(self.model.code.prepared), len(self.solver.y)
        found = prepare_runs(
            self.machine.address(PREPARE), np.ascontiguousarray(varied), n_p + len(self.model.start or ()), self.lanes
        )
        parameters = np.hstack([self.measurements(), found[:, :n_p]])
        if self.model.start is None:
            return assembled_starts(self.batch, self.solver.compiled.formulation, n), parameters
        return np.ascontiguousarray(found[:, n_p:]), parameters

    def measurements(self):
        """Those at the start, from where turns are counted, with no rates, at time zero: the same for all runs."""
        traced = self.model.traced
        found = np.zeros(traced.n_measured)
        found[: len(traced.measured)] = self.solver.compiled.initial_measurements[traced.measured]
        return np.tile(found, (self.batch.count, 1))

    def settings(self):
        found, solver, compiled = np.zeros(at.N_SETTINGS), self.solver, self.solver.compiled
        found[[at.RELATIVE, at.ABSOLUTE, at.MOST_STEPS]] = solver.rtol, solver.atol, MOST_STEPS
        found[at.LARGEST_STEP] = solver.step_size or np.inf
        found[at.N_ERROR] = compiled.n_q + compiled.n_u + len(compiled.integrals)
        found[at.WEAK] = WEAK * min(1.0, float(solver.workspace.regularization[1]) / ORDINARY)
        found[at.WATCH] = solver.auto
        return found

    def runs(self):
        """The arrays of the time loop."""
        count, samples, channels = self.batch.count, len(self.batch.times), self.model.channels
        start, parameters = self.inputs()
        return at.LaneRuns(
            order=np.arange(count),
            start=start,
            parameters=parameters,
            times=np.array(self.batch.times, float)[None],
            stops=stops_of(self.model.symbolic, self.batch.varied, float(self.batch.times[-1]), self.solver.rtol),
            values=np.full((count, samples, channels.width), np.nan),
            states=np.full((count, samples, len(self.solver.y) if channels.missing else 0), np.nan),
            outcome=np.zeros(count, np.int64),
            steps=np.zeros(count, np.int64),
        )

    def arguments(self, runs):
        """What the threads need to integrate these runs."""
        return self.addresses, self.tableau, self.settings(), runs, self.lanes, self.model.traced.n_measured

    def run(self, threads=None, progress=None):
        runs, count = self.runs(), self.batch.count
        report = None if progress is None else lambda ended: progress(ended, count)
        finished = run_on_threads(*self.arguments(runs), threads, report)
        return self.collected(runs, finished)

    def collected(self, runs, finished):
        """What came of the runs; those that left their lanes are computed by themselves, unless Ctrl-C was pressed."""
        batch = self.batch
        values = np.full((batch.count, len(batch.times), len(batch.channels)), np.nan)
        for k, name in enumerate(batch.channels):
            if name in self.model.channels.found:
                values[:, :, k] = self.model.channels.found[name].of(runs.values)
        if self.model.channels.missing:
            self.add_missing(values, runs)
        outcome = np.where(runs.outcome == at.DONE, DONE, MISSING)
        messages = {}
        for run in np.flatnonzero(runs.outcome != at.DONE) if finished else ():
            if runs.outcome[run] == at.TOO_LONG:
                outcome[run], messages[int(run)] = TOO_LONG, LONG
                continue
            values[run], outcome[run], runs.steps[run], why = run_alone(batch, run)
            messages |= {int(run): why} if why else {}
        return Runs(values, outcome, runs.steps, messages)

    def add_missing(self, values, runs):
        """Channels that have no code, from a Result of each run."""
        for run in np.flatnonzero(runs.outcome == at.DONE):
            result = result_of(self.batch, run, self.solver.compiled.formulation, runs.states[run])
            for name in self.model.channels.missing:
                values[run, :, self.batch.channels.index(name)] = result.numbers(name)


def method_of(settings):
    """Name and tableau of an explicit method."""
    for name, given in settings.items():
        usual = {"correct": True, "constraints": "multipliers"}
        if (name not in KNOWN and given is not None) or given != usual.get(name, given):
            raise NotOnLanes(f"{name}={given!r} is for runs one by one")
    method = settings.get("method") or "auto"
    module = integrators.find("dop853" if method == "auto" else method)
    if getattr(module, "implicit", False) or getattr(module, "impulsive", False):
        raise NotOnLanes(f"method {method!r} is not explicit")
    if len(module.method.error) and module.method.numbers[POWER] != 8:
        raise NotOnLanes(f"the error of method {method!r} has not the power 8 of the step")
    return "dop853" if method == "auto" else method, module.method
