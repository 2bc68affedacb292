"""mekane view: a motion in the browser, as one page that needs no server."""

import tempfile
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from mekane.cli import settings as words
from mekane.cli.files import PAGE, check_targets
from mekane.cli.films import At, check_film, write_view
from mekane.cli.sources import Source, run_of
from mekane.cli.words import say

WHERE = "Write the page here (.html), a film (.gif, .mp4, .webp) or a picture (.png), and open nothing."
Output = Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help=WHERE)]
WHAT = "What is plotted [default: joint coordinates]; in a film or picture, bodies whose paths are drawn."
Plots = Annotated[list[str] | None, typer.Argument(metavar="NAMES", help=WHAT, show_default=False)]


def command(
    source: Source, names: Plots = None, output: Output = None, at: At = None,
    t_end: words.TEnd = None, every: words.Every = None, set: words.Set = None,
):  # fmt: skip
    """See a run move, with its plots: a page in the browser, or a file to share."""
    check_targets((PAGE, output))
    check_film(output, at)
    run = run_of(source, t_end, every, set)
    path = output or Path(tempfile.mkdtemp(prefix="mekane-")) / f"{source.stem}.html"
    write_view(run, path, names, at)
    if output is None and not webbrowser.open(path.as_uri()):
        say("No browser could be started: open the file yourself.")
