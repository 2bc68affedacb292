"""Where a run comes from: a result that was kept, a model file or a mechanism of the gallery, which are then run."""

from pathlib import Path
from typing import Annotated

import typer

from mekane.cli import options
from mekane.cli.commands.gallery import played
from mekane.cli.commands.run import simulated
from mekane.errors import FileError, ModelError, did_you_mean

WHAT = "A result (.nc), a model file or the name of a mechanism of the gallery; these are run."
Source = Annotated[Path, typer.Argument(metavar="FILE", help=WHAT, show_default=False)]


def run_of(source: Path, t_end=None, every=None, set=None):
    """The run of a file or of a mechanism of the gallery."""
    if is_result(source):
        refuse_changes(source, {"--set": set, "--t-end": t_end, "--every": every})
        return loaded(source)
    mechanism = mechanism_of(source)
    if mechanism is None:
        return computed(source, t_end, every, set)
    return played(mechanism, {}) if not (t_end or every or set) else changed(mechanism, t_end, every, set)


def refuse_changes(result: Path, given: dict) -> None:
    """Raise for options that would need another model than that of a result."""
    for option in (option for option, value in given.items() if value):
        raise ModelError(
            str(result),
            f"it is a result, and {option} was given",
            "only a model can be run anew",
            f"Leave out {option}.",
        )


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


def changed(mechanism, t_end, every, set):
    """Run it as its file would be, with other settings."""
    from mekane.importers.yaml import simulate_options

    given = {name: value for name, value in {"t_end": t_end, "every": every}.items() if value is not None}
    system = system_of(mechanism, set)
    settings = {"t_end": mechanism.t_end, **mechanism.options, **simulate_options({"simulate": given}, "command line")}
    with options.about(f"gallery, {mechanism.name}"):
        return simulated(system, settings.pop("t_end"), settings)


def system_of(mechanism, set=None):
    system = mechanism.system()
    if not set:
        return system
    with options.about("command line, --set"):
        return system.with_parameters(options.pairs(set, "--set", "k=5e3"))


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


def computed(path: Path, t_end, every, set):
    system, settings = options.read_model(path, set, t_end=t_end, every=every)
    with options.about(path):
        return simulated(system, options.take_t_end(settings), settings)
