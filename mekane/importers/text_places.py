"""Where in the text of a model file its values stand, and the text with one of them changed: comments and layout stay.

An alias (`*x`) is no place of its own to change: what it stands for is written once, at its anchor (`&x`), and whoever
changes it there changes it for all who refer to it.
"""

import json
import re
from dataclasses import dataclass
from functools import lru_cache

import yaml

from mekane.errors import FileError, ModelError
from mekane.importers._yaml_text import SCALARS, events_of

PLAIN_KEY = re.compile(r"[A-Za-z_](?:[\w.-]*\w)?")
RESERVED = re.compile("|".join(pattern for pattern, _ in SCALARS.values()))  # read as something else than text
NOTHING = re.compile(SCALARS["null"][0])
# with a unit or without
NUMBER = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*((?:[^\W\d_]|[%°])[\w %°/^.*·⋅²³-]*)?")
PROPERTIES = re.compile(r"(?:[&!]\S*(?:\s+(?:#[^\n]*)?)*)*")  # an anchor before a value, and what is between
BOM = "\ufeff"


@dataclass
class Place:
    """A value in a text: characters begin … end − 1, from this line and column on (both count from 0)."""

    path: tuple
    begin: int
    end: int
    line: int
    column: int
    text: str  # the text of a scalar, unquoted; "" of lists, mappings and aliases
    kind: str  # "scalar", "list", "mapping", "alias"
    key: int  # where its entry begins: the key before the colon, or itself in a list
    last: int  # of lists and mappings: where their last value ends; begin if there is none
    after: int  # of lists and mappings: what follows them begins here at the latest

    @property
    def number(self) -> tuple[float, str] | None:
        """(30.0, "deg") of "30 deg"; nothing if it is not a number with a unit or without."""
        found = NUMBER.fullmatch(self.text.strip())
        return (float(found[1]), (found[2] or "").strip()) if found else None


@lru_cache(4)
def places(text: str) -> dict[tuple, Place]:
    """By path: ("joints", "hinge", "rate") or ("gravity", 2), in the order of the text. To be looked at, not
    changed."""
    found = {}
    for place in _walk(text, found):
        found[place.path] = place
    return found


def _walk(text: str, found: dict):
    """Every value as it begins; lists and mappings get their end when it comes."""
    skipped = len(text) - len(text.removeprefix(BOM))
    # open collections: [place, key or index that is next]; anchors of texts, which may be keys, too
    stack, keys = [], {}
    for event in events_of(text, "YAML text"):
        begin, end = event.start_mark.index + skipped, event.end_mark.index + skipped
        if isinstance(event, yaml.CollectionEndEvent):
            _close(stack, found, end if text[end - 1 : end] in ("}", "]") else None, begin)
        elif isinstance(event, yaml.NodeEvent):
            if stack and stack[-1][1] is None:  # the key before a colon
                stack[-1][1:] = [_key(event, keys), begin]
                continue
            place = _place(text, event, stack, begin, end, skipped)
            if place.kind == "scalar" and event.anchor:
                keys[event.anchor] = event.value
            yield place
            if place.kind in ("list", "mapping"):
                stack.append([place, 0 if place.kind == "list" else None, place.begin])
            else:
                _next(stack, place.end)


def _place(text, event, stack, begin, end, skipped) -> Place:
    kind = _kind(event)
    path = (*stack[-1][0].path, stack[-1][1]) if stack else ()
    key = stack[-1][2] if stack and stack[-1][0].kind == "mapping" else begin
    line, column, inner = event.start_mark.line, event.start_mark.column, begin
    if kind != "alias" and (event.anchor or getattr(event, "tag", None)):
        inner = (
            min(PROPERTIES.match(text, begin).end(), end) if kind == "scalar" else PROPERTIES.match(text, begin).end()
        )
        line += text.count("\n", begin, inner)
        column = inner - 1 - text.rfind("\n", 0, inner)
    return Place(
        path, inner, max(end, inner), line, column, event.value if kind == "scalar" else "", kind, key, inner, inner
    )


