"""batch: many runs from arrays of states, parameters and inputs, to arrays; for learning and control."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mekane.analyses.studies.axes import Axes, Axis
from mekane.analyses.studies.conduct import Collected, conduct, number_of_threads
from mekane.analyses.studies.engine_choice import refuse_unfit
from mekane.analyses.studies.study import Study
from mekane.analyses.studies.sweep import times_of
from mekane.errors import ModelError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from numpy import ndarray
    from numpy.typing import ArrayLike

    from mekane.model.system import System
    from mekane.model.types import NumberLike


class BatchResult(NamedTuple):
    """t (samples,) [s]; values (runs, samples, channels); states (runs, coordinates and speeds) at the end; status
    (runs,), 0 where a run is done; messages: number of a run → why it failed."""

    t: ndarray
    values: ndarray
    states: ndarray
    status: ndarray
    messages: dict[int, str]


def batch(
    system: System,
    *,
    states: ArrayLike | None = None,
    parameters: Mapping[str, ArrayLike] | None = None,
    inputs: Mapping[str, ArrayLike] | None = None,
    t_end: NumberLike,
    every: NumberLike | ArrayLike | None = None,
    keep: Sequence[str] = (),
    engine: str = "auto",
    threads: int | None = None,
    **settings: Any,
) -> BatchResult:
    """Many runs from arrays, to arrays: each with its own state, parameters and inputs.

    Parameters:
        system: what moves.
        states: (runs, coordinates and speeds) at the start, in the order of s.coordinates and s.speeds; by default all
            start as described.
        parameters: {name: (runs,)}: parameters and numbers such as "crank.mass", in SI.
        inputs: {name: (runs,)}: values of inputs of the system, held over the run.
        t_end: length of every run [s].
        every: time between samples [s], or a list of times; by default only start and end.
        keep: channels, such as "hinge.angle" or "arm.position.x"; vectors by their components.
        engine, threads, settings: as in mk.sweep.

    Returns:
        BatchResult: .t, .values (runs, samples, channels), .states at the end, .status, .messages.

    Example:
        from mekane import gallery
        s = gallery.find("pendulum").system()
        states = [[0.1, 0.0], [0.2, 0.0], [0.3, 1.0]]
        out = mk.batch(s, states=states, t_end=0.5, keep=["hinge.angle"])
        print(out.values.shape, out.states)
    """
    formulation = settings.get("formulation", "joint")
    names = state_names(system, formulation)
    columns = state_columns(names, states) | number_columns(system, parameters, inputs)
    if not columns:
        raise ModelError("batch", "nothing varies", "states, parameters or inputs are expected", "Or use mk.simulate.")
    axes = Axes((Axis("run", columns),))
    refuse_unequal(columns)
    times = times_of("simulate", t_end, t_end if every is None else every)
    channels = list(dict.fromkeys([*keep, *names]))
    refuse_vectors(study := Study(system, list(columns), times=times, keep=channels, engine=engine, settings=settings))
    refuse_unfit(study, axes)
    collected = Collected(study, axes)
    conduct(study, axes, collected, number_of_threads(threads), progress=False)
    values = [collected.data[name] for name in keep]
    shape = (axes.count, len(times), 0)
    ends = np.stack([collected.data[name][:, -1] for name in names], axis=1) if names else np.zeros((axes.count, 0))
    kept = np.stack(values, axis=2) if values else np.zeros(shape)
    return BatchResult(times, kept, ends, collected.status, collected.messages)


def state_names(system, formulation):
    from mekane.compiler.compiler import compile_system

    compiled = compile_system(system, formulation)
    return [*compiled.coordinates, *compiled.speeds]


def state_columns(names, states):
    if states is None:
        return {}
    states = np.asarray(states, float)
    if states.ndim != 2 or states.shape[1] != len(names):
        problem, expected = (
            f"states has the shape {states.shape}",
            f"(runs, {len(names)}) is expected: {', '.join(names)}",
        )
        raise ModelError("batch", problem, expected)
    return dict(zip(names, states.T, strict=True))


def number_columns(system, parameters, inputs):
    for name in inputs or {}:
        if name not in system.inputs:
            known = ", ".join(system.inputs) or "none"
            remedy = did_you_mean(str(name), system.inputs).strip()
            raise ModelError("batch", f"{name!r} is no input", f"the inputs are {known}", remedy)
    columns = {**(parameters or {}), **{f"{name}.value": values for name, values in (inputs or {}).items()}}
    return {name: np.atleast_1d(np.asarray(values, float)) for name, values in columns.items()}


def refuse_unequal(columns):
    lengths = {name: len(values) for name, values in columns.items()}
    if len(set(lengths.values())) > 1:
        problem = ", ".join(f"{name} has {n}" for name, n in lengths.items())
        raise ModelError("batch", f"there are different numbers of runs: {problem}", "one value for each run")
    bad = next((name for name, values in columns.items() if not np.isfinite(values).all()), None)
    if bad is not None:
        raise ModelError("batch", f"{bad!r} has a value that is not finite", "finite numbers are expected")


def refuse_vectors(study):
    for name, one in study.variables.items():
        if one.dims != ("time",):
            labels = next(iter(one.labels.values()))
            raise ModelError("batch", f"{name!r} is a vector", "numbers are expected", f"Write {name}.{labels[0]}.")
