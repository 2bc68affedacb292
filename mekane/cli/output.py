"""Where results go. A file that is there already is replaced at the end, whole, or not at all."""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from mekane.errors import FileError


class Kind(NamedTuple):
    """What is written, its suffixes as a function of whether those of installed packages count, and the option that says
    where."""

    what: str
    suffixes: Callable
    option: str = "-o"


def of_results(installed: bool):
    from mekane.exporters import EXPORTERS

    return list(EXPORTERS.by_suffix(installed=installed))


def of_models(installed: bool):
    from mekane.importers import IMPORTERS

    return list(IMPORTERS.by_suffix("dump", installed))


def of_equations(installed: bool):
    from mekane.exporters import languages

    return [*READABLE, *sorted(languages.by_suffix(installed))]


def of_exports(installed: bool):
    from mekane.exporters import languages

    return [FMU, *of_models(installed), *sorted(languages.by_suffix(installed))]


FMU = ".fmu"
READABLE = {".txt": "text", ".tex": "latex", ".html": "html", ".htm": "html"}  # equations to be read, by suffix
RESULT = Kind("results", of_results)
FORCES = Kind("forces", lambda installed: [".csv"])
MODEL = Kind("models", of_models)
EQUATIONS = Kind("equations", of_equations)
EXPORT = Kind("models for other programs", of_exports)
PICTURE = Kind("pictures", lambda installed: [".png", ".svg", ".pdf"], "--plot")
DRAWING = PICTURE._replace(option="-o")


def check_targets(*targets: tuple[Kind, Path | None]) -> None:
    """All files a command is to write, None for those not requested; checked before anything is computed or
    written."""
    for kind, path in targets:
        if path is not None:
            check_target(kind, path)


def check_target(kind: Kind, path: Path) -> None:
    suffix = path.suffix.lower() if kind in (PICTURE, DRAWING) else path.suffix
    suffixes = kind.suffixes(installed=False)
    suffixes = suffixes if suffix in suffixes else kind.suffixes(installed=True)
    first = suffixes[0]
    if suffix not in suffixes:
        expected = f"{kind.what} are written as {' or '.join(suffixes)}"
        raise FileError(
            str(path),
            f"its name ends in {path.suffix!r}",
            expected,
            f"Write {kind.option} {path.stem or 'out'}{first}.",
        )
    if path.is_dir():
        raise FileError(
            str(path),
            "it is a folder",
            "the name of a file is expected",
            f"Write {kind.option} {path / f'out{first}'}.",
        )
    check_folder(path.parent, kind.option)


def check_result_target(output: Path, model: Path, csv: bool = False) -> Path:
    """The path of a result of this model, and of the table beside it if there is to be one."""
    check_targets((RESULT, output), (RESULT, output.with_suffix(".csv") if csv else None))
    if output.exists() and model.exists() and output.samefile(model):
        raise FileError(
            str(output), "it is the model file itself", "results go to a file of their own", "Give another -o."
        )
    return output


def check_folder(folder: Path, option: str = "-o") -> None:
    """Try to write there, because permissions alone do not tell."""
    if not folder.is_dir():
        remedy = f"Make it, or give another {option}."
        raise FileError(str(folder), "there is no such folder", "results go to a folder that is there", remedy)
    trial = folder / f".mekane-{os.getpid()}.trial"
    try:
        trial.touch()
        trial.unlink()
    except OSError as error:
        problem = f"nothing can be written there ({error.strerror or error})"
        raise FileError(str(folder), problem, remedy=f"Choose another folder with {option}.") from None


def write_model(system, path: Path, settings: dict | None = None) -> None:
    """Write a model, and say what its file does not hold."""
    from mekane.cli.console import say
    from mekane.importers import save_model

    for sentence in save_model(system, path, settings):
        say(f"{path}: {sentence}")


def keep(result, target: Path, csv: bool = False, partial: bool = False) -> list[Path]:
    """Write the result. A run that stopped early does not replace a file that is there: it goes beside it."""
    written = []
    for path in dict.fromkeys([target, *([target.with_suffix(".csv")] if csv else [])]):
        if partial and path.exists():
            path = path.with_suffix(f".partial{path.suffix}")
        keep_one(result, path)
        written.append(path)
    return written


def keep_one(result, path: Path) -> None:
    """Write one file; where that fails, the result goes to the folder for temporary files, because computing it may
    have taken long."""
    try:
        result.save(path)
    except FileError as error:
        spare = Path(tempfile.gettempdir()) / f"mekane-{os.getpid()}-{path.name}"
        try:
            result.save(spare)
        except FileError:
            raise error from None
        raise FileError(
            error.part, error.problem, error.expected, f"The result is in {spare}. {error.remedy}"
        ) from None