def _kind(event) -> str:
    kinds = {
        yaml.ScalarEvent: "scalar",
        yaml.SequenceStartEvent: "list",
        yaml.MappingStartEvent: "mapping",
        yaml.AliasEvent: "alias",
    }
    return kinds[type(event)]


def _key(event, keys) -> str:
    if isinstance(event, yaml.ScalarEvent):
        if event.anchor:
            keys[event.anchor] = event.value
        return event.value
    if isinstance(event, yaml.AliasEvent) and event.anchor in keys:
        return keys[event.anchor]
    raise FileError(
        "YAML text",
        f"line {event.start_mark.line + 1}: a key is not plain text",
        "keys are plain text",
        "Write  name: …",
    )


def _close(stack, found, closed, after) -> None:
    """A bracket ends what it closes; what has none ends with its last value."""
    place = stack.pop()[0]
    place.end = place.last if closed is None else closed
    place.after = after
    _next(stack, place.end)


def _next(stack, end) -> None:
    if stack:
        place, at, _ = stack[-1]
        place.last = end
        stack[-1][1] = at + 1 if place.kind == "list" else None


# ---------------------------------------------------------------- changing


def with_value(text: str, path: tuple, value: str, unquoted: str | None = None) -> str:
    """The text with this value there; keys that are missing on the way are added. What cannot be written so raises a
    ModelError.

    unquoted: the text of the value, if it is written in quotes.
    """
    known = places(text)
    if path in known:
        new = _replaced(text, known[path], value)
    else:
        depth = max((k for k in range(len(path)) if path[:k] in known), default=-1)
        outer, inner = known.get(path[:depth] if depth >= 0 else None), value
        for key in reversed(path[depth + 1 :]):
            inner = f"{{{quoted(key)}: {inner}}}"
        new = _added(text, outer, path[depth], inner) if outer else None
    return _checked(text, new, path, value if unquoted is None else unquoted)


def with_part(text: str, section: str, name: str, entry: str) -> str:
    """The text with a part more: in a line of its own after the others of its section, which is made if there is none."""
    known = places(text)
    outer, line_end = known.get((section,)), "\r\n" if "\r\n" in text else "\n"
    line = f"{quoted(name)}: {entry}"
    if outer is not None and outer.kind == "mapping" and text[outer.begin : outer.begin + 1] != "{":
        end = text.find("\n", outer.last)
        before, after = (text, "") if end < 0 else (text[:end].removesuffix("\r"), text[end + 1 :])
        new = f"{before}{line_end}{' ' * _indent(text, outer)}{line}{line_end}{after}"
    elif outer is not None or (() in known and text[known[()].begin : known[()].begin + 1] == "{"):
        return with_value(text, (section, name), entry)
    else:
        begun = f"{text.rstrip()}{line_end}" if text.strip() else ""
        new = f"{begun}{section}:{line_end}  {line}{line_end}"
    return _checked(text, new, (section, name), entry)


def with_text(text: str, path: tuple, unquoted: str) -> str:
    """The text with this text there, in quotes where there were quotes."""
    place = places(text)[path]
    bare = text[place.begin : place.end].strip() == place.text
    return with_value(text, path, unquoted if bare else "'" + unquoted.replace("'", "''") + "'", unquoted)


def without(text: str, path: tuple) -> str:
    """The text without this entry of a mapping."""
    known = places(text)
    place, outer = known[path], known[path[:-1]]
    if text[outer.begin : outer.begin + 1] == "{":
        begin, end = _with_comma(text, outer, place)
        return text[:begin] + text[end:]
    if sum(p[:-1] == path[:-1] for p in known if p) == 1:  # a section with nothing in it
        begin, end = place.key, max(place.end, place.key)
        return text[:begin] + "{}" + text[end:]
    begin, end = text.rfind("\n", 0, place.key) + 1, text.find("\n", place.end)
    if text[begin : place.key].strip():  # "- a: 1": its line is not its own
        begin, end = (
            place.key,
            min(p.key for path_, p in known.items() if path_[:-1] == path[:-1] and p.key > place.key) - 1,
        )
    kept = _comment(text, place.end, len(text) if end < 0 else end)
    return text[:begin] + kept + ("" if end < 0 else text[end + 1 :])


