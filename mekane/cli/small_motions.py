"""mekane linearize, mekane modes: small motions about where a model rests or moves steadily."""

from pathlib import Path
from typing import Annotated

import typer

from mekane.cli import settings as words
from mekane.cli.files import check_folder
from mekane.cli.watching import watching
from mekane.cli.words import put, put_json
from mekane.errors import ModelError

AT = ("equilibrium", "start")
At = Annotated[str, typer.Option("--at", metavar="WHERE", help="equilibrium: look for one from the state in the file; start: that state.")]
Inputs = Annotated[str | None, typer.Option("--inputs", metavar="NAMES", help="Parameters or numbers such as motor.torque, by commas.")]
Outputs = Annotated[str | None, typer.Option("--outputs", metavar="NAMES", help="Expressions of the state, by commas: arm.position.x.")]
Over = Annotated[str | None, typer.Option("--over", metavar="NAME=A..B", help="Eigenvalues over values of a parameter (root locus).")]
Points = Annotated[int, typer.Option("--points", metavar="N", help="How many values, for --over.", min=2, max=10_000)]
Plot = Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="Draw it (.png, .pdf, .svg).")]


def linearize_command(
    model: words.Model, at: At = "equilibrium", inputs: Inputs = None, outputs: Outputs = None, formulation: words.Formulation = None,
    set: words.Set = None, json: words.Json = False,
):  # fmt: skip
    """Small motions as matrices A, B, C, D on independent states."""
    from mekane.analyses.linearize import linearize

    system, options = words.read_model(model, set=set, formulation=formulation)
    with words.about(model), watching(0.0):
        named = dict(inputs=listed(inputs) or (), outputs=listed(outputs))
        found = linearize(system, where(system, at), formulation=options.get("formulation", "joint"), **named)
    answer(found, json)


def modes_command(
    model: words.Model, at: At = "equilibrium", over: Over = None, points: Points = 50, formulation: words.Formulation = None,
    set: words.Set = None, plot: Plot = None, json: words.Json = False,
):  # fmt: skip
    """Frequencies, damping and shapes of small motions; with --over, how eigenvalues move as a number changes."""
    from mekane.analyses.modes import modes
    from mekane.analyses.root_locus import root_locus

    system, options = words.read_model(model, set=set, formulation=formulation)
    formulation = options.get("formulation", "joint")
    if plot is not None:
        check_folder(plot.parent)
    with words.about(model), watching(0.0):
        if over is None:
            found = modes(system, where(system, at), formulation=formulation)
        else:
            name, values = read_range(over, points)
            found = root_locus(system, name, values, at=lambda s: where(s, at), formulation=formulation)
    if plot is not None:
        found.plot(plot)
    answer(found, json)


def answer(found, json):
    if json:
        put_json(found.to_dict())
    else:
        put(str(found))


def where(system, at):
    """Where to linearize."""
    if at not in AT:
        raise ModelError("--at", f"it is {at!r}", f"one of {', '.join(AT)} is expected")
    if at == "start":
        return None
    from mekane.analyses.equilibrium import equilibrium

    return equilibrium(system)


def listed(text):
    return None if text is None else [word.strip() for word in text.split(",") if word.strip()]


def read_range(text, points):
    """ "k=1..9" → the name and evenly spaced values."""
    import numpy as np

    name, _, span = text.partition("=")
    try:
        first, last = map(float, span.split(".."))
    except ValueError:
        raise ModelError("--over", f"it is {text!r}", "a name and a range are expected", "Write --over k=1..9.") from None
    return name.strip(), np.linspace(first, last, points)
