"""mekane compare: one model by Newton, Lagrange and Kane, and whether they agree."""

from typing import Annotated

import typer

from mekane.cli import options
from mekane.cli.commands import register
from mekane.cli.console import put_answer
from mekane.cli.inputs import Model, read_model
from mekane.cli.progress import watching

Points = Annotated[
    int,
    typer.Option(
        "--points", metavar="N", help="At how many random states accelerations are compared.", min=1, max=1000
    ),
]


@register("compare", place=110)
def command(
    model: Model, points: Points = 3, formulation: options.Formulation = None, set: options.Set = None,
    json: options.Json = False,
):  # fmt: skip
    """Derive the equations of motion by three methods: their number, their size, and a check that they agree."""
    from mekane.symbolic.compare import compare

    system, settings = read_model(model, set, formulation=formulation)
    with options.about(model), watching(0.0):
        found = compare(system, settings.get("formulation", "joint"), points=points)
    put_answer(found, json)
