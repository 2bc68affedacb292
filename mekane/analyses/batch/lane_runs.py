"""Many runs on the lanes of vector registers, by all cores: the engine behind sweeps and batches.

A run's numbers do not depend on its neighbours, its lane, the number of lanes and threads, or the order of runs. A run
that cannot go on in its lane is taken on by the engine of mk.simulate (leaving.py), or computed by it from its start.
"""

from copy import copy

import numpy as np

from mekane.analyses.batch.lane_assembly import lane_assembly
from mekane.analyses.batch.lane_channels import NotOnLanes
from mekane.analyses.batch.lane_model import LaneModel
from mekane.analyses.batch.leaving import Leaving
from mekane.analyses.batch.one_by_one import in_threads, run_into, sentence
from mekane.analyses.batch.run_errors import run_with_errors
from mekane.analyses.batch.runs import DONE, FAILED, MISSING, TOO_LONG, Runs, empty_runs
from mekane.analyses.batch.starts import assembled_starts
from mekane.analyses.batch.stops import stops_of
from mekane.analyses.batch.validity import invalid_runs
from mekane.analyses.batch.varied_system import VariedSystem
from mekane.analyses.simulate import initial_solver
from mekane.codegen.lanes.lane_code import PREPARE
from mekane.compiler.compiler import compile_system
from mekane.expressions.graph import Expr, evaluate
from mekane.expressions.parse import symbol_name
from mekane.results.result import Result
from mekane.solvers import integrators
from mekane.solvers.constraints.projection import ORDINARY, WEAK
from mekane.solvers.error_control import POWER
from mekane.solvers.hybrid.guards import comparisons_of
from mekane.solvers.lanes import lane_state as at
from mekane.solvers.lanes.step_code import step_functions, stride_of
from mekane.solvers.lanes.threads import lanes_of_processor, over_runs, run_on_threads
from mekane.solvers.solver import WATCHFUL
from mekane.solvers.state import Record

KNOWN = ("method", "rtol", "atol", "step", "formulation", "correct", "constraints")
IGNORED = ("code", "progress")  # they do not change the numbers
USUAL = {"correct": True, "constraints": "multipliers"}
# in the order of lane_state
FUNCTIONS = ("rhs", "project_positions", "project_speeds", "measure", "channels", "guards", "outcomes", "ticks")
FUNCTIONS += ("conditions", "sets")
ENDED = at.DONE, at.STOPPED
MOST_STEPS = 3_000_000
QUADRATIC = 3e-8  # share of the size of a mechanism whose square is round-off
LONG = f"stopped after {MOST_STEPS} steps: it would take very long"


def run_on_lanes(batch, threads=None, lanes=None, progress=None, made=None) -> Runs:
    """All runs of a batch. NotOnLanes says why they cannot be on lanes.

    threads: by default one for each core. lanes: by default as many as the processor has. progress(ended): called now and
    then with the number of runs that have ended. After Ctrl-C runs that have not ended are MISSING. made: see engine_of."""
    engine = engine_of(batch, lanes or lanes_of_processor(), made)
    if batch.error is None:
        return engine.run(threads, progress)
    return run_with_errors(engine, threads, progress)


def engine_of(batch, lanes, made=None):
    """A LaneEngine. made: {lanes: engine, or why there is none} of batches that differ in their numbers alone; what is
    there is used again."""
    made = {} if made is None else made
    if lanes not in made:
        try:
            made[lanes] = LaneEngine(batch, lanes)
        except NotOnLanes as error:
            made[lanes] = error
    if isinstance(made[lanes], NotOnLanes):
        raise made[lanes]
    return made[lanes].of(batch)


