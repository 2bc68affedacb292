"""The command `mekane`. Each command is a file of this folder; what it needs it imports when it is called, so that it
starts quickly."""

import sys
from typing import Annotated

import typer

from mekane import __version__
from mekane.cli.commands import (
    assemble,
    check,
    compare,
    demo,
    equations,
    equilibrium,
    gallery,
    info,
    inverse,
    kinematics,
    linearize,
    optimize,
    plot,
    report,
    run,
    studio,
    view,
    warm,
)
from mekane.cli.errors import explained
from mekane.cli.signals import ending_as_ctrl_c

app = typer.Typer(
    name="mekane",
    help="Multibody dynamics: a mechanism in, its motion and its forces out.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.command("check")(check.command)
app.command("info")(info.command)
app.command("run")(run.command)
app.command("report")(report.command)
app.command("view")(view.command)
app.command("studio")(studio.command)
app.command("plot")(plot.command)
app.command("assemble")(assemble.command)
app.command("kinematics")(kinematics.command)
app.command("equations")(equations.command)
app.command("compare")(compare.command)
app.command("equilibrium")(equilibrium.command)
app.command("linearize")(linearize.linearize_command)
app.command("modes")(linearize.modes_command)
app.command("inverse")(inverse.command)
app.command("optimize")(optimize.command)
app.command("gallery")(gallery.command)
app.command("demo")(demo.command)
app.command("warm", hidden=True)(warm.command)


def show_version(wanted: bool):
    if wanted:
        typer.echo(f"mekane {__version__}")
        raise typer.Exit()


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Show the version.")
    ] = False,
    traceback: Annotated[
        bool, typer.Option("--traceback", help="Show where an error comes from (for any command).")
    ] = False,
):
    pass


def main(arguments: list[str] | None = None) -> None:
    words = sys.argv[1:] if arguments is None else list(arguments)
    rest = [word for word in words if word != "--traceback"]  # may stand anywhere
    with ending_as_ctrl_c(), explained(traceback="--traceback" in words, json="--json" in words):
        app(args=rest, prog_name="mekane")


if __name__ == "__main__":
    main()
