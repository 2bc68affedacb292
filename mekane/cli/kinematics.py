"""mekane kinematics: drive a joint through a path and tell where everything is."""

from pathlib import Path
from typing import Annotated

import typer

from mekane.cli import settings as words
from mekane.cli.failures import STOPPED
from mekane.cli.files import check_folder
from mekane.cli.watching import watching
from mekane.cli.words import put, put_json
from mekane.errors import ModelError

Drive = Annotated[list[str], typer.Option("--drive", metavar="JOINT", help="What is driven: crank or crank.angle; may be given again.")]
PATH_HELP = "cycle, START:STOP:POINTS such as 0:90deg:31, or values such as 0,10deg,30deg; one for each --drive."
Paths = Annotated[list[str], typer.Option("--path", metavar="PATH", help=PATH_HELP)]
Points = Annotated[int, typer.Option("--points", help="Steps of a cycle.")]
Plot = Annotated[Path | None, typer.Option("--plot", metavar="FILE.png", help="Draw positions and ratios.")]


def command(
    model: words.Model,
    drive: Drive,
    path: Paths = ("cycle",),
    points: Points = 100,
    formulation: words.Formulation = None,
    json: words.Json = False,
    plot: Plot = None,
):
    """Drive a joint through a path: positions, velocity ratios, dead points."""
    from mekane.analyses.kinematics import kinematics

    system, options = words.read_model(model, formulation=formulation)
    drives = paired(drive, list(path))
    if plot is not None:
        check_folder(plot.parent)
    with words.about(model), watching(0.0):
        found = kinematics(system, drives, points=points, formulation=options.get("formulation", "joint"))
    if plot is not None:
        found.plot(plot)
    put_json(found.to_dict()) if json else put(str(found))
    raise typer.Exit(STOPPED if found.stopped else 0)


def paired(drives: list[str], paths: list[str]) -> dict:
    """drive → path; one path serves all drives."""
    paths = paths * len(drives) if len(paths) == 1 else paths
    if len(paths) != len(drives) or len(set(drives)) != len(drives):
        problem = f"there are {len(drives)} --drive and {len(paths)} --path"
        raise ModelError("command line", problem, "one path for each drive, or one for all")
    return {drive: read_path(path) for drive, path in zip(drives, paths, strict=True)}


def read_path(text: str):
    if ":" in text:
        start, *rest = text.split(":")
        if len(rest) != 2 or not rest[1].isdigit():
            raise ModelError("--path", f"it is {text!r}", "START:STOP:POINTS is expected", "Write --path 0:90deg:31.")
        return start, rest[0], int(rest[1])
    return text if text.isalpha() else text.split(",")
