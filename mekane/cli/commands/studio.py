"""mekane studio: a model, its sliders and its motion on one page of the browser."""

from pathlib import Path
from typing import Annotated

import typer

from mekane.cli.commands import register
from mekane.cli.inputs import is_result, mechanism_of
from mekane.cli.serving import NoOpen, Port, check_port, served
from mekane.errors import FileError
from mekane.view.web import PORT

WHAT = "A model file or the name of a mechanism of the gallery. [default: a first model]"
Source = Annotated[Path | None, typer.Argument(metavar="MODEL", help=WHAT, show_default=False)]


@register("studio", place=60)
def command(source: Source = None, port: Port = PORT, no_open: NoOpen = False):
    """Change a model and see what it does: sliders, text, equilibrium, modes, equations, in the browser."""
    check_port(port)
    served(backend_of(source), "Studio", port, no_open)


def backend_of(source: Path | None):
    from mekane.view.studio import opening

    if source is None:
        return opening.first_backend()
    if is_result(source):
        raise FileError(
            str(source), "it is a result", "the studio opens models", f"Write  mekane view {source}  to see it."
        )
    mechanism = mechanism_of(source)
    return opening.backend_of_file(source) if mechanism is None else opening.backend_of_mechanism(mechanism)
