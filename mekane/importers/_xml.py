"""XML text to plain elements, for files that nobody vouches for.

Document types and entities are refused, so nothing is expanded and nothing is fetched; sizes are limited. An element knows
its line, and which of its attributes and children have been read: what remains is what a reader has not used.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from mekane.errors import FileError

MOST_ELEMENTS = 500_000
DEEPEST = 60


@dataclass(eq=False)
class Element:
    """A tag with its attributes, children and text, as they stand in the file."""

    source: str  # of the file, for messages
    tag: str
    line: int
    attributes: dict[str, str]
    children: list[Element] = field(default_factory=list)
    text: str = ""
    read: set[str] = field(default_factory=set)  # attributes that have been read
    used: bool = False  # itself, as a child

    def get(self, name: str, default: str | None = None) -> str | None:
        """An attribute; from then on it counts as read."""
        self.read.add(name)
        return self.attributes.get(name, default)

    def all(self, tag: str) -> list[Element]:
        """Children with this tag; from then on they count as used."""
        found = [child for child in self.children if child.tag == tag]
        for child in found:
            child.used = True
        return found

    def first(self, tag: str) -> Element | None:
        """The first child with this tag; others of the same tag remain unused."""
        for child in self.children:
            if child.tag == tag:
                child.used = True
                return child
        return None

    def unused(self, path: str = "") -> Iterator[tuple[str, Element]]:
        """Where something stands that nobody has read: "limit@effort" for an attribute, "gazebo" for a child with all in it,
        each with its element."""
        for name in self.attributes:
            if name not in self.read and name != "xmlns" and not name.startswith("xmlns:"):
                yield f"{path}@{name}", self
        if self.text.strip():
            yield f"{path} text", self
        for child in self.children:
            inner = f"{path}/{child.tag}" if path else child.tag
            yield from child.unused(inner) if child.used else [(inner, child)]

    @property
    def place(self) -> str:
        """File, line and tag, for messages."""
        name = self.attributes.get("name")
        return f"{self.source}, line {self.line}, {self.tag}{'' if name is None else f' {name!r}'}"


def read_xml(text: str, source: str) -> Element:
    """The root element of an XML text; `source` names the file in errors."""
    return _Reader(source).read(text)


class _Reader:
    def __init__(self, source: str):
        self.source, self.stack, self.root, self.count = source, [], None, 0
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler, self.parser.EndElementHandler = self.start, self.end
        self.parser.CharacterDataHandler = self.characters
        self.parser.StartDoctypeDeclHandler = self.refuse_doctype
        self.parser.EntityDeclHandler = self.refuse_doctype

    def read(self, text: str) -> Element:
        content = text.lstrip()
        self.above = text[: len(text) - len(content)].count("\n")  # empty lines before the XML declaration
        try:
            self.parser.Parse(content, True)
        except expat.ExpatError as error:
            problem = f"it is not whole XML: {expat.ErrorString(error.code)} in column {error.offset + 1}"
            remedy = (
                f"The tag {self.stack[-1].tag!r} of line {self.stack[-1].line} is open there." if self.stack else ""
            )
            raise FileError(self.here, problem, "well-formed XML is expected", remedy) from None
        return self.root

    @property
    def line(self) -> int:
        return self.parser.CurrentLineNumber + self.above

    @property
    def here(self) -> str:
        return f"{self.source}, line {self.line}"

    def start(self, tag: str, attributes: dict) -> None:
        self.count += 1
        if self.count > MOST_ELEMENTS or len(self.stack) > DEEPEST:
            what = f"more than {MOST_ELEMENTS} tags" if self.count > MOST_ELEMENTS else f"tags more than {DEEPEST} deep"
            raise FileError(self.here, f"it has {what}", "a model is smaller")
        made = Element(self.source, tag, self.line, attributes)
        if self.stack:
            self.stack[-1].children.append(made)
        else:
            self.root = made
        self.stack.append(made)

    def end(self, tag: str) -> None:
        self.stack.pop()

    def characters(self, text: str) -> None:
        self.stack[-1].text += text

    def refuse_doctype(self, *_) -> None:
        problem = "it has a document type with entities or other files"
        remedy = "Nothing is expanded or fetched while a model is read; remove <!DOCTYPE …>."
        raise FileError(self.here, problem, "a model file holds tags and attributes", remedy)
