"""YAML text to plain data, for files that nobody vouches for.

Nothing is executed and no object is made: only mappings, lists, text, numbers, true, false and null come out. Tags,
repeated keys, aliases that blow up, deep nesting and huge or binary files raise an error, each with an explanation. As
in YAML 1.2, `no`, `on` and `12:30` are text; `4e3` is a number.
"""

import re
from pathlib import Path

import yaml

from mekane.errors import FileError
from mekane.files import HDF5_SIGNATURE

LARGEST_FILE = 64 * 2**20  # bytes
MOST_NODES = 2_000_000  # after aliases are followed
DEEPEST = 40
NOT_YAML = "a model file is written in YAML"

SCALARS = {
    "null": (r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    "bool": (r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    "int": (r"[-+]?\d+", list("-+0123456789")),
    "float": (r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)", list("-+0123456789.")),
}


class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """PyYAML's safe loader with fewer surprises."""

    yaml_implicit_resolvers = {}

    def construct_mapping(self, node, deep=False):
        seen = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise yaml.MarkedYAMLError(None, None, "a key is not plain text", key.start_mark, "keys are plain text")
            if key.value in seen:
                raise yaml.MarkedYAMLError(
                    None, None, f"{key.value!r} is given twice", key.start_mark, "it may be given once"
                )
            seen.add(key.value)
        return super().construct_mapping(node, deep)

    def construct_int(self, node):
        return int(node.value) if len(node.value) < 300 else float(node.value)  # the latter is infinite

    def construct_float(self, node):
        return float(node.value.lower().replace(".inf", "inf").replace(".nan", "nan"))


for _name, (_pattern, _first_letters) in SCALARS.items():
    Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_name}", re.compile(f"(?:{_pattern})$"), _first_letters)
Loader.add_constructor("tag:yaml.org,2002:int", Loader.construct_int)
Loader.add_constructor("tag:yaml.org,2002:float", Loader.construct_float)


def is_text(source) -> bool:
    """Whether a source is a text of its own, not the name of a file."""
    return isinstance(source, str) and ("\n" in source or source.lstrip().startswith("<"))


def read_file(path) -> str:
    """The text of a file, or a FileError that explains why there is none."""
    path = Path(path)
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise _too_large(path)
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        raise FileError(str(path), "there is no such file", remedy="Check the path.") from None
    except IsADirectoryError:
        raise FileError(str(path), "it is a folder", "a model file is expected", "Name the file in it.") from None
    except (OSError, ValueError) as error:
        raise FileError(str(path), f"it cannot be read ({getattr(error, 'strerror', None) or error})") from None
    if len(content) > LARGEST_FILE:
        raise _too_large(path)
    return _decode(content, path)


def read_data(text: str, source: str, checked: bool = False):
    """The plain data that the text describes; `source` names it in errors. looked_through: by `events_of`, and found
    harmless."""
    for _ in () if checked else events_of(text, source):
        pass
    try:
        data = yaml.load(text, Loader=Loader)
    except (yaml.YAMLError, UnicodeError) as error:
        raise _syntax_error(error, text, source) from None
    if data is None:
        raise FileError(source, "it is empty", "a model is expected", "Start with  system: name  and  bodies: …")
    return data


def events_of(text: str, source: str):
    """The content of the text, piece by piece; an error if it is no YAML, or more of it than a model needs."""
    try:
        yield from _bounded(yaml.parse(text, Loader=Loader), source)
    except (yaml.YAMLError, UnicodeError) as error:
        raise _syntax_error(error, text, source) from None


def _too_large(path: Path) -> FileError:
    return FileError(
        str(path), f"it is larger than {LARGEST_FILE // 2**20} MB", "a model file is text", "Is it the right file?"
    )


def _decode(content: bytes, path: Path) -> str:
    try:
        if b"\0" not in content:
            return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    if content.startswith(HDF5_SIGNATURE):
        raise FileError(
            str(path),
            "it is a result, or another HDF5 file",
            "a model file is text",
            "Give the model it was made from.",
        )
    raise FileError(
        str(path), "it is not UTF-8 text", "a model file is text", "Is it the right file? If so, save it as UTF-8."
    )


def _bounded(events, source: str):
    """Looked through before anything is built: nodes are counted with every alias followed."""
    nodes, open_nodes, sizes = 0, [], {}
    for event in events:
        if isinstance(event, yaml.CollectionStartEvent):
            open_nodes.append((event.anchor, nodes))
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, before = open_nodes.pop()
            nodes += 1
            sizes[anchor] = nodes - before
        elif isinstance(event, yaml.ScalarEvent):
            nodes += 1
        elif isinstance(event, yaml.AliasEvent):
            nodes += sizes.get(event.anchor, 1)
        problem, remedy = _excess(event, nodes, open_nodes)
        if problem:
            raise FileError(
                source, f"line {event.start_mark.line + 1}: {problem}", "a model file is plain, flat data", remedy
            )
        yield event


def _excess(event, nodes: int, open_nodes: list) -> tuple[str, str]:
    if getattr(event, "tag", None) not in (None, "!"):
        return f"it has the tag {event.tag!r}", "Leave the tag out."
    if isinstance(event, yaml.AliasEvent) and any(anchor for anchor, _ in open_nodes):
        return f"the alias '*{event.anchor}' is inside something that has an anchor itself", "Write it out."
    if len(open_nodes) > DEEPEST:
        return f"it is nested more than {DEEPEST} deep", "Look for unclosed brackets."
    if nodes > MOST_NODES:
        return (
            f"there are more than {MOST_NODES} entries, with every alias counted in full",
            "Build a model of that size in Python.",
        )
    return "", ""


def _syntax_error(error: Exception, text: str, source: str) -> FileError:
    reason = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error)
    problem = ", ".join(filter(None, [getattr(error, "context", None), reason]))
    mark = getattr(error, "problem_mark", None)
    if mark is None:
        return FileError(source, problem, NOT_YAML)
    line = text.splitlines()[mark.line : mark.line + 1]
    remedy = "Indent with spaces, not with tabs." if line and line[0].lstrip(" ").startswith("\t") else ""
    return FileError(
        source, f"line {mark.line + 1}, column {mark.column + 1}: {problem}", error.note or NOT_YAML, remedy
    )
