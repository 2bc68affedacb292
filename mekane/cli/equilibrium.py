"""mekane equilibrium: where a model can stay at rest, what its joints bear there, and whether it would come back."""

from pathlib import Path
from typing import Annotated

import typer

from mekane.cli import settings as words
from mekane.cli.watching import watching
from mekane.cli.words import put, put_json
from mekane.errors import ModelError

Pairs = lambda name, help: Annotated[list[str] | None, typer.Option(f"--{name}", metavar="NAME=VALUE", help=help)]
All = Annotated[bool, typer.Option("--all", help="Search from many starts, and list all equilibria found.")]
SolveFor = Annotated[
    list[str] | None, typer.Option("--solve-for", metavar="NAME", help="Find this parameter, such as motor.torque; repeatable.")
]
Along = Annotated[str | None, typer.Option("--along", metavar="NAME=FROM:TO", help="Follow equilibria while this parameter changes.")]
Plot = Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="Draw it, or with --along the bifurcation diagram.")]
At = Pairs("at", "Where to start, such as arm.angle=30deg; repeatable.")
Hold = Pairs("hold", "With --solve-for: what is held, such as arm.angle=30deg; all else finds its place. Repeatable.")
Time = words.said("t", "TIME", "The time at which laws and told motions are taken.")


def command(
    model: words.Model,
    all: All = False,
    at: At = None,
    solve_for: SolveFor = None,
    hold: Hold = None,
    along: Along = None,
    t: Time = None,
    formulation: words.Formulation = None,
    json: words.Json = False,
    plot: Plot = None,
):
    """Find where a model can stay at rest: positions, reactions, stability."""
    system, options = words.read_model(model, formulation=formulation)
    with words.about(model), watching(0.0):
        found = answer(
            system, all, pairs(at, "--at"), solve_for, pairs(hold, "--hold"), along, t or 0.0, options.get("formulation", "joint")
        )
        text = found.to_dict() if json else str(found)
        if plot is not None:
            found.plot(plot)
    put_json(text) if json else put(text)


def answer(system, all, at, solve_for, hold, along, t, formulation):
    from mekane.analyses.continuation import continuation
    from mekane.analyses.equilibrium import equilibrium
    from mekane.model.units import quantity

    t = quantity(t, "time", "command line", "--t")
    if along is None:
        return equilibrium(system, at=at, t=t, all=all, solve_for=solve_for, hold=hold, formulation=formulation)
    name, _, span = along.partition("=")
    if span.count(":") != 1:
        raise ModelError("--along", f"it is {along!r}", "a parameter and two values are expected", "Write --along load=0:20.")
    return continuation(system, name, span.split(":"), at=at, t=t, formulation=formulation)


def pairs(said, word):
    """{"arm": "30deg"} from ["arm=30deg"]; None if nothing was said."""
    if not said:
        return None
    for one in said:
        if "=" not in one:
            raise ModelError(word, f"it is {one!r}", "a name and a value are expected", f"Write {word} arm.angle=30deg.")
    return dict(one.split("=", 1) for one in said)
