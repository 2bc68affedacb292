"""mekane studio: a model, its sliders and its motion on one page of the browser."""

from pathlib import Path
from typing import Annotated

import typer

from mekane.cli.sources import is_result, mechanism_of
from mekane.cli.words import put, say
from mekane.errors import FileError

WHAT = "A model file or the name of a mechanism of the gallery. [default: a first model]"
Source = Annotated[Path | None, typer.Argument(metavar="MODEL", help=WHAT, show_default=False)]
Port = Annotated[int, typer.Option("--port", metavar="N", help="On this port of this machine, or the next that is free.")]
NoOpen = Annotated[bool, typer.Option("--no-open", help="Only say the address, open no browser.")]


def command(source: Source = None, port: Port = 8150, no_open: NoOpen = False):
    """Change a model and see what it does: sliders, text, equilibrium, modes, equations, in the browser."""
    from mekane.view.server import Server

    desk = desk_of(source)
    with Server(desk, port) as server:
        if server.remark:
            say(server.remark)
        put(f"Studio: {server.address}   (Ctrl-C ends it)")
        if not no_open:
            open_browser(server.address)
        server.wait()


def desk_of(source: Path | None):
    from mekane.view.studio import opening

    if source is None:
        return opening.first_desk()
    if is_result(source):
        raise FileError(str(source), "it is a result", "the studio opens models", f"Write  mekane view {source}  to see it.")
    mechanism = mechanism_of(source)
    return opening.desk_of_file(source) if mechanism is None else opening.desk_of_mechanism(mechanism)


def open_browser(address: str) -> None:
    import webbrowser

    try:
        opened = webbrowser.open(address)
    except Exception:
        opened = False
    if not opened:
        say("No browser could be started: open the address yourself.")
