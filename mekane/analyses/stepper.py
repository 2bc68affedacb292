"""stepper: the motion of a system step by step: set inputs, step, read, save and go back."""

from __future__ import annotations

import math
import os
from numbers import Real
from typing import TYPE_CHECKING

import numpy as np

from mekane.analyses import saved_step
from mekane.analyses.recorded_steps import START, live_record, record_of, samples_of, with_sample
from mekane.analyses.saved_step import SavedState
from mekane.analyses.simulate import initial_solver, run_facts
from mekane.errors import ModelError, did_you_mean
from mekane.model.signals.unit import read_number
from mekane.model.traced_functions import refuse_changed
from mekane.model.values.units import positive
from mekane.results.present import Present
from mekane.results.result import Result
from mekane.solvers import state as at
from mekane.solvers.hybrid.controller_objects import objects_of, refuse_objects, restore_objects
from mekane.solvers.saved_state import go_back, solver_from, state_of
from mekane.solvers.series import BEGIN, COUNT, EQUAL
from mekane.solvers.stepping import Stepping
from mekane.tables.tables import N_ACTIVE, N_ROWS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike

    from numpy import ndarray

    from mekane.analyses.state.motion_state import MotionState
    from mekane.model.system import System
    from mekane.model.types import NumberLike

PART = "stepper"


def stepper(
    system: System,
    *,
    method: str = "auto",
    rtol: float | None = None,
    atol: float | None = None,
    step: NumberLike | None = None,
    formulation: str = "joint",
    correct: bool = True,
    constraints: str = "multipliers",
    independent: Sequence[str] | None = None,
    code: str = "auto",
    record: bool = True,
    every: NumberLike | None = None,
) -> Stepper:
    """A system at its initial state, to be stepped by hand: between steps inputs are set, and anything is read.

    Parameters:
        system: what moves. mk.assemble says what has to be moved before it starts.
        method, rtol, atol, step, formulation, correct, constraints, independent, code: as in mk.simulate.
        record: keep a sample of every step for sim.result(); default True.
        every: time between those samples, at least [s]; by default every step is one.

    Returns:
        Stepper: sim.step(dt) goes on by dt [s]; sim["hinge.angle"], sim.t, sim.y; sim.set(), sim.save(), sim.restore(),
            sim.copy(), sim.reset(), sim.result().

    Example:
        from mekane import gallery
        sim = mk.stepper(gallery.find("pendulum").system(), method="rk4")
        kept = sim.save()
        for _ in range(10):
            sim.step(1e-3)
        print(sim.t, dict(zip(sim.compiled.coordinates, sim.y)))
        sim.restore(kept)
    """
    if not isinstance(record, bool | np.bool_):
        raise ModelError("record", f"it is {record!r}", "True or False is expected")
    options = dict(
        method=method, rtol=rtol, atol=atol, step=step, formulation=formulation, correct=correct, constraints=constraints,
        independent=independent, code=code,
    )  # fmt: skip
    every = 0.0 if every is None else positive(every, "time", PART, "every")
    solver, assembly = initial_solver(system, **options, copied=True)
    return Stepper(system, solver, assembly, options, every if record else math.inf)


def setting(name, text):
    """A property of the solver that may be changed between steps."""

    def change(sim, value):
        setattr(sim.solver, name, value)
        sim._steps.prepare()
        if sim.t > 0.0:
            sim._by_hand = f"its {name} was changed on the way"

    return property(lambda sim: getattr(sim.solver, name), change, doc=text)


