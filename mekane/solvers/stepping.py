"""Stepping by hand: a solver goes on by dt, again and again. What does not change between steps is prepared once."""

import math

import numpy as np

from mekane.errors import ModelError, SimulationError
from mekane.solvers import state as at
from mekane.solvers.constraints.sudden_motions import given_by_time
from mekane.solvers.entries import precompile
from mekane.solvers.series import (
    EVALUATIONS_BEFORE,
    LARGEST,
    N_SERIES,
    NO_TIME,
    SERIES_ATOL,
    SERIES_RTOL,
    STEPS_BEFORE,
    T_BEFORE,
)
from mekane.solvers.specialised.hand_over import FIRST

WATCHFUL = 4  # steps at least in dt, where laws compare the state
NOT_ANY = np.zeros(0)


class Stepping:
    """Steps of a solver, which is left to this alone."""

    def __init__(self, solver):
        self.solver, self.series = solver, np.zeros(N_SERIES)
        self.begin = None  # record of the last step's beginning, after events and ticks there; None without such
        self._time, self._counters = memoryview(solver.step_state), memoryview(solver.counters)
        self.prepare()

    def prepare(self):
        """After anything of the solver but its state has changed."""
        solver, laws = self.solver, self.solver.time_laws
        self._call = None  # made before the next step
        self._looks = solver.adaptive and bool(laws)
        self._known_until = -math.inf if self._looks else math.inf
        self._code_after = solver.code.worth_after(solver.compiled)

    def step(self, dt):
        """Go on by dt."""
        if self._call is None or self._time[at.NOW] + dt > self._known_until:
            self._look_ahead(dt)
        outcome = self._call(self._address, dt, FIRST)
        if outcome != at.FINISHED:
            self._go_on(outcome, dt)
        if self._counters[at.EVALUATIONS] >= self._code_after:
            self.solver.code.use(self.solver)
            self.prepare()

    def inputs_changed(self):
        """Laws of time may switch at other instants from here on."""
        if self._looks:
            self._known_until = -math.inf

    # ---------------------------------------------------------------- before a step

    def _look_ahead(self, dt):
        """What laws of time alone will do is found; then the call is made that knows it."""
        solver, t = self.solver, self._time[at.NOW]
        if solver._implicit or solver._impulsive or solver.compiled.program.callbacks or has_events(solver):
            self._call, self._address, self._known_until = self._run, 0, math.inf  # a run looks ahead itself
            return
        with watchful(solver):
            solver._look_ahead(t, t + dt)
        if self._looks:
            sudden = given_by_time(solver.compiled, solver.time_laws)  # each step is looked through then
            self._known_until = t + dt if sudden else solver.time_laws.known[2]
        self._call, self._address = compiled_step(), self._listed()

    def _listed(self):
        """Address of the list of all that the compiled call needs."""
        from mekane.numba_backend.header import listed

        solver, series = self.solver, self.series
        series[SERIES_RTOL], series[SERIES_ATOL] = solver.rtol, solver.atol
        solver.counters[at.PROJECT], solver.counters[at.WATCH] = solver.correct, solver.auto
        series[LARGEST] = solver.step_size or (-1.0 / WATCHFUL if len(solver.events) else 0.0)
        loop = (
            solver.handle, solver._tableau, solver.scratch, solver.y, solver.step_state, solver.counters,
            solver.empty_record(NOT_ANY), solver.event_times, solver.events, solver.conditions,
            solver.phases.controllers.clocks,
        )  # fmt: skip
        self._arrays = series, loop
        self._numbers = np.array(listed(self._arrays), np.int64)  # both stay alive as long as the address is used
        return self._numbers.ctypes.data

    # ---------------------------------------------------------------- not by the compiled call

    def _run(self, _, dt, __):
        """A step as a run of its own: implicit methods, Python functions in laws, events and controllers."""
        from mekane.numba_backend.kernel import plain
        from mekane.solvers.step_call import end_of_step

        solver = self.solver
        end = float(plain(end_of_step)(solver.t, self.series, dt))
        if not end > solver.t:
            return NO_TIME
        samples = np.array([solver.t]) if has_events(solver) else NOT_ANY
        with watchful(solver):
            record, stopped = solver.run(end, samples, None if solver.adaptive else dt)
        self.begin = record if len(record.t) else None
        if stopped:
            raise SimulationError(stopped)
        return at.FINISHED

    def _go_on(self, outcome, dt):
        """The rest of a step that did not end within one call: as runs go on."""
        solver, before = self.solver, self.series
        if outcome == NO_TIME:
            problem = f"dt is {dt!r}, less than half the spacing of floats at t = {solver.t:g} s"
            raise ModelError("stepper", problem, "dt must move the time on")
        solver.begun = float(before[T_BEFORE]), int(before[EVALUATIONS_BEFORE]), int(before[STEPS_BEFORE])
        with watchful(solver):
            _, stopped = solver.go_on(solver.empty_record(NOT_ANY))
        self.prepare()
        if stopped:
            raise SimulationError(stopped)

    # ---------------------------------------------------------------- saved states

    def values(self):
        """What a saved state needs of it, besides that of the solver: plain numbers."""
        known = self.solver.time_laws.known
        return dict(series=self.series.tolist(), looked=list(known[:3]) if self._looks and known else None)

    def restore(self, values):
        """After the state of the solver was restored. Laws of time are looked through from the same instant to the same
        one, with the same inputs, as before: where structure is found depends on that."""
        self.series[:] = values["series"]
        self.prepare()
        laws = self.solver.time_laws
        if self._looks and values["looked"] is None:
            laws.known = None
        elif self._looks and (laws.known is None or list(laws.known[:3]) != values["looked"]):
            fixed, begin, end = values["looked"]
            r = self.solver.workspace.r.copy()
            r[1 : 1 + len(fixed)] = fixed
            laws.known = None
            laws.between(r, begin, end)


def has_events(solver):
    """Whether the loop is left on the way, for events or ticks of controllers."""
    return bool(solver.phases.events or solver.phases.controllers or solver.phases.contacts)


class watchful:
    """While a solver steps by hand: comparisons of the state are looked at in each step, laws of time far ahead."""

    def __init__(self, solver):
        self.solver = solver

    def __enter__(self):
        self.usual, self.solver._watchful = self.solver._watchful, WATCHFUL

    def __exit__(self, *_):
        self.solver._watchful = self.usual


def compiled_step():
    """The compiled call, loaded when it is first needed."""
    precompile.announce("solvers/step_call", "stepping by hand")
    precompile.wait_for("solvers/explicit")
    with precompile.first_use("solvers/step_call"):
        from mekane.solvers.step_call import explicit_step
    return explicit_step.dispatcher
