"""What a command works on: a model file, a mechanism of the gallery by its name, or a result that was kept."""

from pathlib import Path
from typing import Annotated

import typer

from mekane.cli import options
from mekane.errors import FileError, ModelError, did_you_mean

MODEL = "A model file (YAML, URDF, MJCF) or the name of a mechanism of the gallery."
Model = Annotated[Path, typer.Argument(metavar="MODEL", help=MODEL, show_default=False)]
SOURCE = "A result (.nc), a model file or the name of a mechanism of the gallery; these are run."
Source = Annotated[Path, typer.Argument(metavar="FILE", help=SOURCE, show_default=False)]


def read_model(source: Path, set=None, **given):
    """The System of a file or of a mechanism of the gallery, and the options to simulate it; `given` on the command
    line replaces them.

    set: ["k=5e3", …], other values of parameters."""
    from mekane.importers import load_document
    from mekane.importers.yaml import simulate_options

    mechanism, change = mechanism_of(source), options.changing(set) if set else None
    on_line = simulate_options(
        {"simulate": {name: value for name, value in given.items() if value is not None}}, "command line"
    )
    if mechanism is None:
        system, its_own = load_document(str(source), change=change)
    else:
        system, its_own = mechanism.system(), settings_of(mechanism, on_line)
        system = change(system) if change else system
    with options.about(source):
        options.check_names(its_own)
    with options.about("command line"):
        options.check_names(on_line)
    return system, its_own | on_line


def mechanism_of(source: Path):
    """The mechanism of the gallery that is called so; None if a file is meant."""
    if source.exists() or source.suffix or len(source.parts) != 1:
        return None
    from mekane import gallery

    known = {mechanism.name: mechanism for mechanism in gallery.mechanisms()}
    if source.name not in known:
        expected = "a file, or the name of a mechanism of the gallery, is expected"
        raise FileError(
            str(source), "there is no such file", expected, did_you_mean(source.name, known) or "Check the path."
        )
    return known[source.name]


def settings_of(mechanism, on_line: dict) -> dict:
    """How a mechanism of the gallery is simulated; for another span of time with the usual number of samples."""
    every = {} if mechanism.every is None or "t_end" in on_line else {"every": mechanism.every}
    return {"t_end": mechanism.t_end, **every, **mechanism.options}


def refuse_changes(result: Path, given: dict) -> None:
    """Raise for options that would need another model than that of a result."""
    for option in (option for option, value in given.items() if value):
        raise ModelError(
            str(result),
            f"it is a result, and {option} was given",
            "only a model can be run anew",
            f"Leave out {option}.",
        )


def is_result(path: Path) -> bool:
    """By the first bytes; a file that cannot be opened is left to the reader its name suggests."""
    from mekane.files import HDF5_SIGNATURE

    try:
        with path.open("rb") as file:
            return file.read(len(HDF5_SIGNATURE)) == HDF5_SIGNATURE or path.suffix == ".nc"
    except OSError:
        return path.suffix == ".nc"


def loaded(path: Path):
    from mekane import load

    return load(path)
