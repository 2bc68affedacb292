"""mekane export: the model for another program: an FMU, a robot file, code."""

from pathlib import Path
from typing import Annotated

import typer

from mekane.cli import options
from mekane.cli.commands import register
from mekane.cli.console import say
from mekane.cli.inputs import Model, read_model
from mekane.cli.output import EXPORT, FMU, check_targets
from mekane.cli.progress import watching
from mekane.errors import ModelError

Output = Annotated[
    Path, typer.Option("--output", "-o", metavar="FILE", help="model.fmu, robot.urdf, model.yaml, model.c …")
]
Fmi = Annotated[str | None, typer.Option("--fmi", metavar="VERSION", help="FMU: 2 (as without) or 3.")]
Outputs = options.text_option("outputs", "NAMES", "FMU: channels by commas, such as arm.position,hinge.angle.")
Inputs = options.text_option("inputs", "NAMES", "FMU: parameters that are inputs, by commas.")
WithoutContactLaws = Annotated[
    bool, typer.Option("--without-contact-laws", help="FMU: leave out limits, contacts and dry friction.")
]
Parameters = options.text_option("parameters", "WHICH", "named, symbolic (every number), numeric, or names by commas.")


@register("export", place=105)
def command(
    model: Model, output: Output, fmi: Fmi = None, outputs: Outputs = None, inputs: Inputs = None,
    without_contact_laws: WithoutContactLaws = False,
    parameters: Parameters = None, formulation: options.Formulation = None, set: options.Set = None,
):  # fmt: skip
    """Write the model for another program: an FMU (FMI 2 or 3), another kind of model file, code."""
    check_targets((EXPORT, output))
    system, settings = read_model(model, set, formulation=formulation)
    given = {"fmi": fmi, "outputs": outputs, "inputs": inputs, "without-contact-laws": without_contact_laws or None}
    with options.about(model), watching(0.0):
        if output.suffix == FMU:
            notes = fmu(system, output, given, parameters, settings)
        else:
            refuse_fmu_options(output, given)
            notes = other(system, output, parameters, settings)
    for sentence in notes:
        say(f"{output}: {sentence}")
    say(f"written: {output}")


def fmu(system, output, given, parameters, settings):
    from mekane.exporters.fmu.export import export_fmu

    version = {None: 2, "2": 2, "2.0": 2, "3": 3, "3.0": 3}.get(given["fmi"])
    if version is None:
        raise ModelError("command line, --fmi", f"it is {given['fmi']!r}", "2 or 3 is expected")
    return export_fmu(
        system, output, version=version, outputs=options.listed(given["outputs"]), inputs=options.listed(given["inputs"]) or (),
        parameters=chosen(parameters), formulation=settings.get("formulation", "joint"), t_end=settings.get("t_end", 1.0),
        contact_laws=not given["without-contact-laws"],
    )  # fmt: skip


def other(system, output, parameters, settings):
    """A model file or code."""
    from mekane.exporters.equations import export_equations
    from mekane.importers import IMPORTERS, save_model

    if output.suffix in IMPORTERS.by_suffix("dump"):
        return save_model(system, output, settings)
    export_equations(system, output, None, settings.get("formulation", "joint"), chosen(parameters))
    return []


def chosen(parameters):
    """A keyword, or a list of names."""
    if parameters is None:
        return "named"
    return options.listed(parameters) if "," in parameters or "." in parameters else parameters


def refuse_fmu_options(output, given):
    for name, value in given.items():
        if value is not None:
            raise ModelError(
                "export",
                f"--{name} is given, and {output.name} is written",
                "it belongs to FMUs",
                "Write -o model.fmu.",
            )
