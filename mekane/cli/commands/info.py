"""mekane info: how a model hangs together, as text or as a drawing."""

from pathlib import Path
from typing import Annotated

import typer

from mekane.cli import options
from mekane.cli.commands import register
from mekane.cli.console import put, put_json
from mekane.cli.inputs import is_result, loaded, read_model, refuse_changes
from mekane.cli.output import DRAWING, check_targets
from mekane.cli.progress import watching

WHAT = "A model file (YAML, URDF, MJCF), a result (.nc), or a mechanism of the gallery."
Source = Annotated[Path, typer.Argument(metavar="MODEL", help=WHAT, show_default=False)]
Output = Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Draw it, too (.svg, .png, .pdf).")]


@register("info", place=20)
def command(
    model: Source, output: Output = None, formulation: options.Formulation = None, set: options.Set = None, json: options.Json = False,
):  # fmt: skip
    """The tree of bodies and joints, which joints are cut, constraints, degrees of freedom."""
    check_targets((DRAWING, output))
    system, formulation = read(model, formulation, set)
    with options.about(model), watching(0.0):
        from mekane.view.topology.freedom import freedom_of

        topology, freedom = system.topology(formulation), freedom_of(system)
        if output is not None:
            topology.plot(output, freedom)
    if json:
        put_json(facts(topology, freedom))
    else:
        put(topology.text(freedom))
    if output is not None and not json:
        put(f"\nWritten: {output}")


def read(model, formulation, set):
    if is_result(model):
        return of_result(model, formulation, set)
    system, settings = read_model(model, set, formulation=formulation)
    return system, settings.get("formulation", "joint")


def of_result(path, formulation, set):
    """The model that a result keeps, in the formulation it was run with unless another is given."""
    refuse_changes(path, {"--set": set})
    options.check_names({"formulation": formulation or "joint"})
    run = loaded(path)
    return run.system, formulation or run.compiled.formulation


def facts(topology, freedom) -> dict:
    """For programs."""
    from mekane.view.topology.loop_closures import freedoms, ties_of

    ties = ties_of(topology)
    return {
        "system": topology.system.name,
        "formulation": topology.formulation,
        "tree": [
            {"body": link.body, "rides_on": link.parent, "joint": link.joint, "freedoms": freedoms(link)}
            for link in topology.links
        ],
        "cut": {tie.name: list(tie.bodies) for tie in ties if tie.is_joint},
        "constraints": {tie.name: list(tie.bodies) for tie in ties if not tie.is_joint},
        "degrees_of_freedom": freedom[0],
        "remark": freedom[1],
    }
