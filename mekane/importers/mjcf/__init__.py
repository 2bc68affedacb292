"""Models of MuJoCo in MJCF: compiled by MuJoCo itself, then read whole; what has no place in the model is listed with the
reason in `system.notes`.

Bodies and joints keep their names, coordinates are those of MuJoCo. Equality constraints, limits and contacts, which are
soft there, hold exactly here. Nothing that stands in a file is ever run or fetched.
"""

from __future__ import annotations

from os import PathLike
from pathlib import Path

import numpy as np

from mekane.errors import ModelError
from mekane.importers._yaml_text import is_text, read_file
from mekane.importers.mjcf.actuators import add_actuators
from mekane.importers.mjcf.bodies import add_bodies
from mekane.importers.mjcf.census import add_unmodelled, read_all
from mekane.importers.mjcf.compile import compiled, mujoco_module
from mekane.importers.mjcf.contacts import CHOICES, add_contacts
from mekane.importers.mjcf.equalities import add_equalities
from mekane.importers.mjcf.geoms import add_sites, list_world_geoms
from mekane.importers.mjcf.laws import add_gravity_compensation, add_joint_laws, within_limits
from mekane.importers.mjcf.names import ModelNames
from mekane.importers.mjcf.reading import Reading
from mekane.importers.mjcf.start import chosen_start
from mekane.importers.mjcf.tendons import add_tendons
from mekane.importers.mjcf.write import dump
from mekane.importers.urdf.report import Report
from mekane.model.system import System
from mekane.model.values.flag import flag

__all__ = ["dump", "load", "suffixes"]
suffixes = (".mjcf", ".xml")


def load(
    source: str | PathLike[str],
    *,
    contacts: str = "ground",
    keyframe: str | int | None = None,
    unphysical: bool = False,
) -> System:
    """The model in an MJCF file; a text of several lines is taken as the MJCF itself.

    contacts: "ground" (with what is fixed to the world), "all" or "none".  keyframe: name or number of the keyframe it
    starts at; by default it starts where MuJoCo does.  unphysical: True accepts inertias that no body has.
    """
    if contacts not in CHOICES:
        raise ModelError("load_model", f"contacts is {contacts!r}", f"it is one of {', '.join(CHOICES)}")
    unphysical = flag(unphysical, "load_model", "unphysical")
    given = is_text(source)
    path, name = (None, "MJCF text") if given else (Path(source), str(source))
    text = source if given else read_file(source)
    report, files = Report(), read_all(text, path, name)
    model = compiled(text, path, files.texts, name, report, unphysical)
    reading = begun(model, report, keyframe)
    reading.folder = None if path is None else path.resolve().parent
    reading.meshes_moved = any(
        keyword in one for one in (text, *files.texts.values()) for keyword in ("refpos", "refquat")
    )
    fill(reading, contacts)
    add_unmodelled(report, files)
    reading.system.notes += [*reading.names.notes, *report.notes()]
    return reading.system


def begun(model, report: Report, keyframe) -> Reading:
    """All that the parts of the importer need, with an empty system."""
    mujoco = mujoco_module()
    names = ModelNames(mujoco, model)
    qpos, qvel, k = chosen_start(model, names, keyframe)
    first = model.names[: model.names.index(b"\0")].decode(errors="replace")
    system = System(first or "MuJoCo model")
    reading = Reading(mujoco, model, names, system, report, np.array(qpos), np.array(qvel), k)
    system.gravity = (0, 0, 0) if reading.off("GRAVITY") else model.opt.gravity
    if model.opt.density or model.opt.viscosity:
        given = f"density {model.opt.density:g}, viscosity {model.opt.viscosity:g}, wind {model.opt.wind}"
        report.remark(f"bodies move without resistance of a fluid; the file has one: {given}.")
    if model.nkey and k is None:
        keys = ", ".join(repr(names.given("KEY", i)) if names.given("KEY", i) else str(i) for i in range(model.nkey))
        report.remark(f"it starts where MuJoCo does; keyframes are chosen by mk.load_model(…, keyframe=…): {keys}.")
    return reading


def fill(reading: Reading, contacts: str) -> None:
    within_limits(reading)
    add_bodies(reading)
    list_world_geoms(reading)
    add_joint_laws(reading)
    add_gravity_compensation(reading)
    add_sites(reading)
    add_equalities(reading)
    add_tendons(reading)
    add_actuators(reading)
    add_contacts(reading, contacts)
