"""mekane equilibrium: where a model can stay at rest, what its joints bear there, and whether it would come back."""

from typing import Annotated

import typer

from mekane.cli import options
from mekane.cli.commands import register
from mekane.cli.console import put_answer
from mekane.cli.inputs import Model, read_model
from mekane.cli.output import PICTURE, check_targets
from mekane.cli.progress import watching

EXAMPLE = "arm.angle=30deg"
Pairs = lambda name, help: Annotated[list[str] | None, typer.Option(f"--{name}", metavar="NAME=VALUE", help=help)]
All = Annotated[bool, typer.Option("--all", help="Search from many starts, and list all equilibria found.")]
SolveFor = Annotated[
    list[str] | None,
    typer.Option("--solve-for", metavar="NAME", help="Find this parameter, such as motor.torque; repeatable."),
]
Along = Annotated[
    str | None, typer.Option("--along", metavar="NAME=FROM:TO", help="Follow equilibria while this parameter changes.")
]
At = Pairs("at", "Where to start, such as arm.angle=30deg; repeatable.")
Hold = Pairs("hold", "With --solve-for: what is held, such as arm.angle=30deg; all else finds its place. Repeatable.")
Time = options.text_option("t", "TIME", "The time at which laws and prescribed motions are taken.")


@register("equilibrium", place=120)
def command(
    model: Model,
    all: All = False,
    at: At = None,
    solve_for: SolveFor = None,
    hold: Hold = None,
    along: Along = None,
    t: Time = None,
    formulation: options.Formulation = None,
    set: options.Set = None,
    json: options.Json = False,
    plot: options.Plot = None,
):
    """Find where a model can stay at rest: positions, reactions, stability."""
    from mekane.model.values.units import quantity

    system, settings = read_model(model, set, formulation=formulation)
    check_targets((PICTURE, plot))
    given = dict(t=quantity(t or 0.0, "time", "command line", "--t"), formulation=settings.get("formulation", "joint"))
    given |= dict(at=options.pairs(at, "--at", EXAMPLE) or None)
    with options.about(model), watching(0.0):
        if along is not None:
            found = along_parameter(system, along, given)
        else:
            hold = options.pairs(hold, "--hold", EXAMPLE) or None
            found = at_rest(system, all=all, solve_for=solve_for, hold=hold, **given)
        put_answer(found, json, plot)


def at_rest(system, **given):
    from mekane.analyses.equilibrium.equilibrium import equilibrium

    return equilibrium(system, **given)


def along_parameter(system, along, given):
    from mekane.analyses.equilibrium.continuation import continuation

    name, ends = options.span(along, "--along")
    return continuation(system, name, ends, **given)
