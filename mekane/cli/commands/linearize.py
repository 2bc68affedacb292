"""mekane linearize, mekane modes: small motions about where a model rests or moves steadily."""

from typing import Annotated

import typer

from mekane.cli import options as words
from mekane.cli.console import put_answer
from mekane.cli.output import PICTURE, check_targets
from mekane.cli.progress import watching
from mekane.errors import ModelError

AT = ("equilibrium", "start")
At = Annotated[
    str,
    typer.Option(
        "--at", metavar="WHERE", help="equilibrium: look for one from the state in the file; start: that state."
    ),
]
Inputs = Annotated[
    str | None, typer.Option("--inputs", metavar="NAMES", help="Parameters or numbers such as motor.torque, by commas.")
]
Outputs = Annotated[
    str | None, typer.Option("--outputs", metavar="NAMES", help="Expressions of the state, by commas: arm.position.x.")
]
Over = Annotated[
    str | None,
    typer.Option("--over", metavar="NAME=FROM:TO", help="Eigenvalues over values of a parameter (root locus)."),
]
Points = Annotated[int, typer.Option("--points", metavar="N", help="How many values, for --over.", min=2, max=10_000)]


def linearize_command(
    model: words.Model, at: At = "equilibrium", inputs: Inputs = None, outputs: Outputs = None, formulation: words.Formulation = None,
    set: words.Set = None, json: words.Json = False,
):  # fmt: skip
    """Small motions as matrices A, B, C, D on independent states."""
    from mekane.analyses.linear.linearize import linearize

    system, options = words.read_model(model, set, formulation=formulation)
    with words.about(model), watching(0.0):
        named = dict(inputs=words.listed(inputs) or (), outputs=words.listed(outputs))
        found = linearize(system, where(system, at), formulation=options.get("formulation", "joint"), **named)
    put_answer(found, json)


def modes_command(
    model: words.Model, at: At = "equilibrium", over: Over = None, points: Points = 50, formulation: words.Formulation = None,
    set: words.Set = None, plot: words.Plot = None, json: words.Json = False,
):  # fmt: skip
    """Frequencies, damping and shapes of small motions; with --over, how eigenvalues move as a number changes."""
    from mekane.analyses.linear.modes import modes
    from mekane.analyses.linear.root_locus import root_locus

    system, options = words.read_model(model, set, formulation=formulation)
    formulation = options.get("formulation", "joint")
    check_targets((PICTURE, plot))
    with words.about(model), watching(0.0):
        if over is None:
            found = modes(system, where(system, at), formulation=formulation)
        else:
            name, values = spaced(over, points)
            found = root_locus(system, name, values, at=lambda s: where(s, at), formulation=formulation)
    put_answer(found, json, plot)


def where(system, at):
    """Where to linearize."""
    if at not in AT:
        raise ModelError("--at", f"it is {at!r}", f"one of {', '.join(AT)} is expected")
    if at == "start":
        return None
    from mekane.analyses.equilibrium.equilibrium import equilibrium

    return equilibrium(system)


def spaced(over, points):
    """ "k=1:9" → the name and evenly spaced values."""
    import numpy as np

    from mekane.model.values.units import quantity

    name, ends = words.span(over, "--over")
    return name, np.linspace(*(quantity(end, None, "--over", name) for end in ends), points)
