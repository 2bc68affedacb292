"""The program `mekane`. Its commands are found in mekane/cli/commands."""

import sys
from typing import Annotated

import typer

from mekane import __version__
from mekane.cli.commands import commands
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
for entry in commands():
    app.command(entry.name, hidden=entry.hidden)(entry.function)


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
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    others = [argument for argument in arguments if argument != "--traceback"]  # may stand anywhere
    with ending_as_ctrl_c(), explained(traceback="--traceback" in arguments, json="--json" in arguments):
        app(args=others, prog_name="mekane")


if __name__ == "__main__":
    main()
