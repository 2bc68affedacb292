"""Where in the text of a model file its values stand, and the text with one of them changed: comments and layout stay."""

import re
from dataclasses import dataclass

import yaml

from mekane.importers._yaml_text import Loader

PLAIN_KEY = re.compile(r"[A-Za-z_][\w.-]*")
NUMBER = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*((?:[^\W\d_]|[%°])[\w %°/^.*·⋅²³-]*)?")  # with a unit or without


@dataclass(frozen=True)
class Place:
    """A value in a text: characters begin … end − 1, from this line and column on (both count from 0)."""

    path: tuple
    begin: int
    end: int
    line: int
    column: int
    text: str  # what a scalar says, unquoted; "" of lists and mappings

    @property
    def number(self) -> tuple[float, str] | None:
        """(30.0, "deg") of "30 deg"; nothing if it is not a number with a unit or without."""
        found = NUMBER.fullmatch(self.text.strip())
        return (float(found[1]), (found[2] or "").strip()) if found else None


def places(text: str) -> dict[tuple, Place]:
    """By path: ("joints", "hinge", "rate") or ("gravity", 2). The text must be one that `read_data` accepts."""
    found = {}
    stack = [((), yaml.compose(text, Loader=Loader))]
    while stack:
        path, node = stack.pop()
        if node is None:
            continue
        said = node.value if isinstance(node, yaml.ScalarNode) else ""
        found[path] = Place(path, node.start_mark.index, node.end_mark.index, node.start_mark.line, node.start_mark.column, said)
        if isinstance(node, yaml.MappingNode):
            stack += [((*path, key.value), value) for key, value in node.value]
        elif isinstance(node, yaml.SequenceNode):
            stack += [((*path, k), value) for k, value in enumerate(node.value)]
    return found


def with_value(text: str, path: tuple, value: str) -> str:
    """The text with this value there; words that are missing on the way are added."""
    known = places(text)
    if path in known:
        place = known[path]
        return text[: place.begin] + value + kept_end(text[place.begin : place.end]) + text[place.end :]
    depth = max(k for k in range(len(path)) if path[:k] in known)
    for key in reversed(path[depth + 1 :]):
        value = f"{{{quoted(key)}: {value}}}"
    return added(text, known[path[:depth]], path[depth], value)


def kept_end(old: str) -> str:
    """What a block mapping or list swallows after its last line."""
    return old[len(old.rstrip()) :]


def added(text: str, mapping: Place, key: str, value: str) -> str:
    """An entry more: before the closing bracket of a mapping in braces, else in a line of its own before the others."""
    entry = f"{quoted(key)}: {value}"
    if text[mapping.begin : mapping.begin + 1] == "{":
        before = text[: mapping.end - 1].rstrip()
        mark = "" if before.endswith("{") else " " if before.endswith(",") else ", "
        if "#" in before.rpartition("\n")[2]:  # a comment ends with its line
            mark = f"\n{' ' * (mapping.column + 1)}{mark.lstrip()}"
        return before + mark + entry + text[mapping.end - 1 :]
    if not mapping.path:
        return f"{text.rstrip()}\n{entry}\n"
    if mapping.begin == mapping.end:  # nothing is told there
        return f"{text[: mapping.begin]} {{{entry}}}{text[mapping.begin :]}"
    return f"{text[: mapping.begin]}{entry}\n{' ' * mapping.column}{text[mapping.begin :]}"


def quoted(key: str) -> str:
    return key if PLAIN_KEY.fullmatch(str(key)) else "'" + str(key).replace("'", "''") + "'"
