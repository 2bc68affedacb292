"""What stands in the files of a model, tag by tag: all of it is used, or listed with the reason.

Files are read here before MuJoCo reads them, so that entities are refused and lines are known.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from mekane.errors import FileError
from mekane.importers._xml import Element, read_xml
from mekane.importers._yaml_text import read_file
from mekane.importers.mjcf.accounted import account
from mekane.importers.urdf.report import Report

MOST_FILES = 200
NOT_KNOWN = "not known in MJCF"
NESTED = ("body", "frame", "replicate")  # tags that hold what bodies hold
SECTION_OF = {  # of what stands in <default>
    **dict.fromkeys(("mesh", "texture", "material"), "asset"),
    **dict.fromkeys(("joint", "geom", "site", "camera", "light"), "body"),
    "pair": "contact",
}


def read_all(text: str, path: Path | None, source: str) -> list[Element]:
    """The roots of a file and of all that it includes."""
    root = read_xml(text, source)
    if root.tag != "mujoco":
        problem, remedy = f"its first tag is <{root.tag}>", ""
        if root.tag == "mujocoinclude":
            remedy = "It is a part of other models, which include it: load one of these."
        raise FileError(root.place, problem, "a model of MuJoCo begins with <mujoco>", remedy)
    found, folder, seen = [root], None if path is None else path.resolve().parent, {path and path.resolve()}
    for one in found:  # grows
        for file in _others(one):
            other = _found(file, folder, Path(one.source).parent)
            if other is not None and other not in seen:
                seen.add(other)
                found.append(read_xml(read_file(other), str(other)))
        if len(found) > MOST_FILES:
            raise FileError(source, f"it includes more than {MOST_FILES} files", "a model is smaller")
    return found


def _others(element: Element) -> Iterator[str]:
    """Files that are included, or attached as models of their own."""
    for child in element.children:
        if child.tag in ("include", "model") and "file" in child.attributes:
            yield child.attributes["file"]
        yield from _others(child)


def _found(file: str, folder: Path | None, beside: Path) -> Path | None:
    """MuJoCo tells what is missing."""
    for one in (folder, beside):
        if one is not None and (one / file).is_file():
            return (one / file).resolve()
    return None


# ---------------------------------------------------------------- accounts


def add_unmodelled(report: Report, files: list[Element]) -> None:
    """Add all that is left out, by its reason."""
    for root in files:
        for path, element in paths_of(root, ""):
            try:
                reason = account(path)
            except KeyError:
                report.add(shown(path), f"line {element.line}", NOT_KNOWN)
                continue
            if reason:
                report.gather(f"not modelled, {reason}", shown(path))


def paths_of(element: Element, path: str) -> Iterator[tuple[str, Element]]:
    """Tags and attributes with the section that they stand in; nothing from within what is left out."""
    mine = path or "mujoco"
    yield mine, element
    if left_out(mine):
        return
    for name in element.attributes:
        yield f"{mine}@{name}", element
    for child in element.children:
        yield from paths_of(child, path_of(child.tag, path))


def path_of(tag: str, above: str) -> str:
    """The path of a tag in one with this path: bodies in bodies are bodies, and defaults are what they stand for."""
    if tag in ("include", "default"):
        return tag if tag == "include" or above in ("", "default") else f"{above}/{tag}"
    if above == "default":
        section = SECTION_OF.get(tag, tag if tag in ("equality", "tendon") else "actuator")
        return f"{section}/*" if tag == section else f"{section}/{tag}"
    if above in ("", "include"):
        return "body" if tag == "worldbody" else tag
    if above in ("body", "body/frame", "body/replicate"):
        return "body" if tag == "body" else f"body/{tag}"
    return f"{above}/{tag}"


def left_out(path: str) -> bool:
    try:
        return bool(account(path))
    except KeyError:
        return True


def shown(path: str) -> str:
    """ "body/joint@margin" → <body><joint margin>"""
    tags, _, attribute = path.partition("@")
    text = "".join(f"<{tag}>" for tag in tags.split("/"))
    return f"{text[:-1]} {attribute}>" if attribute else text
