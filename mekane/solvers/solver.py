"""Solver: a state that steps through time. Method and step may change at any time during a run, as in the thesis [T
5.5.6]."""

import time
from functools import cached_property
from numbers import Real

import numpy as np

from mekane.compiler.coordinates import joint_values
from mekane.errors import ModelError, SimulationError
from mekane.expressions.time_laws import displaced
from mekane.model.traced_functions import refuse_changed
from mekane.model.values.units import positive as positive_quantity
from mekane.numba_backend.bound import bound
from mekane.solvers import integrators
from mekane.solvers import state as at
from mekane.solvers.chatter import what_chatters
from mekane.solvers.constraints import embedding
from mekane.solvers.constraints.sudden_motions import sudden_motions
from mekane.solvers.diagnostics import diagnose_inertia, refuse_not_finite
from mekane.solvers.entries import precompile
from mekane.solvers.hybrid.guards import (
    comparisons_of,
    conditions_of,
    guard_registers,
    guards_of_contacts,
    keep_decided,
)
from mekane.solvers.hybrid.phases import Phases
from mekane.solvers.random_laws import refuse_random
from mekane.solvers.saved_state import restore, solver_from, state_of
from mekane.solvers.specialised.hand_over import FIRST, HandOver
from mekane.solvers.state import GUARDS, Record, scratch
from mekane.tables.callbacks import Callbacks, ChangesItsMind
from mekane.tables.columns import S_DI
from mekane.tables.tables import N_ACTIVE

RTOL, ATOL = 1e-9, 1e-12
RESIDUAL = 1e-8  # in place of RTOL for methods with impulses
LOWEST_BOUNCE = 1e-9  # m or rad: bounces lower than this are closed  (N.13)
LOOSE = 1e-4  # rtol: from there on a method of order 5 takes fewer evaluations than one of order 8
WATCHFUL = 200  # steps at least, where laws compare the state, so that no change of sides is stepped over
AHEAD = 100.0  # steps of Solver.step: so far laws of time are looked through at once
CALL_SECONDS = 0.2  # a compiled loop returns about this often, to show progress and to notice Ctrl-C
MANY_STEPS, LITTLE = 300_000, 1e-6  # a run that takes so many steps for so little of its time would never end

MESSAGES = {
    at.STEP_VANISHED: "the step became too small to go on: the motion has a singularity here, or a law is not smooth",
    at.NOT_FINITE: "the state is no longer finite: the step is too long for this method, or a law gives no number here",
    at.IS_NOISY: "the motion hardly goes on: round-off near a singular position or noise in a law sets the step",
    at.NO_CONVERGENCE: "the implicit equations of a step found no solution, however short the step",
    at.NO_PROGRESS: f"{MANY_STEPS:.0e} steps brought it hardly any further: a law switches again and again here, or is not smooth",
}


