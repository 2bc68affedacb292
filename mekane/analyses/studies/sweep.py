"""sweep: many runs of one system over a grid of its numbers, as a labelled result."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np

from mekane.analyses.batch.runs import DONE
from mekane.analyses.simulate import positive_time, sample_times
from mekane.analyses.studies.axes import read_axes
from mekane.analyses.studies.conduct import Collected, conduct, number_of_threads
from mekane.analyses.studies.dataset import summary_of
from mekane.analyses.studies.engine_choice import refuse_unfit
from mekane.analyses.studies.point_analyses import check_analysis, where_of
from mekane.analyses.studies.study import Study
from mekane.analyses.studies.study_errors import check_errors, inaccurate_runs
from mekane.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from os import PathLike
    from typing import Any

    from numpy.typing import ArrayLike
    from xarray import Dataset

    from mekane.model.system import System
    from mekane.model.types import NumberLike


def sweep(
    system: System,
    vary: Mapping[Any, Any],
    *,
    t_end: NumberLike | None = None,
    every: NumberLike | ArrayLike | None = None,
    keep: str | Sequence[str] | None = None,
    measure: Mapping[str, str] | None = None,
    analysis: str = "simulate",
    at: Any = None,
    explain: bool = False,
    to: str | PathLike[str] | None = None,
    engine: str = "auto",
    error: float | bool | None = None,
    threads: int | None = None,
    workers: int | None = None,
    cluster: Any = None,
    progress: Callable[..., Any] | bool | None = None,
    **settings: Any,
) -> Dataset:
    """Runs of a system over a grid of its numbers, as an xarray.Dataset with a dimension for each of them.

    A run that fails has NaN, a `status` and a `message`; it never ends the others.

    Parameters:
        system: what is computed, again and again.
        vary: {name: values}; names are parameters, numbers such as "crank.mass", and values at the start such as
            "hinge.angle" or "hinge.rate". Values in SI, or text with units. {("k", "c"): rows} varies two together. Texts
            choose, {"formulation": ["joint", "absolute"]}, {"without": ["", "damper"]} leaves parts out.
        t_end: end of every motion [s].
        every: time between samples [s], or a list of times; by default a two-hundredth of t_end.
        keep: channels to keep over time, such as "hinge.angle" or "wrist.reaction.force"; by default coordinates, if
            nothing is measured.
        measure: {name: text}: one number of each run, "max(abs(wrist.reaction.force))", "hinge.angle[-1]"; max, min, mean,
            rms, integral, time_of_max and time_of_min over the samples, which are not kept.
        analysis: "simulate"; "equilibrium"; "linearize", eigenvalues; "modes", frequencies and damping.
        at: where to linearize: "equilibrium"; by default the state as described.
        explain: True: return how many runs these are, their time and memory, and which engine; only trial runs are made.
        to: a file, "sweep.nc"; it is written in chunks, and a sweep that was interrupted goes on from it.
        engine: "auto"; "lanes" or "one by one".
        error: True: estimate the global error of every run, ds["error"], as a share of its motion. A number, such as 1e-8:
            repeat runs with smaller tolerances, each with those that it needs, until their error is at most that. By
            default a few runs are checked, and a warning tells if they are not to be trusted.
        threads: how many; by default one for each processor.
        workers: so many processes on this machine (needs dask).
        cluster: a dask client, or the address of its scheduler.
        progress: True shows a bar, False none; by default one appears at a terminal or in a notebook after a second.
        settings: of mk.simulate: rtol, atol, method, formulation, until …

    Returns:
        Dataset: ds["hinge.angle"], ds["peak"], ds["status"], ds["message"]; units, tolerances and versions in attrs.

    Example:
        from mekane import gallery
        s = gallery.find("pendulum").system()
        ds = mk.sweep(s, {"bob.mass": [0.5, 1.0, "1500 g"]}, t_end=1.0, measure={"peak": "max(abs(hinge.angle))"})
        print(ds["peak"].values)
    """
    analysis = check_analysis(analysis)
    axes = read_axes(system, vary)
    wanted = dict(keep=keep, measure=measure, analysis=analysis, at=where_of(at), engine=engine, error=error)
    study = Study(system, list(axes.columns), times=times_of(analysis, t_end, every), settings=settings, **wanted)
    return carried_out(
        study, axes, explain, to=to, threads=threads, workers=workers, cluster=cluster, progress=progress
    )


def times_of(analysis, t_end, every):
    """When motions are sampled; None for what is no motion."""
    if analysis != "simulate":
        return None
    if t_end is None:
        raise ModelError("sweep", "t_end is missing", "the end of the motions is expected", "Write t_end=2.0.")
    t_end = positive_time(t_end, "t_end")
    times = np.asarray(sample_times(t_end, every), float)
    return times if times[-1] >= t_end * (1 - 1e-12) else np.append(times, t_end)


def carried_out(study, axes, explain=False, *, to=None, threads=None, workers=None, cluster=None, progress=None):
    """The Dataset of a study, or what it would take."""
    refuse_unfit(study, axes)
    threads = number_of_threads(threads)
    if explain:
        from mekane.analyses.studies.explanation import explained

        return explained(study, axes, threads)
    collected = Collected(study, axes) if to is None else stored(study, axes, to)
    new = len(collected.missing())
    if workers is None and cluster is None:
        conduct(study, axes, collected, threads, progress)
    else:
        on_cluster(study, axes, collected, workers, cluster, progress)
    warn_of_failures(collected)
    for text in [inaccurate_runs(collected), check_errors(study, axes, collected, threads) if new else ""]:
        if text:
            warnings.warn(text, StudyWarning, stacklevel=4)
    if to is None and study.times is not None:
        warn_of_no_effect(study, axes, collected)
    return collected.finish()


def stored(study, axes, path):
    from mekane.analyses.studies.store import Store, refuse_small_disk

    store = Store(study, axes, path)
    refuse_small_disk(store)
    return store


def on_cluster(study, axes, collected, workers, cluster, progress):
    from mekane.analyses.studies.cluster import client_of, conduct_on

    if workers is not None and cluster is not None:
        raise ModelError("sweep", "workers and cluster are both given", "one of them", "Leave one out.")
    if len(collected.missing()):
        with client_of(workers, cluster) as client:
            conduct_on(client, study, axes, collected, progress)


def warn_of_failures(collected):
    """A warning counts the runs that failed, and says the commonest reason first."""
    summary = summary_of(collected)
    if not summary["failed"]:
        return
    text, times = summary["sentences"][0] if summary["sentences"] else ("it is not known", summary["failed"])
    share = (
        f"All {collected.count}"
        if summary["failed"] == collected.count
        else f"{summary['failed']} of {collected.count}"
    )
    warnings.warn(f"{share} runs failed. The commonest reason ({times} of them): {text}", StudyWarning, stacklevel=5)


def warn_of_no_effect(study, axes, collected):
    """A warning names parameters on which no result depends, to the last bit: as a rule nothing reads them."""
    for k, axis in enumerate(axes.axes):
        name, *others = axis.columns
        alone = not others and name in study.system.parameters and len(np.unique(axis.columns[name])) > 1
        if alone and (collected.status == DONE).all() and not has_effect(study, axes.shape, k, collected):
            warnings.warn(
                f"No result depends on {name!r}: no part reads this parameter, or nothing that is kept or measured shows its "
                'effect. A number that was given to a part is varied by its address, such as "arm.mass"; laws read '
                "parameters by name in their text.",
                StudyWarning,
                stacklevel=5,
            )


def has_effect(study, shape, k, collected):
    """Whether some result differs along a dimension, or is not known."""
    for name in study.variables:
        along = np.moveaxis(collected.data[name].reshape(*shape, -1), k, 0)
        if any(not np.array_equal(along[0], one) for one in along[1:]):
            return True
    return False


class StudyWarning(UserWarning):
    """Some runs of a study failed, or are inaccurate, and their status and message tell why; or what varies changes
    nothing."""
