"""Importers: a file here reads models from one kind of file; installed packages add others by entry points
(mekane.importers). Reading a file never runs anything that is in it.

An importer defines
    suffixes                        of its files, such as (".yaml", ".yml")
    load(path, **options)           the System in a file; options are keywords of its own
    load_document(path, change)     if files may hold options of `simulate`: the System, made another by change(system)
                                    if that is not None, and the options
    dump(system, path, simulate)    if it also writes models; it returns what the file does not hold, in sentences, or None
"""

from __future__ import annotations

import re
from inspect import signature
from typing import TYPE_CHECKING, Any

from mekane.errors import FileError, ModelError, did_you_mean
from mekane.importers._yaml_text import is_text, read_file
from mekane.plugins import FileFormats

if TYPE_CHECKING:
    from os import PathLike

    from mekane.model.system import System

IMPORTERS = FileFormats(
    "importers",
    __name__,
    __path__,
    "models are read from",
    needs=("suffixes", "load"),
    others=("text_places",),
    default="yaml",
)

TAGGED = {"robot": "urdf", "sdf": "sdf", "mujoco": "mjcf"}  # importers by the first tag of what they read


def load_model(source: str | PathLike[str], **options: Any) -> System:
    """The system in a model file. What an importer could not use is listed in its `notes`.

    Parameters:
        source: the file, read by the importer for files of this name: YAML (.yaml, .yml), URDF (.urdf), SDF (.sdf),
            MJCF (.xml, .mjcf), and what installed packages add; or a text, of several lines or in tags. The first tag decides
            where there are tags (<robot> is URDF, <sdf> SDF, <mujoco> MJCF); other texts are YAML.
        options: of the importer. URDF has base="fixed" (default) or "floating"; unphysical=True to accept inertias that
            no body has; loops= a file or a mapping of the joints that close loops, by default robot.loops.yaml beside
            robot.urdf. SDF has base="floating" (default) or "fixed", and unphysical. MJCF has contacts="ground"
            (default), "all" or "none"; keyframe= the name or number of the one it starts at. YAML has none.

    Example:
        s = mk.load_model("bodies: {arm: {mass: 1}}\\njoints: {hinge: {pin: [ground, arm], at: [0, 0, 1], axis: y}}")
    """
    importer = importer_of(source)
    known = [keyword for keyword in signature(importer.load).parameters][1:]
    for keyword in options:
        if keyword not in known:
            what = f"for this kind of file it takes {', '.join(known) or 'no options'}"
            raise ModelError("load_model", f"unknown option {keyword!r}", what, did_you_mean(keyword, known).strip())
    return importer.load(source, **options)


def load_document(source, change=None) -> tuple:
    """The System, and the options for `simulate` that the file gives. change: makes another of the System."""
    importer = importer_of(source)
    if hasattr(importer, "load_document"):
        return importer.load_document(source, change)
    system = importer.load(source)
    return system if change is None else change(system), {}


def save_model(system: System, path: str | PathLike[str], simulate: dict | None = None) -> list[str]:
    """Write a system to a file. A file that is there already is replaced at the end, whole, or not at all.

    Parameters:
        system: what is written.
        path: the file, of the kind that its name ends in; .yaml keeps all of the system, .urdf its tree, with what closes
            loops beside it in a file that ends in .loops.yaml, .xml its tree and loops for MuJoCo.
        simulate: options of mk.simulate that the file is to hold, {"t_end": 2.0}.

    Returns:
        What the file does not hold, in sentences; nothing for .yaml.

    Example:
        from mekane import gallery
        mk.save_model(gallery.find("pendulum").system(), "pendulum.yaml")
    """
    return IMPORTERS.for_file(path, "dump", "models are written as").dump(system, path, simulate) or []


def importer_of(source):
    """The module that reads a file of this name; YAML if the name has no suffix. What is in tags is read by its first one."""
    if is_text(source):
        return IMPORTERS.get(TAGGED.get(first_tag(source), "urdf") if source.lstrip().startswith("<") else "yaml")
    try:
        importer = IMPORTERS.for_file(source)
    except FileError:
        read_file(source)  # what is missing, a folder or a result is answered as such
        raise
    tagged = (
        TAGGED.get(first_tag(read_file(source))) if importer.__name__.rpartition(".")[2] in TAGGED.values() else None
    )
    return IMPORTERS.get(tagged) if tagged else importer


def first_tag(text: str) -> str | None:
    """The name of the first tag of an XML text, after comments, declarations and a document type."""
    before = r"\s|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^\[<>]*(?:\[.*?\]\s*)?>"
    found = re.match(rf"\ufeff?(?:{before})*+<([^\s<>/!?]+)", text, re.DOTALL)
    return found and found.group(1)
