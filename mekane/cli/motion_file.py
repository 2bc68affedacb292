"""Motions from files: a result (.nc), or a CSV table with a column t and columns named after coordinates."""

import csv
from pathlib import Path

import numpy as np

from mekane.errors import FileError, did_you_mean
from mekane.model.names import joint_coordinates


def read_motion(path: Path, system, drive: list[str] | None):
    """(motion, times) as `inverse_dynamics` takes them."""
    if path.suffix == ".nc":
        from mekane import load

        if drive is not None:
            raise FileError(str(path), "--drive is given", "a result holds the whole motion", "Leave it out.")
        return load(path), None
    columns = read_columns(path)
    if "t" not in columns:
        raise FileError(
            str(path),
            f"its columns are {shown(columns)}",
            "one of them must be the time, t",
            "Name the first column t.",
        )
    return {name: columns[name] for name in driven_columns(path, columns, system, drive)}, columns["t"]


def driven_columns(path, columns, system, drive):
    """The requested columns, else those that are coordinates of joints."""
    joints = joint_coordinates(system)
    for name in drive or ():
        if name not in columns:
            raise FileError(
                str(path), f"it has no column {name!r}", f"it has {shown(columns)}", did_you_mean(name, columns).strip()
            )
    chosen = drive or [name for name in columns if name in joints or name in system.joints]
    if not chosen:
        problem = f"no column of {shown(columns)} is a coordinate of a joint"
        raise FileError(
            str(path), problem, f"the model has {shown(joints)}", "Name the columns so, or name them with --drive."
        )
    return chosen


def read_columns(path: Path) -> dict[str, np.ndarray]:
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            head, *lines = [line for line in csv.reader(file) if any(cell.strip() for cell in line)] or [[]]
    except OSError as error:
        raise FileError(str(path), f"it cannot be read ({error.strerror or error})", remedy="Check the path.") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise FileError(
            str(path), f"it is not a CSV table ({error})", "lines of numbers under a line of names are expected"
        ) from None
    head = [name.strip() for name in head]
    for number, line in enumerate(lines, 2):
        if len(line) != len(head):
            raise FileError(f"{path}, line {number}", f"it has {len(line)} cells", f"the line of names has {len(head)}")
    return {name: column(path, name, [line[k] for line in lines]) for k, name in enumerate(head)}


def column(path, name, cells):
    values = np.zeros(len(cells))
    for number, cell in enumerate(cells):
        try:
            values[number] = float(cell)
        except ValueError:
            raise FileError(f"{path}, line {number + 2}", f"{name} is {cell!r}", "a number is expected") from None
    return values


def shown(names, most=12):
    names = list(names)
    return ", ".join(names[:most]) + (" …" if len(names) > most else "") or "none"
