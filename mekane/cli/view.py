"""mekane view: a motion in the browser, served to this machine alone; or as a file to share."""

from pathlib import Path
from typing import Annotated

import typer

from mekane.cli import settings as words
from mekane.cli.files import PAGE, check_targets
from mekane.cli.sources import Source, run_of
from mekane.cli.words import put, say
from mekane.errors import ModelError

WHERE = "Write the page here (.html), to be opened without Mekane; none is served."
Output = Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help=WHERE)]
WHAT = "What is plotted. [default: joint coordinates]"
Plots = Annotated[list[str] | None, typer.Argument(metavar="NAMES", help=WHAT, show_default=False)]
PORT = 8150
Port = Annotated[int, typer.Option("--port", metavar="N", help="Serve the page here, or at the next free port.")]
Closed = Annotated[bool, typer.Option("--no-open", help="Only say the address, and open no browser.")]


def command(
    source: Source, names: Plots = None, output: Output = None, port: Port = PORT, no_open: Closed = False,
    t_end: words.TEnd = None, every: words.Every = None, set: words.Set = None,
):  # fmt: skip
    """See a run move, with its plots: a page in the browser, or a file to share."""
    check_targets((PAGE, output))
    if not 0 <= port <= 65535:
        raise ModelError("command line", f"--port is {port}", "a number from 0 to 65535 is expected", f"Write --port {PORT}.")
    run = run_of(source, t_end, every, set)
    if output is None:
        serve(run, names or None, port, no_open)
        return
    run.save_html(output, plots=names or None)
    put(f"Written: {output}")


def serve(run, names, port, no_open):
    from mekane.view.viewer import Viewer

    served(Viewer(run, names), port, no_open)


def served(app, port, no_open, what="Shown"):
    """Until Ctrl-C."""
    from mekane.view.server import Server
    from mekane.view.window import opened

    with Server(app, port) as server:
        try:
            if server.remark:
                say(f"Remark: {server.remark}")
            put(f"{what} at {server.address} (Ctrl-C ends it)")
            if not no_open and not opened(server.address):
                say("No browser could be started: open this address yourself.")
            server.wait()
        except KeyboardInterrupt:
            pass
