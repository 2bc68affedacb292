"""mekane linearize, mekane modes: linearized motion about an equilibrium or a steady motion."""

from pathlib import Path
from typing import Annotated

import typer

from mekane.cli import options
from mekane.cli.commands import register
from mekane.cli.console import put, put_answer, put_json
from mekane.cli.inputs import Model, read_model
from mekane.cli.output import PICTURE, check_targets
from mekane.cli.progress import watching
from mekane.errors import ModelError

AT = ("equilibrium", "start")
BODE = PICTURE._replace(option="--bode")
RESPONSES = 200  # frequencies of a response from one to another
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
FREQUENCIES = "Frequency response, too, from FROM to TO [Hz], such as 0.1:10 or 5rad/s:900rpm; auto chooses them."
Frequencies = options.text_option("frequencies", "FROM:TO", FREQUENCIES)
Bode = Annotated[
    Path | None, typer.Option("--bode", metavar="FILE", help="Draw the frequency response (.png, .svg, .pdf).")
]
Over = Annotated[
    str | None,
    typer.Option("--over", metavar="NAME=FROM:TO", help="Eigenvalues over values of a parameter (root locus)."),
]
Points = Annotated[int, typer.Option("--points", metavar="N", help="How many values, for --over.", min=2, max=10_000)]


@register("linearize", place=130)
def linearize_command(
    model: Model, at: At = "equilibrium", inputs: Inputs = None, outputs: Outputs = None, frequencies: Frequencies = None,
    bode: Bode = None, formulation: options.Formulation = None, set: options.Set = None, json: options.Json = False,
):  # fmt: skip
    """Linearized motion as matrices A, B, C, D on independent states; its frequency response."""
    from mekane.analyses.linear.linearize import linearize

    check_targets((BODE, bode))
    chosen = read_frequencies(frequencies)
    system, settings = read_model(model, set, formulation=formulation)
    with options.about(model), watching(0.0):
        named = dict(inputs=options.listed(inputs) or (), outputs=options.listed(outputs))
        found = linearize(system, where(system, at), formulation=settings.get("formulation", "joint"), **named)
        response = found.frequency_response(chosen) if frequencies or bode else None
        if bode:
            response.bode(bode)
    put_linearization(found, response, json, bode)


def put_linearization(found, response, json, bode):
    if json:
        put_json(found.to_dict() | ({} if response is None else {"frequency_response": response.to_dict()}))
        return
    put_answer(found, as_json=False)
    if response is not None:
        put("")
        put_answer(response, as_json=False)
    if bode:
        put(f"Written: {bode}")


def read_frequencies(text):
    """ "0.1:10" → frequencies from one to the other [Hz], evenly on a logarithmic scale; None where they are chosen."""
    if text in (None, "auto"):
        return None
    import numpy as np

    from mekane.model.values.units import positive

    ends = [end.strip() for end in text.replace("..", ":").split(":")]
    if len(ends) != 2:
        expected = "two frequencies are expected, or auto"
        raise ModelError("--frequencies", f"it is {text!r}", expected, "Write --frequencies 0.1:10.")
    return np.geomspace(*(positive(end, "frequency", "--frequencies", "an end") for end in ends), RESPONSES)


@register("modes", place=140)
def modes_command(
    model: Model, at: At = "equilibrium", over: Over = None, points: Points = 50, formulation: options.Formulation = None,
    set: options.Set = None, plot: options.Plot = None, json: options.Json = False,
):  # fmt: skip
    """Frequencies, damping ratios and mode shapes; with --over, how eigenvalues move as a number changes."""
    from mekane.analyses.linear.modes import modes
    from mekane.analyses.linear.root_locus import root_locus

    system, settings = read_model(model, set, formulation=formulation)
    formulation = settings.get("formulation", "joint")
    check_targets((PICTURE, plot))
    with options.about(model), watching(0.0):
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

    name, ends = options.span(over, "--over")
    return name, np.linspace(*(quantity(end, None, "--over", name) for end in ends), points)
