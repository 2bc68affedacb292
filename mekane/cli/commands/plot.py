"""mekane plot: a picture of a run."""

from pathlib import Path
from typing import Annotated

import typer

from mekane.cli import options
from mekane.cli.commands import register
from mekane.cli.commands.run import exit_code
from mekane.cli.console import put, say
from mekane.cli.inputs import Source, is_result
from mekane.cli.output import DRAWING, check_targets
from mekane.cli.runs import run_of
from mekane.errors import ModelError

CHANNELS = "What is drawn over time, such as hinge.angle, ball.position or a formula, '2*p.angle + q.angle'. [default: joint coordinates]"
Channels = Annotated[list[str] | None, typer.Argument(metavar="NAMES", help=CHANNELS, show_default=False)]
WHERE = "Write the picture here (.png, .svg, .pdf). [default: the name of the source with .png]"
Output = Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help=WHERE)]
Phase = options.text_option("phase", "NAME", "A phase portrait instead: its rate over this quantity.")
Spectrum = options.text_option("spectrum", "NAME", "How much of each frequency is in this quantity instead.")
Reactions = options.text_option("reactions", "JOINT", "Force and moment in this joint, or of this constraint, instead.")
Energy = Annotated[bool, typer.Option("--energy", help="The ledger of energy instead.")]
Residual = Annotated[bool, typer.Option("--residual", help="By how much joints and constraints are open instead.")]
AGAINST = "Another run (as FILE) to be drawn beside it. May be repeated."
Against = Annotated[list[Path] | None, typer.Option("--against", metavar="FILE", help=AGAINST)]
ONE_PICTURE = "one picture is drawn at a time"


@register("plot", place=70)
def command(
    source: Source, names: Channels = None, output: Output = None, phase: Phase = None, energy: Energy = False,
    reactions: Reactions = None, spectrum: Spectrum = None, residual: Residual = False, against: Against = None,
    t_end: options.TEnd = None, every: options.Every = None, set: options.Set = None,
):  # fmt: skip
    """Draw a run: quantities over time, a phase portrait, a spectrum, reactions, energies or residuals."""
    kinds = {"phase": phase, "energy": energy, "reactions": reactions, "spectrum": spectrum, "residual": residual}
    kind = options.only_one("plot", kinds, ONE_PICTURE)
    if kind and (names or against):
        other = "names" if names else "--against"
        raise ModelError(
            "plot",
            f"{other} and --{kind} are both given",
            ONE_PICTURE,
            f"Leave out {other} or --{kind}.",
        )
    path = output or Path(f"{source.stem}.png")
    check_targets((DRAWING, path))
    run = run_of(source, t_end, every, set)
    others = {str(other): run_of(other, t_end, every, set) for other in against or ()}
    about = [kinds[kind]] if isinstance(kinds.get(kind), str) else []
    draw(run, source, names or [], kind, about, others, path)
    put(f"Written: {path}")
    if run.info.get("stopped"):
        say(f"Not finished: {run.info['stopped']}.")
        raise typer.Exit(0 if is_result(source) else exit_code(run.info["stopped"]))


def draw(run, source, names, kind, about, others, path):
    from mekane.view.plots.plot import plot_runs

    if kind:
        getattr(run, f"plot_{kind}")(*about, path=path)
    elif others:
        plot_runs({str(source): run, **others}, *names, path=path)
    else:
        run.plot(*names, path=path)
