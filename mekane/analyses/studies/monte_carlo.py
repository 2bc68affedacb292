"""monte_carlo: many runs of one system whose numbers are known by distributions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from mekane.analyses.batch.varied_system import check_names
from mekane.analyses.studies.axes import Axes, Axis, read_number
from mekane.analyses.studies.distributions import Distribution
from mekane.analyses.studies.point_analyses import check_analysis, where_of
from mekane.analyses.studies.sampling import unit_points
from mekane.analyses.studies.study import Study
from mekane.analyses.studies.sweep import carried_out, times_of
from mekane.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike
    from typing import Any

    from numpy.typing import ArrayLike
    from xarray import Dataset

    from mekane.model.system import System
    from mekane.model.types import NumberLike


def monte_carlo(
    system: System,
    vary: Mapping[str, Any],
    *,
    n: int = 1024,
    seed: int = 1,
    sampling: str = "sobol",
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
    """Runs of a system whose numbers are known by distributions, as an xarray.Dataset along the dimension `run`.

    Parameters:
        system: what is computed, again and again.
        vary: {name: distribution}: mk.normal("4 kN/m", "5 %"), mk.uniform(0.1, 0.3), mk.lognormal, mk.triangular,
            mk.truncated_normal. Names as in mk.sweep.
        n: how many runs; powers of two suit "sobol". Of "saltelli" and "morris" the base number.
        seed: the same seed gives the same runs.
        sampling: "sobol", "latin" or "random"; "saltelli" or "morris" for mk.sensitivity_indices.
        t_end, every, keep, measure, analysis, at, explain, to, engine, error, threads, workers, cluster, progress, settings: as in
            mk.sweep.

    Returns:
        Dataset: along `run`, with the values that varied as coordinates. mk.plot_histogram and mk.plot_band draw it.

    Example:
        from mekane import gallery
        s = gallery.find("pendulum").system()
        vary = {"bob.mass": mk.normal("1 kg", "5 %"), "hinge.rate": mk.uniform(0, "60 deg/s")}
        ds = mk.monte_carlo(s, vary, n=8, t_end=1.0, measure={"pull": "max(abs(hinge.reaction.force))"})
        print(ds["pull"].quantile([0.05, 0.95]).values)
    """
    analysis = check_analysis(analysis)
    axes = drawn(system, vary, n, seed, sampling)
    wanted = dict(keep=keep, measure=measure, analysis=analysis, at=where_of(at), engine=engine, error=error)
    study = Study(system, list(axes.columns), times=times_of(analysis, t_end, every), settings=settings, **wanted)
    study.notes = dict(
        distributions=json.dumps({name: repr(one) for name, one in vary.items()}), seed=seed, sampling=sampling
    )
    study.notes |= dict(base_number=n)
    return carried_out(
        study, axes, explain, to=to, threads=threads, workers=workers, cluster=cluster, progress=progress
    )


def drawn(system, vary, n, seed, sampling):
    """Axes of one dimension, `run`, along which everything varies."""
    check_distributions(system, vary)
    points = unit_points(sampling, n, len(vary), seed)
    columns = {name: one.quantiles(points[:, k]) for k, (name, one) in enumerate(vary.items())}
    return Axes((Axis("run", columns),))


def check_distributions(system, vary):
    part, example = "monte_carlo", 'Write {"k": mk.normal("4 kN/m", "5 %")}.'
    if not isinstance(vary, Mapping) or not vary:
        raise ModelError(part, "nothing varies", "names and distributions are expected", example)
    for name, one in vary.items():
        if not isinstance(one, Distribution):
            raise ModelError(part, f"{name!r} is {one!r}", "a distribution is expected", example)
    check_names(system, list(vary), part)
    from mekane.analyses.batch.varied_system import unit_of

    for name, one in vary.items():
        read_number(one.given[0], unit_of(system, name), name, part)
