"""What a person sees while a run is under way: how far it is, and that Ctrl-C was noticed."""

import sys
import time
from contextlib import contextmanager

import typer

from mekane.cli.console import say
from mekane.cli.errors import INTERRUPTED

PATIENCE = 1.0  # seconds before a bar is shown


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


class Bar:
    """A progress bar on stderr, shown only to a person who has waited a while."""

    def __init__(self, t_end: float, text: str = ""):
        self.t_end, self.text, self.begun, self.shown = (
            t_end,
            text or f"t = {{task.fields[at]}} of {t_end:g} s",
            time.perf_counter(),
            None,
        )

    def __call__(self, t, share=None, at=""):
        """How far it is, and the text that names the place."""
        if self.shown is None and sys.stderr.isatty() and time.perf_counter() - self.begun > PATIENCE:
            self.open()
        if self.shown is not None:
            self.shown.update(self.task, completed=t, at=at or f"{t:.4g}")

    def open(self):
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        self.shown = Progress(
            TextColumn(self.text), BarColumn(), TimeRemainingColumn(), console=Console(stderr=True), transient=True
        )
        self.task = self.shown.add_task("", total=self.t_end, at="0")
        self.shown.start()

    def close(self):
        if self.shown is not None:
            self.shown.stop()
            self.shown = None
