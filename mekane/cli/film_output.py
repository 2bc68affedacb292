"""A motion as a file: a page, a film or a picture, by the ending of its name."""

from pathlib import Path
from typing import Annotated

import typer

from mekane.cli.console import put
from mekane.cli.errors import INTERRUPTED
from mekane.cli.output import Kind
from mekane.cli.progress import watching
from mekane.errors import ModelError

At = Annotated[
    float | None, typer.Option("--at", metavar="T", help="Time of a picture (.png), in seconds. [default: the start]")
]


def check_film(output: Path | None, at: float | None) -> None:
    """Before anything is computed."""
    if at is not None and (output is None or WRITERS[output.suffix] is not write_picture):
        raise ModelError(
            "command line",
            f"--at is {at:g}",
            "only a picture is of one time",
            "Write -o motion.png, or leave out --at.",
        )
    if output is not None and output.suffix == ".mp4":
        from mekane.view.render.film_files import ffmpeg

        ffmpeg()


def write_view(run, path: Path, names=None, at: float | None = None) -> None:
    """Write a run by the ending of the path.

    names: what a page plots; bodies that leave a trace in a film or picture.  at: time of a picture [s]."""
    WRITERS[path.suffix](run, path, names, at)


def write_page(run, path: Path, names, at) -> None:
    run.save_html(path, plots=names or None)
    put(f"Written: {path}")


def write_picture(run, path: Path, names, at) -> None:
    run.picture(path, t=at, traces=names or ())
    put(f"Written: {path}")


def write_film(run, path: Path, names, at) -> None:
    with watching(float(run.t[-1])) as progress:
        film = run.animation(path, traces=names or (), progress=progress)
    put(str(film))
    raise typer.Exit(INTERRUPTED if film.stopped else 0)


WRITERS = {
    ".html": write_page, ".htm": write_page, ".gif": write_film, ".mp4": write_film, ".webp": write_film, ".png": write_picture,
}  # fmt: skip
VIEW = Kind("pages, films and pictures", lambda installed: list(WRITERS))
