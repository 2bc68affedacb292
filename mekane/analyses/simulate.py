"""simulate: the motion of a system from its described state on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mekane.compiler.compiler import compiled_as_it_is
from mekane.compiler.coordinates import initial_poses
from mekane.errors import ModelError
from mekane.model.interface.kept import made_code
from mekane.model.values.units import positive, vector
from mekane.progress import reporting
from mekane.results.result import Result

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike
    from typing import Any

    from numpy.typing import ArrayLike

    from mekane.model.system import System
    from mekane.model.types import NumberLike, ValueLike

SAMPLES = 200
MOST_SAMPLES = 10_000_000
SHORTEST = 1e-100  # run [s]: squares of shorter times vanish


def simulate(
    system: System,
    t_end: NumberLike,
    *,
    every: NumberLike | Sequence[float] | ArrayLike | None = None,
    method: str = "auto",
    rtol: float | None = None,
    atol: float | None = None,
    step: NumberLike | None = None,
    formulation: str = "joint",
    correct: bool = True,
    progress: Callable[[float, float], Any] | bool | None = None,
    constraints: str = "multipliers",
    independent: Sequence[str] | None = None,
    code: str = "auto",
    checkpoint: str | PathLike[str] | None = None,
    checkpoint_every: NumberLike | None = None,
    resume: bool = False,
    until: ValueLike | None = None,
    impacts: str = "simultaneous",
    painleve: str = "impact",
) -> Result:
    """The motion of a system from t = 0 on.

    Parameters:
        system: what moves.
        t_end: end of the motion [s].
        every: time between samples [s], or a list of times; by default a two-hundredth of t_end.
        method: "auto" (dop853, dopri5 for contact laws at rtol 1e-4 or more, implicit where the motion turns out stiff), or a
            name in mekane.solvers.integrators; "moreau" for very many contacts.
        rtol: relative tolerance of adaptive methods; default 1e-9. With "moreau": of the impulses in a step; default 1e-8.
        atol: absolute tolerance of adaptive methods [m, rad, m/s, rad/s]; default 1e-12.
        step: the step of fixed-step methods, the largest step of adaptive ones [s].
        formulation: "joint", or a name in mekane.formulations; the motion is the same.
        correct: bring the initial state and every step onto the constraints; default True.
        progress: True shows a bar, False none; by default one appears at a terminal or in a notebook after a second.
            A function is called with the time [s] and the share done.
        constraints: "multipliers", or "embedded": equations for independent speeds alone; the motion is the same.
        independent: names of those speeds at the start; by default they are chosen.
        code: "loops"; "specialised", machine code made for this model; "auto": that where a run is long enough. The
            motion is the same.
        checkpoint: a file in which the run is kept while it goes on, and when Ctrl-C stops it.
        checkpoint_every: time of work between two checkpoints [s]; default 10.
        resume: go on from that file, if it is there, to the same numbers as without an interruption. The file stays:
            delete it when the result is safe.
        until: a condition, such as "ball.position.z < 0"; the motion ends where it becomes true.
        impacts: "simultaneous", or "sequential": contacts that are hit at one instant one after the other.
        painleve: where no acceleration satisfies contact and friction: "impact", an impact without collision; or "stop".

    Returns:
        Result: run["hinge.angle"] over time, run.reaction("hinge"), run.energy, run.events, run.health, run.plot(), run.view() …

    Example:
        s = mk.System()
        arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
        s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y", rate="60 rpm")
        run = mk.simulate(s, 2.0, every="10 ms")
        print(float(run["hinge.angle"].max()), run.health)
    """
    from mekane.solvers.random_laws import contents, memory

    t_end = end_time(t_end)
    times = sample_times(t_end, every)
    system = system if until is None else ending(system, until)
    solver, assembly = initial_solver(
        system, method=method, rtol=rtol, atol=atol, step=step, formulation=formulation, correct=correct,
        constraints=constraints, independent=independent, code=code, impacts=impacts, painleve=painleve,
    )  # fmt: skip
    begun, kept = how_it_began(solver, times, spacing(t_end, every)), None
    before = contents(solver.compiled)
    if checkpoint is None:
        refuse_without_checkpoint(checkpoint_every, resume)
    else:
        kept = checkpoint_of(checkpoint, solver, t_end, times, independent, checkpoint_every)
    with reporting(progress, t_end) as report:
        watch = None if report is None else lambda t, *_: report(t, t / t_end)
        solver, record, stopped = run_with(kept, resume, solver, t_end, times, watch)
    facts = begun | run_facts(solver, assembly, stopped, t_end)
    reason = memory(before, solver.compiled)
    return Result(system, solver.compiled, record, facts | (dict(by_hand=reason) if reason else {}), solver.end)


def ending(system, until):
    """The system with one event more, which ends its motion."""
    new = system.copied()
    new.event("until", when=until, stop=True)
    return new


def refuse_without_checkpoint(every, resume):
    for keyword in [key for key, given in (("checkpoint_every", every is not None), ("resume", bool(resume))) if given]:
        raise ModelError(
            keyword,
            "checkpoint is not given",
            "a file for checkpoints is expected",
            'Write checkpoint="run.checkpoint".',
        )


def checkpoint_of(path, solver, t_end, times, independent, every):
    from mekane.solvers.checkpoint import Checkpoint, run_of

    if every is not None and every != 0:
        every = positive_time(every, "checkpoint_every")
    return Checkpoint(path, run_of(solver, times, t_end=t_end, independent=independent), every)


def run_with(checkpoint, resume, solver, t_end, times, watch):
    """Run from the start, or from the checkpoint (None: without) if that is wanted and there. Returns the solver too: another one may
    have gone on."""
    record = solver.empty_record(times) if resume else None
    resumed = checkpoint.read(solver.compiled, record) if resume else None
    if resumed is not None:
        return resumed, *resumed.go_on(record, watch, checkpoint, keep_end=True)
    return solver, *solver.run(t_end, times, progress=watch, checkpoint=checkpoint, keep_end=True)


def how_it_began(solver, times, every):
    """What a repetition of the run has to know besides its record: the method before it may change, a start that is not
    sampled. every: time between samples; None: a list of times."""
    return dict(given_method=solver.method, every=every) | (
        {"initial_state": solver.y.tolist()} if times[0] > 0 else {}
    )


def run_facts(solver, assembly, stopped, t_end):
    """What health and report say about how the run went; plain numbers and text, saved with the result."""
    from mekane.solvers.constraints import embedding

    facts = dict(t_end=t_end, formulation=solver.compiled.formulation, stopped=stopped or "", **solver.facts())
    facts["notes"] = solver.notes + embedding.notes(solver) + solver.code.notes()
    if solver.phases.events or solver.phases.controllers or solver.phases.contacts:
        facts["notes"] = facts["notes"] + solver.phases.remarks()
        facts |= dict(events=solver.phases.table, ended_by=solver.phases.ended_by, event_work=solver.phases.work)
    if solver.phases.ended_by:
        facts["t_end"] = solver.t
    if assembly is not None:
        facts |= {field: float(getattr(assembly, field)) for field in ("gap", "speed_gap", "moved", "turned")}
    return facts


def initial_solver(
    system, *, method="auto", rtol=None, atol=None, step=None, formulation="joint", correct=True, constraints="multipliers",
    independent=None, code="auto", copied=False, impacts="simultaneous", painleve="impact",
):  # fmt: skip
    """A Solver at the initial state of the system, and what assembly had to change (None if it was not to)."""
    from mekane.solvers.constraints.assembly import assemble, state_of
    from mekane.solvers.constraints.closed_trees import as_described
    from mekane.solvers.constraints.embedding import find_way
    from mekane.solvers.solver import Solver
    from mekane.solvers.specialised.choice import find_code

    prepare_controllers()
    find_way(constraints, independent)
    find_code(code)
    if not isinstance(correct, bool | np.bool_):
        raise ModelError("correct", f"it is {correct!r}", "True or False is expected")
    compiled = compiled_as_it_is(system, formulation)
    assembly = (as_described(system, compiled) or assemble(system)) if correct else None
    poses = assembly.poses if correct else initial_poses(system)
    q, u = state_of(compiled, poses)
    y = np.concatenate([q, u, compiled.start_memory])
    settings = dict(
        method=method,
        rtol=rtol,
        atol=atol,
        step=step,
        correct=correct,
        constraints=constraints,
        independent=independent,
        impacts=impacts,
        painleve=painleve,
    )
    solver = Solver(compiled, y, code=code, made=made_code(system, formulation), copied=copied, **settings)
    refuse_unknown_outputs(solver)
    return solver, assembly


def prepare_controllers():
    """Let them read what only results compute."""
    from mekane.solvers.hybrid.controllers import Controllers

    Controllers.quantity = staticmethod(present_quantity)


def present_quantity(solver, name):
    """What a result of the present state has by this name, such as a reaction: a number, or an array of components."""
    value = present(solver).numbers(name)[0]
    return float(value) if np.ndim(value) == 0 else np.array(value)


def present(solver):
    """The Result of one sample, the present state."""
    from mekane.solvers.state import Record

    state = solver.y, solver.workspace.measurement, solver.discrete
    record = Record(np.array([solver.t]), *(array[None].copy() for array in state))
    return Result(solver.compiled.system, solver.compiled, record, {})


def refuse_unknown_outputs(solver):
    """Before a run: names that outputs read must be there in its result."""
    from mekane.results.derived import output

    for name in solver.compiled.system.outputs:
        output(present(solver), name)


def spacing(t_end, every):
    """Time between samples; None where they are a list of times."""
    return t_end / SAMPLES if every is None else positive_time(every, "every") if np.ndim(every) == 0 else None


def sample_times(t_end, every):
    if every is None:
        every = t_end / SAMPLES
    if np.ndim(every) == 0:
        every = positive_time(every, "every")
        n = int(np.floor(t_end / every * (1 + 1e-12)))
        if n > MOST_SAMPLES:
            problem = f"it is {every:g} s, which makes {n:.2g} samples"
            raise ModelError("every", problem, f"at most {MOST_SAMPLES:.0g} are kept", "Sample less often.")
        times = every * np.arange(n + 1)
        return times if abs(times[-1] - t_end) < 1e-9 * every else np.append(times, t_end)
    if len(every) == 0:
        raise ModelError(
            "every", "it is an empty list", "times at which to sample are expected", "Leave it out for 200 samples."
        )
    plain = isinstance(every, np.ndarray) and every.dtype.kind in "fi"
    times = np.array(every, float) if plain else vector(every, "time", "simulate", "every", size=len(every))
    if (
        times.ndim != 1
        or not np.all(np.isfinite(times))
        or np.any(np.diff(times) <= 0)
        or times[0] < 0
        or times[-1] > t_end * (1 + 1e-12)
    ):
        raise ModelError("every", "it is a list", f"times must rise and lie between 0 and t_end = {t_end:g} s")
    return times


def end_time(value):
    t_end = positive_time(value, "t_end")
    if t_end < SHORTEST:
        raise ModelError("simulate", f"t_end is {t_end:g} s", f"a motion of at least {SHORTEST:g} s is expected")
    return t_end


def positive_time(value, name):
    return positive(value, "time", "simulate", name)
