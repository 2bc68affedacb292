"""Robots in URDF: read whole, and what has no place in the model is listed with the reason in `system.notes`.

Links are bodies of the same names and joints are joints, at 0 (or at the limit nearest to it). Limits are rigid limits,
damping is a damper, friction is dry friction, a joint that mimics another is coupled to it exactly. Nothing that stands in
a file is ever run or fetched.
"""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from mekane.errors import ModelError
from mekane.importers._xml import read_xml
from mekane.importers._yaml_text import is_text, read_file
from mekane.importers.urdf.build import Builder
from mekane.importers.urdf.loops import add_loops, refuse_missing
from mekane.importers.urdf.report import Report, add_unused
from mekane.importers.urdf.robot import read_robot
from mekane.importers.urdf.write import dump
from mekane.model.system import System
from mekane.model.values.flag import flag

__all__ = ["dump", "load", "suffixes"]
suffixes = (".urdf",)
BASES = ("fixed", "floating")


def load(
    source: str | PathLike[str],
    *,
    base: str = "fixed",
    unphysical: bool = False,
    loops: dict | str | PathLike[str] | None = None,
) -> System:
    """The robot in a URDF file; a text of several lines is taken as the URDF itself.

    base: "fixed" to the ground, or "floating".  unphysical: True accepts inertias that no body has.  loops: a file, or
    plain data {"rod": {"ball": […], …}}, with the joints that close loops; by default robot.loops.yaml beside
    robot.urdf, if it is there.
    """
    if base not in BASES:
        raise ModelError("load_model", f"base is {base!r}", f"it is one of {', '.join(BASES)}")
    unphysical = flag(unphysical, "load_model", "unphysical")
    refuse_missing(loops)
    given = is_text(source)
    path = None if given else Path(source)
    report = Report()
    root = read_xml(source if given else read_file(source), "URDF text" if given else str(source))
    robot = read_robot(root)
    system = Builder(robot, None if path is None else path.resolve().parent, report).build(base, unphysical)
    closed = add_loops(system, loops, path)
    if closed:
        report.remark(closed)
    add_unused(report, root)
    system.notes += report.notes()
    return system
