"""mekane view: a motion in the browser, served to this machine alone; or as a page, film or picture to share."""

from pathlib import Path
from typing import Annotated

import typer

from mekane.cli import options as words
from mekane.cli.film_output import At, check_film, write_view
from mekane.cli.inputs import Source, run_of
from mekane.cli.output import PAGE, check_targets
from mekane.cli.serving import PORT, NoOpen, Port, check_port, served

WHERE = "Write it here, and serve nothing: a page (.html), a film (.gif, .mp4, .webp) or a picture (.png)."
Output = Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help=WHERE)]
WHAT = "What is plotted [default: joint coordinates]; in a film or picture, bodies whose paths are drawn."
Plots = Annotated[list[str] | None, typer.Argument(metavar="NAMES", help=WHAT, show_default=False)]


def command(
    source: Source, names: Plots = None, output: Output = None, at: At = None, port: Port = PORT, no_open: NoOpen = False,
    t_end: words.TEnd = None, every: words.Every = None, set: words.Set = None,
):  # fmt: skip
    """See a run move, with its plots: a page in the browser, or a file to share."""
    check_targets((PAGE, output))
    check_film(output, at)
    check_port(port)
    run = run_of(source, t_end, every, set)
    if output is not None:
        write_view(run, output, names, at)
        return
    from mekane.view.web.viewer import Viewer

    served(Viewer(run, names or None), run.system.name, port, no_open)
