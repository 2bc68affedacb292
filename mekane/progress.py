"""How far a long call is: a bar on a terminal or in a notebook, for whoever has waited a while."""

import math
import multiprocessing
import sys
import threading
import time
from contextlib import contextmanager, suppress

from mekane.errors import ModelError

PATIENCE = 1.0  # seconds before a bar is shown
PAUSE = 0.1  # seconds between two updates
UNSEEN = (OSError, ValueError)  # of a terminal that has gone, or cannot write these letters


@contextmanager
def reporting(progress, total, describe=None):
    """What a long call reports to, as its argument `progress` says: that function itself; a bar, which is taken away
    at the end and at an error; None if nobody is to see it.

    total: what the first number of a report will be at the end, None if that is not known.  describe: the text of a
    report, as a function of it."""
    if callable(progress):
        yield progress
    elif progress is False or (progress is None and not is_watched()):
        yield None
    elif progress is None or progress is True:
        bar = Bar(total, describe, forced=progress is True)
        try:
            yield bar
        finally:
            bar.close()
    else:
        problem, remedy = f"it is {progress!r}", "Leave it out for a bar where there is a terminal."
        raise ModelError("progress", problem, "True, False or a function of (time, share done) is expected", remedy)


class Bar:
    """A progress bar: opened by the first report after a while, if somebody can see it and no other bar is open.

    forced: opened by the first report, wherever the output goes."""

    current = None  # the bar that is open

    def __init__(self, total, describe=None, forced=False, timer=time.perf_counter):
        self.total, self.forced, self.timer = total, forced, timer
        self.describe = describe or (lambda t, *_: time_of(t, total))
        self.patience, self.begun, self.updated, self.shown = 0.0 if forced else PATIENCE, timer(), -math.inf, None

    def __call__(self, done, *more):
        """How far it is, and what else its text needs."""
        now = self.timer()
        if now - self.begun < self.patience or now - self.updated < PAUSE:
            return
        try:
            if self.shown is None and self.is_due(done):
                Bar.current = self
                self.shown = NotebookBar(self.total) if in_notebook() else TerminalBar(self.total, self.forced)
            if self.shown is not None:
                self.shown.update(done, self.describe(done, *more))
                self.updated = now
        except UNSEEN:
            self.patience = math.inf
            self.close()

    def is_due(self, done):
        finished = self.total is not None and done >= self.total
        return Bar.current is None and not finished and (self.forced or is_watched())

    def close(self):
        shown, self.shown = self.shown, None
        if Bar.current is self:
            Bar.current = None
        if shown is not None:
            with suppress(*UNSEEN):
                shown.close()


def time_of(t, t_end):
    """The text of a time on the way to t_end, with as many decimals as a thousandth of t_end has."""
    return f"t = {t:.{max(0, 3 - math.ceil(math.log10(t_end)))}f} of {t_end:g} s"


class TerminalBar:
    """On stderr; its line is free again when it is closed. It has no thread of its own."""

    def __init__(self, total, forced=False):
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        text = TextColumn("{task.description}", markup=False)
        console = Console(stderr=True, force_terminal=forced or None)
        self.lines = Progress(
            text, BarColumn(), TimeRemainingColumn(), console=console, transient=True, auto_refresh=False
        )
        self.task = self.lines.add_task("", total=total)
        self.lines.start()

    def update(self, done, text):
        self.lines.update(self.task, completed=done, description=text, refresh=True)

    def close(self):
        self.lines.stop()


class NotebookBar:
    """An output of the cell, empty when it is closed. It needs no widgets."""

    def __init__(self, total):
        from IPython.display import display

        self.total = total
        self.output = display({"text/plain": ""}, raw=True, display_id=True)

    def update(self, done, text):
        from html import escape

        length = "" if self.total is None else f' value="{done}" max="{self.total}"'
        html = f"<progress{length}></progress> {escape(text)}"
        self.output.update({"text/html": html, "text/plain": text}, raw=True)

    def close(self):
        self.output.update({"text/html": "", "text/plain": ""}, raw=True)


def is_watched():
    """True where a person may see a bar: at a terminal or in a notebook, and not from a thread or process beside
    others."""
    alone = threading.current_thread() is threading.main_thread() and multiprocessing.parent_process() is None
    return alone and (is_terminal() or in_notebook())


def is_terminal():
    try:
        return sys.stderr.isatty()
    except (AttributeError, ValueError):  # there is none, or it is closed
        return False


def in_notebook():
    """True in the kernel of a notebook; IPython is not imported to find out."""
    interactive = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return getattr(interactive, "kernel", None) is not None
