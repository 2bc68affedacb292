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
NESTED = ("body", "body/frame", "body/replicate")  # tags that hold what bodies hold
SECTION_OF = {  # of what stands in <default>
    **dict.fromkeys(("mesh", "texture", "material"), "asset"),
    **dict.fromkeys(("joint", "geom", "site", "camera", "light"), "body"),
    "pair": "contact",
}


def read_all(text: str, path: Path | None, source: str) -> Files:
    """A file with what it includes, and the models that it attaches."""
    root = read_xml(text, source)
    if root.tag != "mujoco":
        problem, remedy = f"its first tag is <{root.tag}>", ""
        if root.tag == "mujocoinclude":
            remedy = "It is a part of other models, which include it: load one of these."
        raise FileError(root.place, problem, "a model of MuJoCo begins with <mujoco>", remedy)
    files = Files(root, None if path is None else path.resolve().parent)
    files.follow(root)
    return files


class Files:
    """Files that a model consists of.  roots: of the model, with what is included in it, and of those that are attached.
    texts: of the other files, by the names they are called by."""

    def __init__(self, root: Element, folder: Path | None):
        self.roots, self.texts, self.folder, self.count = [root], {}, folder, 1

    def follow(self, element: Element) -> None:
        """Read what is included in place of the tag, and what is attached as a model of its own."""
        for child in element.children:
            file = child.attributes.get("file")
            if child.tag == "include" and file:
                child.children = [*child.children, *self.read(file, child)]
            elif child.tag == "model" and file:
                self.roots += self.read(file, child, whole=True)
            else:
                self.follow(child)

    def read(self, file: str, by: Element, whole: bool = False) -> list[Element]:
        """The children of the root of a file, or the root; nothing if it is not found, which MuJoCo tells."""
        path = _found(file, self.folder, Path(by.source).parent)
        self.count += 1
        if self.count > MOST_FILES:
            remedy = "Does a file include itself?"
            raise FileError(by.place, f"it includes more than {MOST_FILES} files", "a model is smaller", remedy)
        if path is None:
            return []
        self.texts[file] = read_file(path)
        root = read_xml(self.texts[file], str(path))
        self.follow(root)
        return [root] if whole else root.children


def _found(file: str, folder: Path | None, beside: Path) -> Path | None:
    """Relative to the model, or to the file that names it."""
    for one in (folder, beside):
        if one is not None and (one / file).is_file():
            return (one / file).resolve()
    return None


# ---------------------------------------------------------------- accounts


def add_unmodelled(report: Report, files: Files) -> None:
    """Add all that is left out, by its reason."""
    for root in files.roots:
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
        yield from included(child, path) if child.tag == "include" else paths_of(child, path_of(child.tag, path))


def included(element: Element, path: str) -> Iterator[tuple[str, Element]]:
    """What another file holds stands where it is included."""
    yield "include", element
    yield from ((f"include@{name}", element) for name in element.attributes)
    for child in element.children:
        yield from included(child, path) if child.tag == "include" else paths_of(child, path_of(child.tag, path))


def path_of(tag: str, above: str) -> str:
    """The path of a tag in one with this path: bodies in bodies are bodies, and defaults are what they stand for."""
    if tag == "default":
        return tag if above in ("", "default") else f"{above}/{tag}"
    if above == "default":
        section = SECTION_OF.get(tag, tag if tag in ("equality", "tendon") else "actuator")
        return f"{section}/*" if tag == section else f"{section}/{tag}"
    if above == "":
        return "body" if tag == "worldbody" else tag
    if above in NESTED:
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