class Stepper:
    """A motion that is stepped by hand; mk.stepper makes it.

    sim.step(1e-3, u=2.0)                go on by a millisecond, with the input u set before
    sim.t, sim.y                         time [s], state (q, u, controller states, work)
    sim["hinge.angle"], sim["arm.position"], sim["spring.tension"] …    whatever a result has, now
    sim.state()                          the state now, for other analyses
    sim.set(u=2.0), sim.set({"u": 2.0})  inputs; they keep their values until they are set again
    kept = sim.save(), sim.restore(kept) the whole state; sim.save("file"), sim.restore("file")
    twin = sim.copy()                    goes on by itself
    sim.reset(), sim.reset(parameters={"m": 2})    back to the start
    sim.result()                         the samples so far, as mk.simulate returns them
    sim.method, sim.rtol, sim.atol, sim.step_size, sim.correct    may be changed between steps
    """

    def __init__(self, system, solver, assembly, options, every):
        self.system: System = system
        self.solver, self._assembly, self._options, self._every = solver, assembly, options, every
        self._construction, self._parts = system._construction, len(system._construction)
        self._functions = solver.compiled.traced_functions
        self._steps = Stepping(solver)
        self._advance, self._time, self._y = self._steps.step, memoryview(solver.step_state), memoryview(solver.y)
        self._discrete = memoryview(solver.discrete)
        self._inputs = {name: solver.compiled.discrete.index(name) for name in system.inputs}
        self._stores = stores_by_inputs(solver)
        self._live = live_record(solver)
        self._places, self._present = {}, Present(system, solver.compiled, self._live)
        self._model, self._by_hand = None, ""  # what the model is known by; why a result cannot be repeated
        self._start = self._present_state()
        self._begin_record()

    # ---------------------------------------------------------------- stepping

    def step(self, dt: NumberLike, /, **inputs: float) -> float:
        """Set these inputs, then go on by dt. Returns the new time [s].

        dt: [s]; one step of a fixed-step method, as many as it takes of an adaptive one. n equal steps end at n dt: no
            error of rounding adds up.
        inputs: by name; they keep their values until they are set again.

        What is due at the very end of a step, such as the tick of a controller, happens at the beginning of the next. An
        event with stop=True ends a step before its time: then sim.ended_by names it. A motion that cannot go on raises
        SimulationError; the state is as far as it came.
        """
        if inputs:
            self.set(inputs)
        if type(dt) is not float or not 0.0 < dt < math.inf:
            dt = seconds(dt)
        if self.system._construction is not self._construction or len(self._construction) != self._parts:
            self._refuse_changed_system()
        if self._functions:
            refuse_changed(self._functions)
        self._advance(dt)
        if self._steps.begin is not None:
            self._amend(self._steps.begin)
        t = self._time[at.NOW]
        if t >= self._next:
            self._keep(t)
        return t

    def set(self, values: Mapping[str, float] | None = None, /, **more: float) -> Stepper:
        """Set inputs: sim.set(u=2.0), sim.set({"u": 2.0}). They keep their values until they are set again."""
        given = {**values, **more} if values else more
        known = [(self._place_of_input(name), self._finite(name, value)) for name, value in given.items()]
        before = stored_energy(self.solver) if self._stores else 0.0
        for k, value in known:
            self._discrete[k] = value
        if self._stores:
            self.solver.phases.add_work([before, stored_energy(self.solver)])
        self.solver.phases.inputs_jumped()
        self._steps.inputs_changed()
        self._by_hand = "its inputs were set by hand"
        if self._samples is not START and self._samples[1] == self.t:  # a sample shows what holds from its instant on
            self._samples = with_sample(self._samples[0], self.t, self._live)
        return self

    def _place_of_input(self, name):
        """In the discrete state."""
        try:
            return self._inputs[name]
        except KeyError:
            raise self._unknown_input(name) from None

    def _finite(self, name, value):
        """The value of an input, as a number in SI."""
        if type(value) is float and -math.inf < value < math.inf:
            return value
        if isinstance(value, str):
            return read_number(value, self.system.inputs[name].unit, f"input {name!r}", "value")
        if isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value):
            return float(value)
        raise ModelError(PART, f"input {name!r} is {value!r}", "a finite number is expected, in SI")

    def _unknown_input(self, name):
        system = self.system
        if name in system.parameters:
            problem, expected = f"{name!r} is a parameter", "a parameter keeps its value during a motion"
            remedy = f"Write sim.reset(parameters={{{name!r}: …}}), or declare s.input({name!r}, …) instead."
        elif name in system.variables:
            problem, expected = f"{name!r} is a variable", "variables are changed by events"
            remedy = f"Declare s.input({name!r}, …) instead."
        else:
            problem, remedy = f"there is no input {name!r}", did_you_mean(name, self._inputs).strip()
            expected = f"the model has {', '.join(self._inputs)}" if self._inputs else "the model has no inputs"
            remedy = remedy or f"Declare it: s.input({name!r}, 0.0)."
        return ModelError(PART, problem, expected, remedy)

    # ---------------------------------------------------------------- reading

    @property
    def t(self) -> float:
        """Time [s]."""
        return self._time[at.NOW]

    @property
    def ended_by(self) -> str:
        """The event with stop=True that ended the last step before its time; "" if none did."""
        return self.solver.phases.ended_by

    @property
    def controllers(self) -> dict[str, object]:
        """Controllers by name, as this stepper calls them: objects are its own copies. None: given by expressions."""
        found = self.solver.phases.controllers
        return dict(zip(self.system.controllers, found.functions, strict=True))

    @property
    def y(self) -> ndarray:
        """The state: coordinates, speeds, controller states, work. sim.compiled.coordinates and .speeds name them."""
        return self.solver.y

    @y.setter
    def y(self, values):
        self.solver.y[:] = values
        self._by_hand = "its state was changed by hand"

    def __getitem__(self, name: str) -> float | ndarray:
        """What a result has by this name, now: a number, or an array of its components."""
        try:
            numbers, k = self._places[name]
        except KeyError:
            return self._read(name)
        return numbers[k]

    def _read(self, name):
        """What does not stand in the state, or was not requested before."""
        place = place_of(self.solver, name) if isinstance(name, str) else None
        if place is not None:
            self._places[name] = place
            return self[name]
        self._refuse_changed_system()
        solver = self.solver
        return self._present.read(name, solver.workspace.state[N_ACTIVE] == solver.tables.count[N_ROWS])

    def state(self) -> MotionState:
        """The state now, to be used by other analyses: mk.linearize(s, at=sim.state()). It stays as it is."""
        from mekane.analyses.state.motion_state import MotionState

        return MotionState(self._present.once())

    # ---------------------------------------------------------------- going back

    def save(self, path: str | PathLike[str] | None = None) -> SavedState:
        """The whole state now, for restore: here, in other processes, or from a file. path: where to write it, too."""
        self._refuse_changed_system()
        kept = self._present_state(self._known_by(), self._samples)
        if path is not None:
            refuse_objects(self.solver)
            saved_step.refuse_functions(self.system)
            kept.write(path)
        return kept

    def _present_state(self, model=None, samples=START):
        arrays, values = state_of(self.solver)
        values |= self._steps.values() | dict(t=self.t, by_hand=self._by_hand)
        values["looked_from"] = 0.0  # steps look through laws of time themselves
        return SavedState(model, arrays, values, samples, objects_of(self.solver))

    def _known_by(self):
        """What saved states of this model are recognised by."""
        if self._model is None:
            self._model = saved_step.model_of(self.solver)
        return self._model

    def restore(self, kept: SavedState | str | PathLike[str]) -> Stepper:
        """Go back, or forth, to a saved state of the same model; all that follows is the same to the last bit.

        kept: what save returned, or its file. The samples for sim.result() are those before it; from files and other
            processes they begin here.
        """
        if isinstance(kept, str | os.PathLike):
            kept = saved_step.read(kept)
        if not isinstance(kept, SavedState):
            raise ModelError(PART, f"it is {kept!r}", "what sim.save() returned, or the name of its file, is expected")
        self._refuse_changed_system()
        if kept.model is not self._known_by():
            saved_step.refuse_other_model(kept.model, self._known_by())
        return self._go_to(kept)

    def _go_to(self, kept):
        go_back(self.solver, kept.arrays, kept.values)
        restore_objects(self.solver, kept.objects)
        self._steps.restore(kept.values)
        self._by_hand, self._samples = kept.values["by_hand"], kept.samples
        self._begin_record() if self._samples is START else self._wait()
        return self

    def copy(self) -> Stepper:
        """Another stepper in the same state: each goes on by itself."""
        return stepper_from(
            self.system, self.solver.compiled, self._assembly, self._options, self._every, self._start, self.save()
        )

    __copy__ = copy

    def __reduce__(self):
        """Copies and other processes get the state and the samples, and find addresses of memory anew."""
        record = None if self._samples is START else record_of(self._samples, self._live)
        return stepper_from, (
            self.system, self.solver.compiled, self._assembly, self._options, self._every, self._start, self.save(), record,
        )  # fmt: skip

    def reset(self, parameters: Mapping[str, NumberLike] | None = None) -> Stepper:
        """Back to the start, with inputs as they were declared. What was recorded is forgotten.

        parameters: other values of parameters, {"m": 2}; they stay until the next change.
        """
        if parameters or self._is_changed():
            system = self.system.with_parameters(parameters) if parameters else self.system
            self.__init__(system, *initial_solver(system, **self._options, copied=True), self._options, self._every)
        else:
            self._go_to(self._start)
        return self

    # ---------------------------------------------------------------- what was recorded

    def result(self) -> Result:
        """A Result of the samples so far: one at the start and one after each step, or as `every` says."""
        if self._every == math.inf:
            raise ModelError(PART, "record is False", "nothing was recorded", "Leave out record=False.")
        self._refuse_changed_system()
        record = record_of(self._samples, self._live)
        facts = run_facts(self.solver, self._assembly, "", self.t) | self._how_it_was_stepped(record.t[0])
        return Result(self.system, self.solver.compiled, record, facts)

    def _how_it_was_stepped(self, begin):
        """What a repetition has to know, or why there can be none."""
        series, reason = self._steps.series, self._by_hand
        if not reason and begin > 0.0:
            reason = "it goes on from a saved state"
        facts, work = dict(given_method=self._options["method"]), self.solver.phases.work
        facts |= dict(event_work=work) if work else {}
        if not self.solver.adaptive:
            facts["step"] = float(series[EQUAL]) or self.solver.step_size
            if series[COUNT] != self.solver.counters[at.STEPS] or series[BEGIN] != 0.0:
                reason = reason or "its steps are of different lengths"
        return facts | (dict(by_hand=reason) if reason else {})

    def _begin_record(self):
        """With the present state as the first sample."""
        self._samples, self._next = START, math.inf
        if self._every < math.inf:
            self._keep(self.t)

    def _keep(self, t):
        self._samples = with_sample(self._samples, t, self._live)
        self._wait()

    def _amend(self, begin):
        """A sample shows what holds from its instant on: what events and ticks made of it when the next step began."""
        t, samples = float(begin.t[0]), self._samples
        if samples is START or samples[1] != t:
            return
        if begin.discrete.tobytes() != samples[-1] or any(entry["time"] == t for entry in self.solver.phases.table):
            self._samples = with_sample(samples[0], t, begin)

    def _wait(self):
        """For the next sample, which is due a little earlier than its time, lest rounding leaves it out."""
        self._next = math.inf if self._every == math.inf else self._samples[1] + self._every * (1.0 - 1e-9)

    # ---------------------------------------------------------------- the solver

    def _is_changed(self):
        """Whether parts of the system were added, removed or made anew."""
        return self.system._construction is not self._construction or len(self._construction) != self._parts

    def _refuse_changed_system(self):
        if not self._is_changed():
            return
        expected = "a stepper goes on with the system it was made of"
        remedy = "sim.reset() begins anew with the system as it is; what shall change on the way is an input: s.input."
        raise ModelError(PART, f"system {self.system.name!r} was changed since", expected, remedy)

    method = setting("method", "Name of the integrator.")
    rtol = setting("rtol", "Relative tolerance of adaptive methods.")
    atol = setting("atol", "Absolute tolerance of adaptive methods.")
    step_size = setting("step_size", "The largest step of adaptive methods [s]; None: none.")
    correct = setting("correct", "Whether each step is brought onto the constraints.")

    def run(self, *arguments, **options):
        """As Solver.run: to a time, with samples on the way; nothing of it is recorded for sim.result()."""
        self._by_hand = "parts of it were not recorded"
        try:
            return self.solver.run(*arguments, **options)
        finally:
            self._steps.prepare()

    def __getattr__(self, name):
        """All else is the solver's: compiled, counters, facts(), notes …"""
        if name.startswith("_") or "solver" not in vars(self):
            raise AttributeError(f"a stepper has no {name!r}")
        return getattr(self.solver, name)

    def __repr__(self):
        return f"Stepper of {self.system.name!r} at t = {self.t:g} s; help(sim) says what it can do"


