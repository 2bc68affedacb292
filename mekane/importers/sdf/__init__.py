"""Robots in SDF, the format of Gazebo: a subset that holds models with true loops. What has no place in the model is listed
with the reason in `system.notes`.

Links are bodies where their poses put them, and joints are joints there, at 0: a link may be the child of several, and such
a loop is closed exactly. Nothing that stands in a file is ever run or fetched.
"""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from mekane.errors import ModelError
from mekane.importers._xml import read_xml
from mekane.importers._yaml_text import is_text, read_file
from mekane.importers.sdf.build import Builder
from mekane.importers.sdf.reasons import REASONS, UNKNOWN
from mekane.importers.sdf.robot import read_robot
from mekane.importers.urdf.report import Report, add_unused
from mekane.model.system import System
from mekane.model.values.flag import flag

__all__ = ["load", "suffixes"]
suffixes = (".sdf",)
BASES = ("floating", "fixed")


def load(source: str | PathLike[str], *, base: str = "floating", unphysical: bool = False) -> System:
    """The models in an SDF file; a text of several lines is taken as the SDF itself.

    base: of models that no joint holds to the world: "floating", as SDF has it, or "fixed" to the ground.
    unphysical: True accepts inertias that no body has.
    """
    if base not in BASES:
        raise ModelError("load_model", f"base is {base!r}", f"it is one of {', '.join(BASES)}")
    unphysical = flag(unphysical, "load_model", "unphysical")
    given = is_text(source)
    folder = None if given else Path(source).resolve().parent
    root = read_xml(source if given else read_file(source), "SDF text" if given else str(source))
    report = Report()
    robot = read_robot(root)
    system = Builder(robot, folder, report).build(base, unphysical)
    for element in robot.elements:
        add_unused(report, element, REASONS, UNKNOWN)
    system.notes += report.notes()
    return system
