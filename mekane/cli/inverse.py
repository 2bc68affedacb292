"""mekane inverse: what actuators must give for a motion."""

from pathlib import Path
from typing import Annotated

import typer

from mekane.cli import settings as words
from mekane.cli.files import check_folder
from mekane.cli.watching import watching
from mekane.cli.words import put, put_json
from mekane.errors import FileError

WHAT = "The motion: a result (.nc), or a table (.csv) with a column t and columns named after joint coordinates."
WHO = "What drives, separated by commas: joints, their coordinates, or forces of the model. [default: what is driven, or the motors]"
Motion = Annotated[Path, typer.Option("--motion", metavar="FILE", help=WHAT)]
Actuators = Annotated[str | None, typer.Option("--actuators", metavar="NAMES", help=WHO)]
Drive = Annotated[str | None, typer.Option("--drive", metavar="NAMES", help="Use only these columns of the table.")]
Output = Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the forces over time here, as .csv.")]
Plot = Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="Draw forces and power over time (.png, .pdf, .svg).")]


def command(
    model: words.Model, motion: Motion, actuators: Actuators = None, drive: Drive = None, formulation: words.Formulation = None,
    output: Output = None, plot: Plot = None, json: words.Json = False,
):  # fmt: skip
    """Say which forces of the actuators a motion needs."""
    from mekane.cli.motion_file import read_motion

    system, _ = words.read_model(model, formulation=formulation)
    for target in filter(None, (output, plot)):
        check_folder(target.parent)
    if output is not None and output.suffix != ".csv":
        raise FileError(str(output), f"its name ends in {output.suffix!r}", "forces are written as .csv", f"Write -o {output.stem}.csv.")
    told, times = read_motion(motion, system, listed(drive))
    with words.about(model):
        need = needed(system, told, times, listed(actuators), formulation)
        facts = need.to_dict()
    if output is not None:
        need.to_csv(output)
    if plot is not None:
        draw(need, plot)
    if json:
        put_json(facts)
    else:
        put(str(need))


def needed(system, told, times, actuators, formulation):
    from mekane.analyses.inverse_dynamics import inverse_dynamics

    with watching(0.0):
        return inverse_dynamics(system, told, actuators=actuators, times=times, formulation=formulation)


def draw(need, path: Path) -> None:
    try:
        need.plot(path)
    except ValueError as error:
        raise FileError(str(path), f"it cannot be drawn ({error})", remedy="Write --plot forces.png.") from None


def listed(text: str | None) -> list[str] | None:
    return None if text is None else [word.strip() for word in text.split(",") if word.strip()]
