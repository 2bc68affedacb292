"""Pages that are served until Ctrl-C: their options, and the waiting."""

from typing import Annotated

import typer

from mekane.cli.console import put, say

Port = Annotated[
    int, typer.Option("--port", metavar="N", help="On this port of this machine, or the next that is free.")
]
NoOpen = Annotated[bool, typer.Option("--no-open", help="Only say the address, open no browser.")]


def check_port(port: int) -> None:
    """Raise for a number that is no port, before anything is computed."""
    from mekane.view.web.server import check_port

    check_port(port, "command line", "--port")


def served(app, what: str, port: int, no_open: bool) -> None:
    """Until Ctrl-C, which is its proper end."""
    from mekane.view.web.browser import opened
    from mekane.view.web.server import Server

    with Server(app, port) as server:
        try:
            if server.remark:
                say(server.remark)
            put(f"{what}: {server.address}   (Ctrl-C ends it)")
            if not no_open and not opened(server.address):
                say("No browser could be started: open the address yourself.")
            server.wait()
        except KeyboardInterrupt:
            pass
