"""mekane compare: one model by Newton, Lagrange and Kane, and whether they agree."""

from typing import Annotated

import typer

from mekane.cli import settings as words
from mekane.cli.watching import watching
from mekane.cli.words import put_answer

Points = Annotated[
    int, typer.Option("--points", metavar="N", help="At how many random states accelerations are compared.", min=1, max=1000)
]
Show = Annotated[str | None, typer.Option("--show", metavar="METHOD", help="Write the equations by newton, lagrange or kane below.")]


def command(
    model: words.Model, points: Points = 3, show: Show = None, formulation: words.Formulation = None, set: words.Set = None,
    json: words.Json = False,
):  # fmt: skip
    """Derive the equations of motion by three methods: their number, their size, and a check that they agree."""
    from mekane.errors import ModelError, did_you_mean
    from mekane.symbolic.compare import ORDER, compare

    if show is not None and show not in ORDER:
        raise ModelError("--show", f"it is {show!r}", f"one of {', '.join(ORDER)} is expected", did_you_mean(show, ORDER).strip())
    system, options = words.read_model(model, set, formulation=formulation)
    with words.about(model), watching(0.0):
        found = compare(system, options.get("formulation", "joint"), points=points)
    put_answer(found, json)
    if show is not None and not json:
        typer.echo(f"\n{getattr(found, show)}")