class LaneEngine:
    """Code and inputs of a batch."""

    def __init__(self, batch, lanes):
        self.batch, self.lanes, self.assemblies = batch, lanes, []
        self.method, self.tableau = method_of(batch.settings)
        self.formulation = batch.settings.get("formulation") or "joint"
        self.varied = VariedSystem(batch.system, list(batch.varied), self.formulation)
        settings = {name: x for name, x in batch.settings.items() if name in KNOWN and x is not None}
        self.solver, assembly = initial_solver(self.varied.base, code="loops", **settings)
        self.tolerances = dict(rtol=self.solver.rtol, atol=self.solver.atol, step=self.solver.step_size)
        self.model = self.make_model(assembly)
        self.machine, self.loops = self.model.code.compile(lanes), []
        self.keeps_states = bool(self.model.channels.missing)  # at samples

    def make_model(self, assembly):
        return LaneModel(self.varied, self.solver, assembly, stride_of(self.tableau), self.batch.channels)

    def of(self, batch, **tolerances):
        """The same code for other numbers, with the same tolerances but for these: rtol, atol, step."""
        found = copy(self)
        found.batch, found.loops = batch._replace(settings=batch.settings | tolerances), []
        found.tolerances = self.tolerances | tolerances
        return found

    @property
    def size(self):
        """Of the mechanism [m]."""
        return size_of(self.varied.base)

    def thread_code(self):
        """Addresses for one thread: of the functions of the model, then of those of a step."""
        loops = self.model.loop_code(self.lanes, stride_of(self.tableau))
        found = {name: self.machine.address(name) for name in self.model.code.functions}
        if loops is not None:
            self.loops.append(loops)
            found |= {name: loops.address(name) for name in loops.entries}
        own = [found.get(name, 0) for name in FUNCTIONS]
        return np.concatenate([own, step_functions(self.method, self.lanes)[1]]).astype(np.int64)

    def inputs(self):
        """Initial states and parameters p of all runs."""
        varied = np.array([self.batch.varied[name] for name in self.model.names], float)
        varied = np.ascontiguousarray(varied.reshape(-1, self.batch.count).T)
        n_p, n_start = len(self.model.code.prepared), len(self.model.start or ())
        found = over_runs(self.machine.address(PREPARE), varied, varied[:, :0], n_p + n_start, self.lanes)
        parameters = np.hstack([self.measurements(), self.discrete_values(), found[:, :n_p]])
        if self.model.start is None:
            return self.assembled(varied), parameters
        return np.ascontiguousarray(found[:, n_p:]), parameters

    def assembled(self, varied):
        """Initial states that assembly has to find."""
        if not self.assemblies:
            self.assemblies.append(lane_assembly(self.varied, self.model, size_of(self.varied.base), self.lanes))
        found = self.assemblies[0]
        if found is None:
            return assembled_starts(self.batch, self.varied, len(self.solver.y))
        return found.starts(varied, self.solver.compiled.start_memory)

    def measurements(self):
        """Those at the start, from where turns are counted, with no rates, at time zero: the same for all runs. After them
        space for outcomes of comparisons."""
        traced = self.model.traced
        found = np.zeros(traced.n_measured + traced.n_frozen)
        found[: len(traced.measured)] = self.solver.compiled.initial_measurements[traced.measured]
        return np.tile(found, (self.batch.count, 1))

    def discrete_values(self):
        """Values at the start of what controllers and events set."""
        names = {symbol_name(self.model.addresses[name]): self.batch.varied[name] for name in self.model.addresses}
        columns = [evaluate(x, names) if isinstance(x, Expr) else x for x in self.model.discrete]
        return np.stack([np.broadcast_to(x, self.batch.count) for x in [*columns, 0.0]], axis=1)[:, :-1]

    def settings(self):
        found, solver, compiled = np.zeros(at.N_SETTINGS), self.solver, self.solver.compiled
        rtol, atol, step = (self.tolerances[name] for name in ("rtol", "atol", "step"))
        found[[at.RELATIVE, at.ABSOLUTE, at.MOST_STEPS]] = rtol, atol, MOST_STEPS
        found[at.LARGEST_STEP] = step or np.inf
        found[at.N_ERROR] = compiled.n_q + compiled.n_u + len(compiled.integrals)
        found[at.FIRST_SPEED] = compiled.n_q
        found[at.WEAK] = WEAK * min(1.0, float(solver.workspace.regularization[1]) / ORDINARY)
        found[at.WATCH] = solver.auto
        found[at.WATCHFUL_STEP] = float(self.batch.times[-1]) / WATCHFUL if solver.step_size is None else np.inf
        found[at.FIRST_OUTCOME] = self.model.traced.n_measured
        found[at.FIRST_DISCRETE] = self.model.traced.n_measured + self.model.traced.n_frozen
        found[at.NEAR] = QUADRATIC * min(1.0, size_of(compiled.system))
        return found

    def runs(self):
        """The arrays of the time loop."""
        count, samples, state = self.batch.count, len(self.batch.times), len(self.solver.y) * self.keeps_states
        (start, parameters), stops = self.inputs(), self.stops()
        start[self.invalid()] = np.nan  # built alone, they say why
        in_laws, in_conditions, _ = comparisons_of(self.solver.compiled, self.solver.time_laws)
        compared = (in_laws | in_conditions.any(axis=0))[
            : stops.watched.shape[-1]
        ]  # jumps of floors are not located here
        watched = stops.watched & compared
        watched = watched if self.model.traced.n_frozen else watched[:, :0]
        clocks = self.solver.phases.controllers.clocks
        return at.LaneRuns(
            order=np.arange(count),
            now=np.zeros(count),
            start=start,
            parameters=parameters,
            times=np.array(self.batch.times, float)[None],
            stops=stops.instants,
            watched=watched.astype(np.int64),
            tick_times=clocks.times,
            write_first=clocks.first,
            waiting=clocks.waiting,
            **self.model.events,
            inertia=self.solver.scratch.inertia.copy(),
            values=np.full((count, samples, len(self.model.code.functions.get("channels", ()))), np.nan),
            states=np.full((count, samples, state), np.nan),
            outcome=np.zeros(count, np.int64),
            steps=np.zeros(count, np.int64),
        )

    def invalid(self):
        """Runs whose numbers make no system."""
        return invalid_runs(self.batch, self.varied)

    def stops(self):
        """Instants at which laws of time change, and comparisons that are located on the way."""
        numbers = {self.model.addresses[name]: self.batch.varied[name] for name in self.model.addresses}
        return stops_of(self.model.symbolic, numbers, float(self.batch.times[-1]), self.tolerances["rtol"])

    def arguments(self, runs):
        """What the threads need to integrate these runs."""
        return self.thread_code, self.tableau, self.settings(), runs, self.lanes, self.model.traced.n_measured

    def run(self, threads=None, progress=None):
        runs = self.runs()
        finished, leaving = run_on_threads(*self.arguments(runs), threads, progress), Leaving(self, runs)
        while finished and leaving.leaving():
            back = leaving.go_on(threads)
            finished = back is not None
            if back:
                finished = run_on_threads(*self.arguments(runs._replace(order=np.array(back))), threads)
        found = self.collected(runs)
        leaving.put_into(found)
        if finished:
            self.complete(found, runs.outcome, threads, progress)
        found.values[found.outcome == MISSING] = np.nan  # of runs under way when Ctrl-C was pressed
        return found

    def collected(self, runs):
        """What came of the runs on lanes."""
        batch, channels = self.batch, self.model.channels
        found = empty_runs(batch.count, len(batch.times), len(batch.channels), runs.states.shape[2])
        found.states[:] = runs.states
        for k, name in enumerate(batch.channels):
            if name in channels.found:
                found.values[:, :, k] = channels.found[name].of(runs.values)
        done = np.flatnonzero(np.isin(runs.outcome, ENDED))
        found.ends.update({int(run): float(runs.now[run]) for run in np.flatnonzero(runs.outcome == at.STOPPED)})
        for run in done if channels.missing else ():
            result = self.result_of(run, runs.states[run])
            for name in channels.missing:
                found.values[run, :, batch.channels.index(name)] = result.numbers(name)
        found.outcome[done], found.steps[:] = DONE, runs.steps
        for run in np.flatnonzero(runs.outcome == at.TOO_LONG):
            found.outcome[run], found.messages[int(run)] = TOO_LONG, LONG
        return found

    def result_of(self, run, states):
        """The Result of a run whose states are known, for channels that have no code."""
        system = self.varied.at({name: values[run] for name, values in self.batch.varied.items()})
        compiled = compile_system(system, self.formulation)
        measurement = np.zeros((len(states), len(compiled.tables.row_i)))
        discrete = np.repeat(compiled.workspace().r[compiled.discrete_registers][None], len(states), axis=0)
        return Result(compiled.system, compiled, Record(self.batch.times, states, measurement, discrete), {})

    def complete(self, found, outcome, threads, progress):
        """Compute runs that cannot be taken on, from their starts."""
        left = np.flatnonzero(~np.isin(outcome, (*ENDED, at.TOO_LONG)) & (found.outcome != FAILED)).tolist()
        ended = self.batch.count - len(left)
        report = None if progress is None else lambda done: progress(ended + done)
        found.values[left] = np.nan
        for run, error in in_threads(lambda k: run_into(found, self.varied, self.batch, k), left, threads, report):
            found.outcome[run], found.messages[run] = FAILED, sentence(error)


def size_of(system):
    """Largest distance between bodies or joints along an axis, as assembly has it [m]."""
    places = [body.position for body in system.bodies.values()] + [joint.p_AF for joint in system.joints.values()]
    return max(float(np.ptp(np.array(places, float), axis=0).max()), 1e-3)


def method_of(settings):
    """Name and tableau of an explicit method."""
    for name, given in settings.items():
        known = name in KNOWN or name in IGNORED or given is None
        if not known or (name in USUAL and given is not None and given != USUAL[name]):
            raise NotOnLanes(f"{name}={given!r} is for runs one by one")
    method = settings.get("method") or "auto"
    module = integrators.find("dop853" if method == "auto" else method)
    if getattr(module, "implicit", False) or getattr(module, "impulsive", False):
        raise NotOnLanes(f"method {method!r} is not explicit")
    if len(module.method.error) and module.method.numbers[POWER] != 8:
        raise NotOnLanes(f"the error of method {method!r} does not fall by the eighth power of the step")
    return "dop853" if method == "auto" else method, module.method
