"""mekane report: the listing of a result, or of a model that is run for it."""

from pathlib import Path
from typing import Annotated

import typer

from mekane.cli import settings as words
from mekane.cli.run import exit_code, simulated
from mekane.cli.summary import summary
from mekane.cli.words import put, put_json
from mekane.errors import ModelError

HDF5 = b"\x89HDF"
Source = Annotated[Path, typer.Argument(metavar="FILE", help="A result (.nc), or a model file, which is run.", show_default=False)]


def command(source: Source, t_end: words.TEnd = None, every: words.Every = None, set: words.Set = None, json: words.Json = False):
    """Print the report of a result: what was said, how it went, a table of what came out."""
    stored = is_result(source)
    if stored and set:
        raise ModelError(str(source), "it is a result, and --set was given", "only a model can be run with other parameters")
    result = loaded(source) if stored else computed(source, t_end, every, set)
    if json:
        put_json(summary(result) | {"model": result.system.to_dict(), "report": result.report()})
    else:
        put(result.report())
    raise typer.Exit(0 if stored else exit_code(result.info["stopped"]))


def is_result(path: Path) -> bool:
    """By the first bytes; a file that cannot be opened is left to the reader its name suggests."""
    try:
        with path.open("rb") as file:
            return file.read(len(HDF5)) == HDF5 or path.suffix == ".nc"
    except OSError:
        return path.suffix == ".nc"


def loaded(path: Path):
    from mekane import load

    return load(path)


def computed(path: Path, t_end, every, set):
    system, options = words.read_model(path, set, t_end=t_end, every=every)
    with words.about(path):
        return simulated(system, words.take_t_end(options), options)
