"""mekane optimize: parameters of a model from measurements."""

from pathlib import Path
from typing import Annotated

import typer

from mekane.cli import options
from mekane.cli.commands import register
from mekane.cli.console import put, put_json
from mekane.cli.inputs import Model, read_model
from mekane.cli.output import MODEL, PICTURE, check_targets, write_model
from mekane.cli.progress import watching
from mekane.errors import ModelError

WHICH = "What to find, with bounds: l=0.1..2, arm.mass=0..5, or names alone. By commas, or repeated."
Parameters = Annotated[list[str], typer.Option("--parameters", "-p", metavar="NAME=A..B", help=WHICH)]
Fit = Annotated[
    Path,
    typer.Option(
        "--fit", metavar="FILE", help="Measurements: a table (.csv) with a column t and columns such as hinge.angle."
    ),
]
Sigma = Annotated[
    str | None,
    typer.Option("--sigma", metavar="NUMBER", help="Standard deviation of the measurements, if it is known."),
]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write the model with the values found here (.yaml)."),
]
Plot = Annotated[
    Path | None,
    typer.Option("--plot", metavar="FILE", help="Draw what was measured and what was fitted (.png, .pdf, .svg)."),
]


@register("optimize", place=160)
def command(
    model: Model, parameters: Parameters, fit: Fit, sigma: Sigma = None, formulation: options.Formulation = None,
    set: options.Set = None, output: Output = None, plot: Plot = None, json: options.Json = False,
):  # fmt: skip
    """Find parameters with which a model moves as was measured."""
    from mekane.analyses.optimize.optimize import optimize
    from mekane.cli.motion_file import read_columns

    system, settings = read_model(model, set, formulation=formulation)
    check_targets((MODEL, output), (PICTURE, plot))
    bounds, measured = dict(map(name_and_bounds, split(parameters))), read_columns(fit)
    with options.about(model), watching(0.0):
        given = dict(sigma=number(sigma, "--sigma"), formulation=settings.get("formulation", "joint"))
        found = optimize(system, bounds, fit=measured, **given)
    if output is not None:
        write_model(found.system, output)
    if plot is not None:
        found.plot(plot)
    put_json(found.to_dict()) if json else put(str(found))


def split(texts: list[str]) -> list[str]:
    return [name for text in texts for name in options.listed(text)]


def name_and_bounds(text: str):
    """ "l=0.1..2" → ("l", (0.1, 2.0)); "l" → ("l", None)."""
    name, sign, span = text.partition("=")
    if not sign:
        return name, None
    low, dots, high = span.partition("..")
    if not dots:
        raise ModelError(
            "--parameters",
            f"{text!r} has no range",
            "a name and its bounds are expected",
            f"Write {name.strip()}=0.1..2.",
        )
    return name.strip(), (number(low, "--parameters"), number(high, "--parameters"))


def number(text, option):
    """None where nothing is given."""
    if text is None or not text.strip():
        return None
    try:
        return float(text)
    except ValueError:
        raise ModelError(option, f"{text!r} is there", "a number is expected", "Write numbers in SI units.") from None
