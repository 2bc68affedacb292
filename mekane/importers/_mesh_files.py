"""Names of mesh files in model files: relative to the folder of the model, from the root in the system."""

import os
from collections.abc import Callable
from pathlib import Path

LEVELS_UP = 2  # folders above that of the model within which a mesh is named relative to it


def with_files(entry, change: Callable[[str], str]):
    """A copy of plain data in which each shape {mesh: file, …} has change(file) in place of the name."""
    if isinstance(entry, list | tuple):
        return [with_files(one, change) for one in entry]
    if not isinstance(entry, dict):
        return entry
    copy = {key: with_files(one, change) for key, one in entry.items()}
    given = copy.get("mesh")
    if isinstance(given, str):
        copy["mesh"] = change(given)
    elif isinstance(given, list) and given and isinstance(given[0], str):
        copy["mesh"] = [change(given[0]), *given[1:]]
    elif isinstance(given, dict) and isinstance(given.get("file"), str):
        copy["mesh"] = {**given, "file": change(given["file"])}
    return copy


def from_folder(folder: Path) -> Callable[[str], str]:
    """A name relative to this folder, from the root."""
    return lambda file: os.path.join(folder, file)


def relative_to(folder: Path) -> Callable[[str], str]:
    """A name from the root, relative to this folder if it is in it or near it."""

    def shorter(file: str) -> str:
        try:
            relative = Path(os.path.relpath(file, folder))
        except ValueError:  # another drive
            return file
        return file if relative.parts.count("..") > LEVELS_UP else relative.as_posix()

    return shorter
