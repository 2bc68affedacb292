"""mekane inverse: what actuators must give for a motion."""

from pathlib import Path
from typing import Annotated

import typer

from mekane.cli import options
from mekane.cli.commands import register
from mekane.cli.console import put_answer
from mekane.cli.inputs import Model, read_model
from mekane.cli.output import FORCES, PICTURE, check_targets
from mekane.cli.progress import watching

WHAT = "The motion: a result (.nc), or a table (.csv) with a column t and columns named after joint coordinates."
WHO = "What drives, separated by commas: joints, their coordinates, or forces of the model. [default: what is driven, or the motors]"
Motion = Annotated[Path, typer.Option("--motion", metavar="FILE", help=WHAT)]
Actuators = Annotated[str | None, typer.Option("--actuators", metavar="NAMES", help=WHO)]
Drive = Annotated[str | None, typer.Option("--drive", metavar="NAMES", help="Use only these columns of the table.")]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the forces over time here, as .csv.")
]


@register("inverse", place=150)
def command(
    model: Model, motion: Motion, actuators: Actuators = None, drive: Drive = None, formulation: options.Formulation = None,
    set: options.Set = None, output: Output = None, plot: options.Plot = None, json: options.Json = False,
):  # fmt: skip
    """Compute which forces of the actuators a motion needs."""
    from mekane.analyses.inverse_dynamics.inverse_dynamics import inverse_dynamics
    from mekane.cli.motion_file import read_motion

    system, settings = read_model(model, set, formulation=formulation)
    check_targets((FORCES, output), (PICTURE, plot))
    prescribed, times = read_motion(motion, system, options.listed(drive))
    with options.about(model), watching(0.0):
        need = inverse_dynamics(
            system, prescribed, options.listed(actuators), times=times, formulation=settings.get("formulation")
        )
    if output is not None:
        need.to_csv(output)
    put_answer(need, json, plot)