class Solver:
    """The motion of a compiled model from a consistent state y0 = (q, u, integrals, work) on.

    step(dt) advances by dt: one step of a fixed-step method, as many as needed of an adaptive one.
    `method`, `step_size`, `rtol`, `atol` and `correct` may be set between calls. state: of another solver of this model
    (saved_state.py). copied: controllers that are objects are copied, not used themselves.
    """

    def __init__(
        self, compiled, y0, *, t=0.0, method="auto", rtol=None, atol=None, step=None, correct=True, constraints="multipliers",
        independent=None, code="loops", made=None, state=None, copied=False, impacts="simultaneous", painleve="impact",
    ):  # fmt: skip
        self.compiled, self.y = compiled, np.array(y0, float)
        # a solver's own callbacks stand there
        self.tables = compiled.tables._replace(count=compiled.tables.count.copy())
        self.constraints = embedding.find_way(constraints, independent)
        self.workspace = compiled.workspace(embedded=constraints == "embedded")
        self.callbacks = Callbacks(compiled.program, self.tables)
        self._impulsive = is_impulsive(method, constraints)
        self.code = HandOver("loops" if self._impulsive else code, made)
        self.step_state = np.zeros(at.N_STEP_STATE)
        self.counters = np.zeros(at.N_COUNTERS + len(self.workspace.modes), np.int64)
        self.step_state[at.NOW] = t
        self.notes, self.unresolved = [], False  # unresolved: a law of time changes too fast to be looked through
        self.time_laws = compiled.laws_of_time()
        self.rtol = positive("rtol", rtol, RESIDUAL if self._impulsive else RTOL)
        self.atol, self.correct = positive("atol", atol, ATOL), correct
        self.step_size = None if step is None else positive_quantity(step, "time", "solver", "step")
        self._watchful = WATCHFUL
        # spacings of floats by which instants of laws of time are moved, to see what rounding them does
        self.displaced = 0.0
        self.lowest_bounce = LOWEST_BOUNCE
        self.discrete = self.workspace.r[compiled.discrete_registers]  # inputs, variables, what is active
        self.phases = Phases(self, copied, impacts, painleve, self._impulsive)
        self._last_call = None, (), None
        self.end = None  # state from which a run that has ended goes on to a later time (end_state.py)
        self.step_state[at.NEXT_TICK] = np.inf
        self.conditions = conditions_of(compiled)
        self.method = method
        self._in_laws, self._in_conditions, self._what_changes = comparisons_of(compiled, self.time_laws)
        self.events = np.zeros((0, 4), np.int64)
        self._look_ahead(self.t, self.t)
        self.begun = self.t, 0, 0  # time, evaluations and steps where the present run began
        if state is None:
            self.start(independent)
        else:
            restore(self, *state)

    def __reduce__(self):
        """Copies and other processes get the state, and find addresses of memory anew."""
        return solver_from, (self.compiled, *state_of(self))

    @property
    def t(self):
        return float(self.step_state[at.NOW])

    @property
    def method(self):
        return self._name

    @method.setter
    def method(self, name):
        self.auto = name == "auto"
        module = integrators.find(self._explicit if self.auto else name)
        self._name, self._tableau = name, module.method
        self._implicit = getattr(module, "implicit", False)
        if getattr(module, "impulsive", False) != self._impulsive:
            raise ModelError(
                "method",
                f"it becomes {name!r} during a run",
                "a run is by method 'moreau' from its start to its end, or not at all",
            )
        self.adaptive = len(self._tableau.error) > 0
        self.step_state[at.STEP] = 0.0
        n_u, n_measurements = self.compiled.n_u, len(self.tables.row_i)
        n_unknown = self.compiled.n_q + n_u + len(self.compiled.integrals)
        before = self.__dict__.get("scratch")
        self.scratch = scratch(
            len(self.y),
            n_unknown,
            n_u,
            n_measurements,
            len(self.workspace.modes),
            self._tableau,
            self._implicit,
            len(self.compiled.events),
            n_inertias=n_u,
        )
        if before is not None:  # another method goes on with the same events
            for name in GUARDS:
                getattr(self.scratch, name)[:] = getattr(before, name)

    @property
    def _explicit(self):
        """The method of `auto` for motion that is not stiff: where contact laws end steps often and tolerances are loose, one
        of fewer stages."""
        many_events = bool(self.compiled.system.contact_laws) and self.rtol >= LOOSE
        return "dopri5" if many_events else "dop853"

    @cached_property
    def joint_places(self):
        """Where impulses in joints and constraints are reported."""
        from mekane.solvers.hybrid.joint_places import JointPlaces

        return JointPlaces(self.compiled)

    @property
    def independent(self):
        """Names of the speeds that equations of motion are written for: with embedded constraints, speeds less active
        rows."""
        return embedding.independent_speeds(self)

    def start(self, independent=None):
        """Begin at the given state: choose the rows to activate and the independent speeds, find every measurement."""
        from mekane.solvers.constraints.weak_rows import judge_weak_rows
        from mekane.solvers.entries.addresses import open_model
        from mekane.solvers.entries.calls import evaluate_inertias, evaluate_kinematics, follow

        self.handle = open_model(self.tables, self.workspace, self.constraints, self._impulsive)
        evaluate_kinematics(self.handle, self.t, self.y, self.workspace.measurement)
        self._count_turns_of_screws(evaluate_kinematics)
        follow(self.handle, self.t, self.workspace.measurement)
        evaluate_inertias(self.handle, 1.0, self.y)
        diagnose_inertia("motion", self.compiled, self.workspace)  # such a speed has no equation of motion
        self.scratch.inertia[:] = 1.0 / self.workspace.speed[:, S_DI]
        judge_weak_rows(self.handle, self.tables, self.workspace, self.t, self.y)
        if self.constraints == "embedded":
            embedding.partition_at_start(self, independent)
        self.code.start(self)
        self.phases.start()

    def _count_turns_of_screws(self, evaluate_kinematics):
        """A measurement knows whole turns only from before; for a screw they follow from its displacement."""
        measurements = self.compiled.pairs.measurement
        screws = {
            name
            for name, _ in measurements
            if any(primitive.kind == "screw" for primitive in self.compiled.system.joints[name].primitives())
        }
        if screws:
            from mekane.solvers.constraints.assembly import poses_of

            poses = poses_of(self.compiled, self.workspace)
            for (name, coordinate), row in measurements.items():
                if name in screws:
                    self.workspace.measurement[row] = joint_values(self.compiled.system.joints[name], poses)[coordinate]
            evaluate_kinematics(self.handle, self.t, self.y, self.workspace.measurement)

    def step(self, dt):
        """Advance by dt and return the new time."""
        if not dt > 0:
            raise ModelError("solver", f"dt is {dt!r}", "time goes forward: dt must be positive")
        fixed, self._watchful = None if self.adaptive else dt, 4
        _, stopped = self.run(self.t + dt, np.array([]), fixed)
        self._watchful = WATCHFUL
        if stopped:
            raise SimulationError(stopped)
        return self.t

    def run(self, t_end, samples, fixed=None, progress=None, checkpoint=None, keep_end=False):
        """Advance to t_end, recording at the sampled times. On Ctrl-C and on failure what was computed is kept and
        reported. keep_end: keep the state from which it could go on (`end`)."""
        refuse_changed(self.compiled.traced_functions)
        self._set_step_state(t_end, fixed)
        self.counters[at.SAMPLE], self.counters[at.OUTCOME] = 0, at.UNDERWAY
        self.begun = self.t, int(self.counters[at.EVALUATIONS]), int(self.counters[at.STEPS])
        return self.go_on(self.empty_record(samples), progress, checkpoint, keep_end)

    def resume(self, t_end, record, progress=None):
        """Go on with a run that has ended, from its `end`, to a later time. record: `empty_record` of all times, with the
        samples so far."""
        refuse_changed(self.compiled.traced_functions)
        self.step_state[at.END] = t_end
        if self.counters[at.OUTCOME] != at.IS_STIFF:
            self.counters[at.OUTCOME] = at.UNDERWAY
        self.code.judge_again()
        self._look_ahead(self.looked_from, t_end)
        self.counters[at.STOP] = 0
        return self.go_on(record, progress, keep_end=True)

    def go_on(self, record, progress=None, checkpoint=None, keep_end=False):
        """The rest of a run that was begun. record: `empty_record` of its times, with the samples so far."""
        stopped, begun, self._looked_back = None, self.begun[0], (self.t, self._steps_and_events())
        self.end, self.counters[at.KEEP_END], self.phases.busy = None, keep_end, False
        interrupted, whole = self._run_loop(record, progress, checkpoint, keep_end)
        if whole:
            self._keep_end(keep_end)
        if interrupted:
            stopped = f"stopped by the user at t = {self.t:.6g} s"
            if checkpoint is not None and whole:
                checkpoint.keep(self, record, now=True)
        elif self.counters[at.OUTCOME] in MESSAGES:
            stopped = f"stopped at t = {self.t:.6g} s: {MESSAGES[int(self.counters[at.OUTCOME])]}"
            if self.t == begun and self.callbacks.error is None:
                self._refuse_not_finite()
        if isinstance(self.callbacks.error, ChangesItsMind):
            refuse_random(self.compiled, self.callbacks.error)
        if self.callbacks.error is not None:
            error = self.callbacks.error
            raise SimulationError(f"a Python function of the model failed at t = {self.t:.6g} s: {error!r}") from error
        n = int(self.counters[at.SAMPLE])
        return Record(*(array[:n] for array in record)), stopped

    def _run_loop(self, record, progress, checkpoint, keep_end):
        """Whether Ctrl-C ended the loop, and whether the state is whole: no event was under way, and no function of the
        model was called that gives no numbers any more."""
        interrupted = False
        try:
            with self.callbacks.keeping_interrupts(
                bool(self.phases.events or self.phases.controllers or self.phases.contacts)
            ):
                self._loop(record, progress, checkpoint, keep_end)
        except KeyboardInterrupt:
            interrupted = True
        whole = not self.phases.busy and not (self.callbacks.called and self.callbacks.error is not None)
        if isinstance(self.callbacks.error, KeyboardInterrupt):
            interrupted, self.callbacks.error = True, None
        return interrupted, whole

    def _keep_end(self, wanted):
        """The state from which the run could go on, if that is wanted: here, or where it was kept before."""
        if wanted and self.end is None:
            from mekane.solvers.end_state import end_state

            self.end = end_state(self)

    def _refuse_not_finite(self):
        """Nothing was computed: if there are no accelerations where it stands, say why."""
        from mekane.solvers.entries.calls import rhs

        yd = np.zeros(len(self.y))
        rhs(self.handle, self.t, self.y, yd)
        if not np.isfinite(yd).all():
            refuse_not_finite("motion", self.compiled, self.workspace)

    def facts(self):
        """How the run went so far, in plain numbers."""
        places = dict(steps=at.STEPS, rejected=at.REJECTED, evaluations=at.EVALUATIONS, switches=at.EVENTS)
        numbers = {name: int(self.counters[place]) for name, place in places.items()}
        active = int(self.workspace.state[N_ACTIVE])
        contacts = self.phases.contacts.settings() if self.phases.contacts else {}
        settings = contacts | dict(method=self.method, rtol=self.rtol, atol=self.atol, step=self.step_size)
        settings |= dict(correct=bool(self.correct), adaptive=self.adaptive) | embedding.facts(self) | self.code.facts()
        found = dict(
            largest_correction=float(self.step_state[at.LARGEST_PROJECTION]),
            rows=self.compiled.n_rows,
            rows_held=active,
            unresolved=self.unresolved,
            chatter=what_chatters(self),
        )
        return settings | numbers | found

    def needed_registers(self, register):
        """Registers of the tape that one is computed from, itself included."""
        return self.time_laws.needed(register)

    def empty_record(self, samples):
        """Space for samples at these times."""
        n = len(samples)
        widths = len(self.y), len(self.tables.row_i), len(self.compiled.discrete)
        return Record(np.array(samples, float), *(np.zeros((n, width)) for width in widths))

    def _set_step_state(self, t_end, fixed):
        step_state, counters = self.step_state, self.counters
        step_state[at.END], step_state[at.RTOL], step_state[at.ATOL] = t_end, self.rtol, self.atol
        counters[at.STOP] = counters[at.STIFF] = counters[at.SMOOTH] = counters[at.STUCK] = counters[
            at.GRID
        ] = counters[at.FRESH] = counters[at.NOISY] = 0
        counters[at.PROJECT], counters[at.WATCH] = self.correct, self.auto and not self._implicit
        step_state[at.BASE] = step_state[at.NOW]
        step_state[at.STEP_MAX] = np.inf
        self.phases.ended_by = ""
        self._look_ahead(step_state[at.NOW], t_end)
        if self.adaptive:
            if self.step_size is not None:
                step_state[at.STEP_MAX] = self.step_size
            elif len(self.events):
                step_state[at.STEP_MAX] = max(t_end - step_state[at.NOW], 1e-12) / self._watchful
        else:
            step_state[at.STEP] = step_state[at.STEP_MAX] = fixed or self.step_size or 0.0
            if not step_state[at.STEP] > 0.0:
                problem = "it is missing" if self.step_size is None else f"it is {self.step_size!r}"
                raise ModelError(
                    "step", problem, f"method {self.method!r} has a fixed step", "Give step=, for example step=1e-3."
                )

    def _look_ahead(self, begin, end):
        """Where steps shall end, and which comparisons must be watched: what laws of time alone will do is known."""
        program = self.compiled.program
        self.event_times, watched = program.event_times(self.rtol), ~np.array(program.event_is_time, bool)
        self.looked_from = float(begin)
        if self.adaptive and end > begin:
            found = self.time_laws.between(self.workspace.r, begin, end, AHEAD if self._watchful < WATCHFUL else 1.0)
            self.event_times, watched = np.unique(np.concatenate([self.event_times, found.event_times])), found.watched
            self.looked_from = self.time_laws.known[1] if self.time_laws.known else self.looked_from
            if self.displaced and not self._in_conditions.any():  # an event stays where samples may show what it does
                changes = np.concatenate([program.event_times(np.finfo(float).max), found.changes])
                self.event_times = displaced(self.event_times, changes, self.displaced)
            self.notes += [note for note in found.notes if note not in self.notes]
            self.unresolved |= bool(found.notes) and self.step_size is None
        self._look_for_sudden_motions(begin, end)
        watched = np.concatenate([watched, np.full(len(program.discontinuity_registers), self.adaptive)])
        of_events = self._in_conditions[~self.phases.done].any(axis=0)
        # laws change within fixed steps
        self._watch(np.flatnonzero(watched & (self._in_laws | of_events) if self.adaptive else of_events))

    def _look_for_sudden_motions(self, begin, end):
        """Positions that jump are refused. Where speeds do, the motion is followed, but the impact is not resolved."""
        for what, error in sudden_motions(self.compiled, self.time_laws, self.workspace.r, begin, end):
            if what == "position":
                raise error
            self.notes += [f"{error.part}: {error.problem}; what that impact takes is not known."]
            self.unresolved = True

    def _watch(self, watched):
        """Locate these comparisons and jumps from here on."""
        guards = guards_of_contacts(self.compiled)[: 0 if self._impulsive else None]
        keep = np.concatenate([watched, len(self._what_changes) + np.arange(len(guards))])
        for kept in (self.scratch.decided, self.scratch.slack):
            keep_decided(kept, self.events[:, at.MODE], keep)
        registers = guard_registers(self.compiled.program)[watched]
        comparisons = np.stack([registers, watched, self._what_changes[watched], 0 * watched], axis=1)
        self.events = np.concatenate([comparisons, guards]).astype(np.int64)

    def _loop(self, record, progress, checkpoint, keep_end):
        """Call the compiled loop until the end. How long a call is depends on the clock, so nothing else may depend on
        it."""
        most = FIRST
        while True:
            self._choose_method_and_code()
            begun = time.perf_counter()
            self._call_loop(
                self.handle, self._tableau, self.scratch, self.y, self.step_state, self.counters,
                record, self.event_times, self.events, self.conditions, self.phases.controllers.clocks,
                most if self.code.judged else max(1, FIRST - self._steps()),
            )  # fmt: skip
            took = time.perf_counter() - begun
            precompile.done(self._loop_file)
            left_early = self.counters[at.OUTCOME] in (at.EVENT, at.TICK, at.ENDING)
            ended = self._after_call(record, keep_end)
            if progress is not None:
                progress(self.t, record, int(self.counters[at.SAMPLE]))
            if ended or self.callbacks.error is not None:
                return
            if self._makes_no_progress():
                self.counters[at.OUTCOME] = at.NO_PROGRESS
                return
            if checkpoint is not None:
                checkpoint.keep(self, record)
            if left_early:
                continue
            most = int(min(max(most * min(10.0, CALL_SECONDS / max(took, 1e-6)), 10), 1_000_000))

    def _call_loop(self, *arguments):
        """One call of the compiled loop. Where events are many it mostly has the same arrays as the last: these are described once."""
        advance, (called, last, call) = self._advance(), self._last_call
        if self._impulsive:  # which makes more memory where it must
            advance(*arguments)
            return
        if advance is not called or any(one is not before for one, before in zip(arguments, last, strict=True)):
            call = bound(advance, *arguments)
            self._last_call = advance, arguments, call
        call()

    def _after_call(self, record, keep_end):
        """What the compiled loop was left for. True: the run is over."""
        if self.callbacks.called and self.callbacks.error is not None:
            return True
        self.phases.note_true_at_start()
        if self.counters[at.OUTCOME] == at.ENDING:
            self._keep_end(keep_end)
            self.counters[at.OUTCOME] = at.UNDERWAY
        elif self.counters[at.OUTCOME] in (at.EVENT, at.TICK) and self.phases.between(record):
            self._keep_end(keep_end)
            self._end_here(record)
        return self.counters[at.OUTCOME] not in (at.UNDERWAY, at.IS_STIFF)

    def discrete_state_changed(self):
        """Laws of time may switch at other instants from here on, and other comparisons matter."""
        self._look_ahead(self.step_state[at.NOW], self.step_state[at.END])
        self.counters[at.STOP] = 0

    def rewrite_samples(self, record):
        """A sample at the instant of an event shows the state after it."""
        i = int(self.counters[at.SAMPLE]) - 1
        if i >= 0 and record.t[i] >= self.t - 1e-12 * max(1e-3 * abs(self.t), 1e-300):
            self._write_sample(record, i)

    def _write_sample(self, record, i):
        from mekane.solvers.entries.calls import evaluate_kinematics

        record.y[i], record.discrete[i] = self.y, self.discrete
        if record.measurement.shape[1]:
            evaluate_kinematics(self.handle, self.t, self.y, record.measurement[i])

    def _end_here(self, record):
        """An event ends the motion: its instant is the last sample."""
        i = int(self.counters[at.SAMPLE])
        if i < len(record.t) and not (i and record.t[i - 1] >= self.t):
            record.t[i] = self.t
            self._write_sample(record, i)
            self.counters[at.SAMPLE] += 1
        self.counters[at.OUTCOME] = at.FINISHED

    def _makes_no_progress(self):
        """True if very many steps have brought the time hardly on."""
        t, steps = self._looked_back
        if self._steps_and_events() - steps <= MANY_STEPS:
            return False
        self._looked_back = self.t, self._steps_and_events()
        return self.t - t < LITTLE * (self.step_state[at.END] - self.begun[0])

    def _steps_and_events(self):
        """So far; an event may take no time, and then no step."""
        return int(self.counters[at.STEPS] + self.counters[at.EVENTS])

    def _steps(self):
        """Of this run, so far."""
        return int(self.counters[at.STEPS]) - self.begun[2]

    def _choose_method_and_code(self):
        """Decided by the state alone, so that a run goes on the same wherever it was interrupted."""
        if self.counters[at.OUTCOME] == at.IS_STIFF:
            self._turn_implicit()
        if not self.code.judged and self._steps() >= FIRST:
            t, evaluations, _ = self.begun
            share = (self.t - t) / (self.step_state[at.END] - t)
            self.code.judge(
                self, (int(self.counters[at.EVALUATIONS]) - evaluations) * (1.0 / share - 1.0) if share > 0.0 else 0.0
            )

    def _turn_implicit(self):
        self.method = "implicit"
        self._set_step_state(self.step_state[at.END], None)
        self.notes.append(f"stiff from t = {self.t:.4g} s on: went on with the implicit method")
        self.counters[at.OUTCOME] = at.UNDERWAY

    @property
    def _loop_file(self):
        if self._impulsive:
            return "solvers/moreau/loop"
        return "solvers/implicit" if self._implicit else "solvers/explicit"

    def _advance(self):
        """The compiled loop of the method in use; imported lazily, because loading compiled code takes time."""
        if self._impulsive:
            return self.phases.contacts.advance
        if self._implicit:
            precompile.announce("solvers/implicit", "the implicit method")
            from mekane.solvers.implicit import advance
        else:
            precompile.wait_for("solvers/explicit")
            from mekane.solvers.explicit import advance
        return advance


def is_impulsive(method, constraints):
    """Whether a method goes through impacts by steps, without events."""
    found = method != "auto" and getattr(integrators.find(method), "impulsive", False)
    if found and constraints == "embedded":
        raise ModelError(
            "constraints",
            "they are 'embedded'",
            f"method {method!r} has multipliers",
            'Leave out constraints="embedded".',
        )
    return found


def positive(name, value, default):
    if value is None:
        return default
    if isinstance(value, bool) or not (isinstance(value, Real) and 0 < value < np.inf):
        raise ModelError(name, f"it is {value!r}", "a positive number is expected", f"Leave it out for {default:g}.")
    return float(value)
