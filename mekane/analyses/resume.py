"""run.resume: a run goes on to a later time, as one run to that time would have gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mekane.analyses.simulate import positive_time, prepare_controllers, run_facts, sample_times
from mekane.errors import ModelError
from mekane.model.interface.kept import made_code
from mekane.progress import reporting
from mekane.results.result import Result

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from numpy.typing import ArrayLike

    from mekane.model.types import NumberLike

PART = "resume"
# what a run says of how it began
BEGIN = ("given_method", "initial_state", "every", "gap", "speed_gap", "moved", "turned")


def resume(
    run: Result,
    t_end: NumberLike,
    *,
    every: NumberLike | Sequence[float] | ArrayLike | None = None,
    progress: Callable[[float, float], Any] | bool | None = None,
) -> Result:
    """The same run to a later time: it goes on as one run to that time would have gone, with all that has happened.

    Parameters:
        run: of mk.simulate, or from a file (mk.load). It stays as it is.
        t_end: end of the motion [s], counted from the same start.
        every: time between samples from here on [s], or a list of times; by default as before.
        progress: as in mk.simulate.

    Returns:
        Result: of the whole motion, from t = 0 on. A run that an event has ended (stop=True, until=) goes on past it;
            one that Ctrl-C has stopped goes on with the rest.

    Example:
        from mekane import gallery
        run = mk.simulate(gallery.find("pendulum").system(), 1.0, every=0.01)
        assert run.resume(2.0) == mk.simulate(run.system, 2.0, every=0.01)
    """
    state = known_state(run)
    t_end = later(t_end, max(state.t, 0.0 if run.info["stopped"] else run.info["t_end"]))
    times = times_of(run, state, t_end, every)
    prepare_controllers()
    events, work = run.info.get("events", []), run.info.get("event_work", [])
    solver = state.solver(run.compiled, events, work, made_code(run.system, run.compiled.formulation))
    solver.phases.go_past_stops([entry["event"] for entry in events])
    record = solver.empty_record(times)
    for new, old in zip(record[1:], run.record[1:], strict=True):
        new[: state.samples] = old[: state.samples]
    with reporting(progress, t_end) as report:
        watch = None if report is None else lambda t, *_: report(t, t / t_end)
        record, stopped = solver.resume(t_end, record, watch)
    begin = {name: run.info[name] for name in BEGIN if name in run.info}
    if every is not None:
        begin["every"] = None
    return Result(run.system, solver.compiled, record, begin | run_facts(solver, None, stopped, t_end), solver.end)


def known_state(run):
    """The state it goes on from."""
    state = run.end
    if isinstance(state, bytes):
        from mekane.solvers.end_state import from_bytes

        state = run.end = from_bytes(run.system, state)
    if state is None:
        expected = "a run of mk.simulate that was not interrupted in the middle of an event or of a function"
        remedy = "Step on with the stepper." if "by_hand" in run.info else "Simulate it anew."
        raise ModelError(PART, "the result has no state to go on from", expected, remedy)
    if not state.is_of(run.system):
        problem = f"system {run.system.name!r} was changed since"
        raise ModelError(PART, problem, "a run goes on with the system it was made of", "Simulate it anew.")
    return state


def later(t_end, reached):
    t_end = positive_time(t_end, "t_end")
    if t_end <= reached:
        problem = f"t_end is {t_end:g} s, and the run goes to {reached:g} s"
        raise ModelError(PART, problem, "a later time is expected", "t_end is counted from the start of the run.")
    return t_end


def times_of(run, state, t_end, every):
    """Of all samples: those before the state as they are, then as one run would have them."""
    before = run.record.t[: state.samples]
    if every is None:
        if run.info.get("every") is None:
            problem = "its samples were a list of times"
            raise ModelError(PART, problem, "where to sample from here on is not known", "Give every=.")
        return sample_times(t_end, run.info["every"])
    if np.ndim(every) == 0:
        step, reached = positive_time(every, "every"), before[-1] if len(before) else 0.0
        return np.append(before, reached + sample_times(t_end - reached, step)[len(before) > 0 :])
    times = sample_times(t_end, every)
    if times[0] <= state.t:
        problem = f"its first time is {times[0]:g} s"
        raise ModelError("every", problem, f"the run goes on from {state.t:.9g} s; later times are expected")
    return np.append(before, times)
