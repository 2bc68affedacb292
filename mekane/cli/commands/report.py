"""mekane report: the listing of a result, or of a model that is run for it."""

import typer

from mekane.cli import options
from mekane.cli.commands import register
from mekane.cli.commands.run import exit_code
from mekane.cli.console import put, put_json
from mekane.cli.inputs import Source, is_result
from mekane.cli.runs import run_of
from mekane.cli.summary import summary


@register("report", place=40)
def command(
    source: Source,
    t_end: options.TEnd = None,
    every: options.Every = None,
    set: options.Set = None,
    json: options.Json = False,
):
    """Print the report of a result: the model, how the run went, a table of results."""
    result = run_of(source, t_end, every, set)
    if json:
        put_json(summary(result) | {"model": result.system.to_dict(), "report": result.report()})
    else:
        put(result.report())
    raise typer.Exit(0 if is_result(source) else exit_code(result.info["stopped"]))
