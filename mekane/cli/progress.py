"""What a person sees while a command is at work: how far it is, and that Ctrl-C was noticed."""

from contextlib import contextmanager

import typer

from mekane.cli.console import say
from mekane.cli.errors import INTERRUPTED
from mekane.progress import Bar


@contextmanager
def watching(t_end: float):
    """Gives the callable that `simulate` wants as progress."""
    bar = Bar(t_end)
    try:
        yield bar
    except KeyboardInterrupt:  # later ones are caught by the solver, which keeps what it has
        bar.close()
        say("Stopped before the first step: there is nothing to keep.")
        raise typer.Exit(INTERRUPTED) from None
    finally:
        bar.close()
