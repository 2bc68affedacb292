"""mekane sweep: many runs of a model over values of its numbers."""

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from mekane.cli import options
from mekane.cli.commands import register
from mekane.cli.console import put, put_json, say
from mekane.cli.errors import INTERRUPTED, STOPPED
from mekane.cli.inputs import Model, read_model
from mekane.cli.output import PICTURE, Kind, check_targets
from mekane.cli.varied_values import is_drawn, varied
from mekane.errors import ModelError, many

VARY = (
    "What varies: k=1e3:5e3:40 (from, to, how many), crank.mass=0.4,0.5kg, formulation=joint,absolute; or by a "
    'distribution: "k=normal(4 kN/m, 5 %)", "c=uniform(1, 3)", lognormal, triangular, truncated_normal. May be repeated.'
)
MEASURE = 'One number of each run: "peak=max(abs(wrist.reaction.force))", "end=hinge.angle[-1]". May be repeated.'
Vary = Annotated[list[str], typer.Option("--vary", metavar="NAME=VALUES", help=VARY)]
Measure = Annotated[list[str] | None, typer.Option("--measure", metavar="NAME=FORMULA", help=MEASURE)]
Keep = options.text_option("keep", "CHANNELS", "Channels to keep over time, by commas.")
Analysis = options.text_option("analysis", "NAME", "simulate, equilibrium, linearize or modes.")
At = options.text_option("at", "NAME", "Where to linearize: equilibrium.")
OUTPUT = "Write the result here (.nc). A sweep that was interrupted goes on from it."
Output = Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help=OUTPUT)]
Explain = Annotated[bool, typer.Option("--explain", help="Tell how many runs, how long and how much memory; then end.")]
Threads = Annotated[int | None, typer.Option("--threads", help="Threads; by default one for each processor.")]
Workers = Annotated[int | None, typer.Option("--workers", help="Processes on this machine, started and ended (dask).")]
Cluster = options.text_option("cluster", "ADDRESS", "The scheduler of a dask cluster, such as tcp://host:8786.")
Samples = Annotated[int | None, typer.Option("--samples", help="Runs drawn from the distributions; 1024 if not given.")]
Seed = Annotated[int | None, typer.Option("--seed", help="Of what is drawn; the same seed gives the same runs.")]
Sampling = options.text_option("sampling", "NAME", "sobol, latin, random, saltelli or morris.")
ERROR = "Repeat runs until their estimated global error is at most this share of the motion, such as 1e-8; true: estimate it."
Error = options.text_option("error", "SHARE", ERROR)
STORE = Kind("sweeps", lambda installed: [".nc"])


@register("sweep", place=45)
def command(
    model: Model, vary: Vary, measure: Measure = None, keep: Keep = None, analysis: Analysis = None, at: At = None,
    output: Output = None, plot: options.Plot = None, explain: Explain = False, threads: Threads = None, workers: Workers = None,
    cluster: Cluster = None, t_end: options.TEnd = None, every: options.Every = None, method: options.Method = None,
    rtol: options.Rtol = None, atol: options.Atol = None, formulation: options.Formulation = None,
    until: options.Until = None, set: options.Set = None, json: options.Json = False, samples: Samples = None,
    seed: Seed = None, sampling: Sampling = None, error: Error = None,
):  # fmt: skip
    """Run a model over a grid of values, or of values drawn by chance: one number or several channels of each run."""
    given = dict(t_end=t_end, every=every, method=method, rtol=rtol, atol=atol, formulation=formulation, until=until)
    system, settings = read_model(model, set, **given)
    check_targets((STORE, output), (PICTURE, plot))
    wanted = dict(
        keep=options.listed(keep), measure=options.pairs(measure, "--measure", '"peak=max(hinge.angle)"') or None
    )
    where = dict(to=output, threads=threads, workers=workers, cluster=cluster, explain=explain)
    wanted |= dict(analysis=analysis or "simulate", at=at, error=True if error == "true" else error)
    with options.about(model):
        study, drawing = study_of(numbers := varied(vary), dict(n=samples, seed=seed, sampling=sampling))
        found = study(system, numbers, **wanted, **where, **drawing, **settings)
    if explain:
        put_json(found.to_dict()) if json else put(str(found))
        return
    if plot is not None:
        from mekane.analyses.studies.figures_of_studies import plot_histogram, plot_sweep

        (plot_histogram if is_drawn(numbers) else plot_sweep)(found, path=plot)
    put_json(summary(found)) if json else put(as_text(found))
    if output is not None:
        say(f"Written to {output}.")
    raise typer.Exit(exit_code(found.attrs))


def exit_code(attrs) -> int:
    """0 where at least one run has numbers."""
    if attrs["runs_missing"]:
        return INTERRUPTED
    return STOPPED if attrs["runs_failed"] == attrs["runs"] else 0


def study_of(numbers, drawing):
    """(mk.monte_carlo, its options) for distributions, (mk.sweep, {}) for values."""
    from mekane.analyses.studies.monte_carlo import monte_carlo
    from mekane.analyses.studies.sweep import sweep

    given = {name: value for name, value in drawing.items() if value is not None}
    if is_drawn(numbers):
        return monte_carlo, given
    if given:
        problem = f"{', '.join('--samples' if name == 'n' else '--' + name for name in given)} is given"
        raise ModelError(
            "command line", problem, "a distribution is expected with it", 'Write --vary "k=uniform(1, 2)".'
        )
    return sweep, {}


def summary(ds) -> dict:
    """What a program wants to know without reading the file."""
    kept = (
        "runs",
        "runs_done",
        "runs_inaccurate",
        "runs_failed",
        "runs_missing",
        "engine",
        "content_hash",
        "mekane_version",
    )
    ranges = {str(name): extent(ds[name]) for name in ds.data_vars if name not in ("status", "message")}
    return {name: ds.attrs[name] for name in kept} | {"dimensions": dict(ds.sizes), "variables": ranges}


def extent(one) -> dict:
    values = one.values[np.isfinite(one.values)]
    empty = not len(values)
    ends = dict(least=None, greatest=None) if empty else dict(least=float(values.min()), greatest=float(values.max()))
    return ends | {"unit": one.attrs.get("units", "")}


def as_text(ds) -> str:
    a = ds.attrs
    lines = [
        f"{a['title']}: {a['runs_done']} done, {a['runs_failed']} failed, {a['runs_missing']} missing; {a['engine']}."
    ]
    if a["runs_inaccurate"]:
        lines.append(f"  {many(a['runs_inaccurate'], 'run')} inaccurate: error shows how much.")
    if "error_largest" in a:
        lines.append(
            f"  {a['errors_checked']} were checked: their error is at most {a['error_largest']:.1g} of the motion."
        )
    for name, found in summary(ds)["variables"].items():
        if found["least"] is not None:
            lines.append(f"  {name}: {found['least']:.6g} to {found['greatest']:.6g} {found['unit']}".rstrip())
    return "\n".join(lines)