def _comment(text, begin, end) -> str:
    """A comment after an entry that goes stays, in a line of its own."""
    found = re.match(r"\s*(#[^\n]*)", text[begin:end])
    return found[1] + "\n" if found else ""


def _with_comma(text, outer, place) -> tuple[int, int]:
    after = re.compile(r"(?:\s|(?<=\s)#[^\n]*)*,[ \t]*").match(text, place.end)
    if after and "#" not in after[0]:
        return place.key, after.end()
    before = re.compile(r",\s*$").search(text, outer.begin, place.key)
    return (before.start() if before else place.key), place.end


def _replaced(text, place, value):
    if place.kind != "scalar":
        return None
    old = text[place.begin : place.end]
    new = value if old.strip() or text[place.begin - 1 : place.begin] in (" ", "\n", "") else f" {value}"
    tail = old[len(old.rstrip()) :]  # what a text of several lines swallows after its last
    if not old.strip() and text[place.end : place.end + 1] == "#":
        tail += " "
    return text[: place.begin] + new + tail + text[place.end :]


def _added(text: str, outer: Place, key, value: str):
    """An entry more: after the last one of a mapping in braces, at the end of the text, else in a line of its own
    before the others."""
    line_end = "\r\n" if "\r\n" in text else "\n"
    entry = f"{quoted(key)}: {value}"
    if outer.kind == "scalar" and NOTHING.fullmatch(text[outer.begin : outer.end]):
        return _replaced(text, outer, f"{{{entry}}}")
    if outer.kind != "mapping" or not isinstance(key, str):
        return None
    if text[outer.begin : outer.begin + 1] == "{":
        if outer.last == outer.begin:
            return (
                text[: outer.begin + 1]
                + entry
                + " " * (text[outer.begin + 1 : outer.begin + 2] == "#")
                + text[outer.begin + 1 :]
            )
        return f"{text[: outer.last]}, {entry}{text[outer.last :]}"
    if not outer.path:
        rest = text[outer.after :]
        return f"{text[: outer.after].rstrip()}{line_end}{' ' * _indent(text, outer)}{entry}{line_end}{rest}"
    return f"{text[: outer.begin]}{entry}{line_end}{' ' * _indent(text, outer)}{text[outer.begin :]}"


def _indent(text, outer) -> int:
    return (
        outer.begin - 1 - text.rfind("\n", 0, outer.begin) - (text.startswith(BOM) and "\n" not in text[: outer.begin])
    )


def _checked(text, new, path, value) -> str:
    """The new text, if its content is unchanged but for this one value."""
    if new is not None:
        try:
            if _is_all(_texts(places(text)), _texts(places(new)), path, value):
                return new
        except ModelError:
            pass
    aliased = any(place.kind == "alias" and path[: len(place.path)] == place.path for place in places(text).values())
    why = (
        "it is given by an alias: it stands elsewhere" if aliased else "it does not stand there as one value of its own"
    )
    problem = f"{' › '.join(map(str, path))} cannot be changed: {why}"
    raise ModelError("slider", problem, "one value of its own is expected", "Change it in the text.")


def _texts(known) -> dict:
    return {path: (place.kind, place.text) for path, place in known.items()}


def _is_all(before, after, path, value) -> bool:
    if path not in after or (after[path][0] == "scalar" and after[path][1] != value):
        return False
    inside = lambda p: p[: len(path)] == path or p == path[: len(p)]
    return {p: s for p, s in before.items() if not inside(p)} == {p: s for p, s in after.items() if not inside(p)}


def quoted(key) -> str:
    key = str(key)
    if PLAIN_KEY.fullmatch(key) and not RESERVED.fullmatch(key):
        return key
    return "'" + key.replace("'", "''") + "'" if key.isprintable() else json.dumps(key, ensure_ascii=False)
