"""mekane plot: a picture of a run."""

from pathlib import Path
from typing import Annotated

import typer

from mekane.cli import options as words
from mekane.cli.commands.run import exit_code
from mekane.cli.console import put, say
from mekane.cli.inputs import Source, is_result, run_of
from mekane.cli.output import DRAWING, check_targets
from mekane.errors import ModelError

CHANNELS = "What is drawn over time, such as hinge.angle or ball.position. [default: joint coordinates]"
Channels = Annotated[list[str] | None, typer.Argument(metavar="NAMES", help=CHANNELS, show_default=False)]
WHERE = "Write the picture here (.png, .svg, .pdf). [default: the name of the source with .png]"
Output = Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help=WHERE)]
Phase = words.said("phase", "NAME", "A phase portrait instead: its rate over this quantity.")
Spectrum = words.said("spectrum", "NAME", "How much of each frequency is in this quantity instead.")
Reactions = words.said("reactions", "JOINT", "Force and moment in this joint, or of this constraint, instead.")
Energy = Annotated[bool, typer.Option("--energy", help="The ledger of energy instead.")]
Residual = Annotated[bool, typer.Option("--residual", help="By how much joints and constraints are open instead.")]
AGAINST = "Another run (as FILE) to be drawn beside it. May be repeated."
Against = Annotated[list[Path] | None, typer.Option("--against", metavar="FILE", help=AGAINST)]


def command(
    source: Source, names: Channels = None, output: Output = None, phase: Phase = None, energy: Energy = False,
    reactions: Reactions = None, spectrum: Spectrum = None, residual: Residual = False, against: Against = None,
    t_end: words.TEnd = None, every: words.Every = None, set: words.Set = None,
):  # fmt: skip
    """Draw a run: quantities over time, a phase portrait, a spectrum, reactions, energies or residuals."""
    kind, about = only_one(
        {"phase": phase, "energy": energy, "reactions": reactions, "spectrum": spectrum, "residual": residual}
    )
    if kind and (names or against):
        other = "names" if names else "--against"
        raise ModelError(
            "plot",
            f"{other} and --{kind} are both said",
            "one picture is drawn at a time",
            f"Leave out {other} or --{kind}.",
        )
    path = output or Path(f"{source.stem}.png")
    check_targets((DRAWING, path))
    run = run_of(source, t_end, every, set)
    others = {str(other): run_of(other, t_end, every, set) for other in against or ()}
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


def only_one(wanted: dict) -> tuple[str, list[str]]:
    """The kind of picture and what it is about; ("", []) if none is said."""
    said = {kind: value for kind, value in wanted.items() if value not in (None, False)}
    if len(said) > 1:
        both = " and ".join(f"--{kind}" for kind in said)
        raise ModelError("plot", f"{both} are both said", "one picture is drawn at a time", "Leave out all but one.")
    kind, value = next(iter(said.items()), ("", ""))
    return kind, [value] if kind and isinstance(value, str) else []
