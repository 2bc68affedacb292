"""mekane report: the listing of a result, or of a model that is run for it."""

import typer

from mekane.cli import options as words
from mekane.cli.commands.run import exit_code
from mekane.cli.console import put, put_json
from mekane.cli.inputs import Source, is_result, run_of
from mekane.cli.summary import summary


def command(
    source: Source, t_end: words.TEnd = None, every: words.Every = None, set: words.Set = None, json: words.Json = False
):
    """Print the report of a result: what was said, how it went, a table of what came out."""
    result = run_of(source, t_end, every, set)
    if json:
        put_json(summary(result) | {"model": result.system.to_dict(), "report": result.report()})
    else:
        put(result.report())
    raise typer.Exit(0 if is_result(source) else exit_code(result.info["stopped"]))
