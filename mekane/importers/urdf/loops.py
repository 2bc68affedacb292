"""Loops of a robot, which URDF cannot tell: joints and constraints as in model files, in a file beside it.

loops:                              robot.loops.yaml, read with robot.urdf
  knee rod: {ball: [rod, shank], on_a: [0, 0, 0.3], on_b: [0.05, 0, 0]}
"""

from pathlib import Path

from mekane.errors import FileError, ModelError
from mekane.importers._yaml_text import read_data, read_file
from mekane.importers.yaml import add_part, check_keys, located, section_of
from mekane.model.constraint import constraint_kinds
from mekane.model.joint import joint_kinds
from mekane.model.system import System

SUFFIX = ".loops.yaml"


def add_loops(system: System, loops, path: Path | None) -> str | None:
    """Add the loops of a file, or of plain data, {"knee rod": {"ball": […], …}}; by default those of the file beside
    `path`, if there is one. A remark about it."""
    beside = path.with_suffix(SUFFIX) if path is not None else None
    if loops is None and (beside is None or not beside.is_file()):
        return None
    source = "loops" if isinstance(loops, dict) else str(loops or beside)
    data = {"loops": loops} if isinstance(loops, dict) else read_data(read_file(source), source)
    check_keys(data, ("loops",), source)
    entries = section_of(data, "loops", source)
    for name, entry in entries:
        with located(source, "loops", name):
            add_part(system, name, entry, _kinds(entry), "joints")
    return f"loops are closed by {', '.join(repr(name) for name, _ in entries)} of {source}." if entries else None


def _kinds(entry) -> dict:
    """Those of the section that the entry belongs to."""
    return (
        constraint_kinds if isinstance(entry, dict) and any(key in constraint_kinds for key in entry) else joint_kinds
    )


def refuse_missing(loops) -> None:
    if loops is not None and not isinstance(loops, dict | str | Path):
        raise ModelError("loops", f"it is {loops!r}", "a file or a mapping of names is expected")
    if isinstance(loops, str | Path) and not Path(loops).is_file():
        raise FileError(str(loops), "there is no such file", "loops are read from a YAML file", "Check the path.")
