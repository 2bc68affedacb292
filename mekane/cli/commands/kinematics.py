"""mekane kinematics: drive a joint through a path: positions of all bodies."""

from typing import Annotated

import typer

from mekane.cli import options
from mekane.cli.commands import register
from mekane.cli.console import put_answer
from mekane.cli.errors import STOPPED
from mekane.cli.inputs import Model, read_model
from mekane.cli.output import PICTURE, check_targets
from mekane.cli.progress import watching
from mekane.errors import ModelError

Drive = Annotated[
    list[str],
    typer.Option("--drive", metavar="JOINT", help="What is driven: crank or crank.angle; may be given again."),
]
PATH_HELP = "cycle, START:STOP:POINTS such as 0:90deg:31, or values such as 0,10deg,30deg; one for each --drive."
Paths = Annotated[list[str], typer.Option("--path", metavar="PATH", help=PATH_HELP)]
Points = Annotated[int, typer.Option("--points", help="Steps of a cycle.")]


@register("kinematics", place=90)
def command(
    model: Model,
    drive: Drive,
    path: Paths = ("cycle",),
    points: Points = 100,
    formulation: options.Formulation = None,
    set: options.Set = None,
    json: options.Json = False,
    plot: options.Plot = None,
):
    """Drive a joint through a path: positions, velocity ratios, dead points."""
    from mekane.analyses.kinematics.sweep import kinematics

    system, settings = read_model(model, set, formulation=formulation)
    drives = paired(drive, list(path))
    check_targets((PICTURE, plot))
    with options.about(model), watching(0.0):
        found = kinematics(system, drives, points=points, formulation=settings.get("formulation", "joint"))
    put_answer(found, json, plot)
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
    return text if text.isalpha() else options.listed(text)
