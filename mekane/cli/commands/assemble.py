"""mekane assemble: put a model together with some coordinates pinned, and write it down."""

from pathlib import Path
from typing import Annotated

import typer

from mekane.cli import options as words
from mekane.cli.console import put_answer
from mekane.cli.output import MODEL, check_targets
from mekane.cli.progress import watching

Pins = Annotated[
    list[str], typer.Option("--pin", metavar="NAME=VALUE", help="crank=30deg, rod.position.x=0.1; may be given again.")
]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE.yaml", help="Write the assembled model here.")
]


def command(
    model: words.Model, pin: Pins = (), output: Output = None, formulation: words.Formulation = None, set: words.Set = None,
    json: words.Json = False,
):  # fmt: skip
    """Put a model together, some coordinates pinned, and write it with its bodies there."""
    from mekane.analyses.kinematics.assemble import assemble
    from mekane.importers.yaml import dump

    system, options = words.read_model(model, set, formulation=formulation)
    pins = words.pairs(pin, "--pin", "crank=30deg")
    check_targets((MODEL, output))
    with words.about(model), watching(0.0):
        found = assemble(system, pins, formulation=options.get("formulation", "joint"))
    if output is not None:
        dump(found.system, output, options)
    put_answer(found, json)
