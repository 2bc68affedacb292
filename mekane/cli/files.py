"""Where results go. A file that is there already is replaced at the end, whole, or not at all."""

import os
from pathlib import Path

from mekane.errors import FileError

SUFFIXES = (".nc", ".csv")
PICTURES = (".png", ".svg", ".pdf")


def checked_target(output: Path, model: Path | None = None) -> Path:
    """The output path, if it can be written; found out before anything is computed."""
    if output.suffix not in SUFFIXES:
        remedy = f"Write -o {output.stem or 'out'}.nc."
        raise FileError(str(output), f"its name ends in {output.suffix!r}", f"results are written as {' or '.join(SUFFIXES)}", remedy)
    if output.is_dir():
        raise FileError(str(output), "it is a folder", "the name of a file is expected", f"Write -o {output / 'out.nc'}.")
    if model is not None and output.exists() and output.samefile(model):
        raise FileError(str(output), "it is the model file itself", "results go to a file of their own", "Give another -o.")
    check_folder(output.parent)
    return output


def check_picture(path: Path | None) -> None:
    """A path for a picture, if there is one."""
    if path is not None:
        if path.suffix.lower() not in PICTURES:
            remedy = f"Write --plot {path.stem or 'out'}.png."
            raise FileError(str(path), f"its name ends in {path.suffix!r}", f"pictures are written as {' or '.join(PICTURES)}", remedy)
        check_folder(path.parent)


def check_folder(folder: Path) -> None:
    """Try to write there, because permissions alone do not tell."""
    if not folder.is_dir():
        raise FileError(str(folder), "there is no such folder", "results go to a folder that is there", "Make it, or give another -o.")
    trial = folder / f".mekane-{os.getpid()}.trial"
    try:
        trial.touch()
        trial.unlink()
    except OSError as error:
        problem = f"nothing can be written there ({error.strerror or error})"
        raise FileError(str(folder), problem, remedy="Choose another folder with -o.") from None


def keep(result, target: Path, csv: bool = False, partial: bool = False) -> list[Path]:
    """Write the result. A run that stopped early does not replace a file that is there: it goes beside it."""
    written = []
    for path in dict.fromkeys([target, *([target.with_suffix(".csv")] if csv else [])]):
        if partial and path.exists():
            path = path.with_suffix(f".partial{path.suffix}")
        (result.to_csv if path.suffix == ".csv" else result.save)(path)
        written.append(path)
    return written
