"""mekane view: a motion in the browser, served to this machine alone; or as a page, film or picture to share."""

from pathlib import Path
from typing import Annotated

import typer

from mekane.cli import options
from mekane.cli.commands import register
from mekane.cli.film_output import VIEW, At, check_film, write_view
from mekane.cli.inputs import Source
from mekane.cli.output import check_targets
from mekane.cli.runs import run_of
from mekane.cli.serving import NoOpen, Port, check_port, served
from mekane.view.web import PORT

WHERE = "Write it here, and serve nothing: a page (.html), a film (.gif, .mp4, .webp) or a picture (.png)."
Output = Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help=WHERE)]
WHAT = "What is plotted [default: joint coordinates]; in a film or picture, bodies whose paths are drawn."
Plots = Annotated[list[str] | None, typer.Argument(metavar="NAMES", help=WHAT, show_default=False)]


@register("view", place=50)
def command(
    source: Source, names: Plots = None, output: Output = None, at: At = None, port: Port = PORT, no_open: NoOpen = False,
    t_end: options.TEnd = None, every: options.Every = None, set: options.Set = None,
):  # fmt: skip
    """See a run move, with its plots: a page in the browser, or a file to share."""
    check_targets((VIEW, output))
    check_film(output, at)
    check_port(port)
    run = run_of(source, t_end, every, set)
    if output is not None:
        write_view(run, output, names, at)
        return
    from mekane.view.web.viewer import Viewer

    served(Viewer(run, names or None), run.system.name, port, no_open)
