"""mekane assemble: put a model together with some coordinates pinned, and write it down."""

from pathlib import Path
from typing import Annotated

import typer

from mekane.cli import options
from mekane.cli.commands import register
from mekane.cli.console import put_answer
from mekane.cli.inputs import Model, read_model
from mekane.cli.output import MODEL, check_targets, write_model
from mekane.cli.progress import watching

Pins = Annotated[
    list[str], typer.Option("--pin", metavar="NAME=VALUE", help="crank=30deg, rod.position.x=0.1; may be given again.")
]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE.yaml", help="Write the assembled model here.")
]


@register("assemble", place=80)
def command(
    model: Model, pin: Pins = (), output: Output = None, formulation: options.Formulation = None, set: options.Set = None,
    json: options.Json = False,
):  # fmt: skip
    """Put a model together, some coordinates pinned, and write it with its bodies there."""
    from mekane.analyses.kinematics.assemble import assemble

    system, settings = read_model(model, set, formulation=formulation)
    pins = options.pairs(pin, "--pin", "crank=30deg")
    check_targets((MODEL, output))
    with options.about(model), watching(0.0):
        found = assemble(system, pins, formulation=settings.get("formulation", "joint"))
    if output is not None:
        write_model(found.system, output, settings)
    put_answer(found, json)