def stepper_from(system, compiled, assembly, options, every, start, kept, record=None):
    """A stepper in a saved state. start: its state at the start; record: its samples, if `kept` does not have them."""
    solver = solver_from(compiled, kept.arrays, kept.values)
    restore_objects(solver, kept.objects)
    sim = Stepper(system, solver, assembly, options, every)
    if record is not None:
        kept = SavedState(kept.model, kept.arrays, kept.values, samples_of(record), kept.objects)
    sim._start, sim._model = start, kept.model
    return sim._go_to(kept)


def place_of(solver, name):
    """Where a joint coordinate or its rate stands, as (numbers, index); None for what has to be computed."""
    joint, _, coordinate = name.partition(".")
    compiled, rate = solver.compiled, coordinate.endswith(".rate")
    key = joint, coordinate.removesuffix(".rate")
    if key in compiled.tree_coordinate:
        q, u = compiled.tree_coordinate[key]
        return memoryview(solver.y), compiled.n_q + u if rate else q
    if key in compiled.pairs.measurement and not rate:
        return memoryview(solver.workspace.measurement), compiled.pairs.measurement[key]
    if name in compiled.discrete:
        return memoryview(solver.discrete), compiled.discrete.index(name)
    return None


def stores_by_inputs(solver):
    """Whether setting an input changes stored energy: a law of a spring or the like reads one."""
    compiled, first = solver.compiled, solver.compiled.discrete_registers.start
    inputs = {first + compiled.discrete.index(name) for name in compiled.system.inputs}
    return any(inputs & solver.time_laws.read(register) for register in compiled.energy_registers.values())


def stored_energy(solver):
    """In springs and the like, by their laws."""
    from mekane.solvers.entries.calls import rhs

    rhs(solver.handle, solver.t, solver.y, np.zeros(len(solver.y)))
    return float(solver.workspace.r[list(solver.compiled.energy_registers.values())].sum())


def seconds(dt):
    """dt as a number; a text with a unit is one, too."""
    return positive(dt, "time", PART, "dt")
