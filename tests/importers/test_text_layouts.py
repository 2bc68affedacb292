"""Values in texts of any layout. Oracle: the data from which the text was laid out, with one of its values changed by
hand."""

import copy
import itertools
import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mekane.errors import ModelError
from mekane.importers._yaml_text import read_data
from mekane.importers.text_places import places, quoted, with_value, without

WORDS = [
    "a",
    "arm",
    "l 1",
    "weird: key",
    "it's",
    'say "x"',
    "null",
    "true",
    "😀",
    "ünï",
    "#no",
    "- x",
    "a.b",
    "constructor",
    "__proto__",
]
NUMBER_WORDS = ["1", "2.5", "-3", "1e3"]
SCALARS = [
    1,
    -2.5,
    1e-9,
    "30 deg",
    "5*sin(3*t)",
    "$l/2",
    "x: y",
    "a # b",
    "",
    "two\nlines",
    "tab\there",
    "😀",
    "no",
    "null",
    True,
    None,
]


scalars = st.sampled_from(SCALARS)
keys = st.sampled_from(WORDS + NUMBER_WORDS)
nested = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(keys, inner, max_size=4)),
    max_leaves=12,
)
trees = st.dictionaries(keys, nested, min_size=1, max_size=5)


class Layout:
    """Writes data as YAML in one of very many ways."""

    def __init__(self, draw, line_end):
        self.draw, self.line_end, self.comments = draw, line_end, itertools.count()

    def chance(self, of=3):
        return self.draw(st.integers(0, of - 1)) == 0

    def comment(self):
        return f"# c{next(self.comments)} 😀"

    def tail(self):
        return f"  {self.comment()}" if self.chance() else ""

    def key(self, key):
        return (
            key
            if key in NUMBER_WORDS and self.chance()
            else json.dumps(key, ensure_ascii=False)
            if self.chance()
            else quoted(key)
        )

    def scalar(self, value):
        if not isinstance(value, str):
            return {None: "null", True: "true"}.get(value, repr(value))
        if re.fullmatch(r"[\w$*/() ]+", value) and value not in ("no", "null") and self.chance(2):
            return value
        double = "\n" in value or "\t" in value or self.chance(2)
        return json.dumps(value, ensure_ascii=False) if double else "'" + value.replace("'", "''") + "'"

    def flow(self, value, depth):
        if isinstance(value, dict):
            return self.brackets("{}", [f"{self.key(k)}: {self.flow(v, depth + 1)}" for k, v in value.items()], depth)
        if isinstance(value, list):
            return self.brackets("[]", [self.flow(v, depth + 1) for v in value], depth)
        return self.scalar(value)

    def brackets(self, pair, entries, depth):
        broken = self.chance()
        gap = f"{self.line_end}{' ' * (2 * depth + 3)}"
        between = lambda: f" {self.comment()}{gap}" if broken and self.chance(2) else gap if broken else ""
        text = between().join(["", *(f"{entry}, " for entry in entries[:-1]), *entries[-1:]])
        trailing = "," if entries and self.chance(4) else ""
        return pair[0] + text + trailing + between() + pair[1]

    def block(self, value, depth):
        """Lines of a mapping or a list that stand one below the other."""
        indent, lines = " " * (2 * depth), []
        entries = value.items() if isinstance(value, dict) else [(None, x) for x in value]
        for key, inner in entries:
            if self.chance(4):
                lines.append(f"{indent}{self.comment()}")
            head = f"{indent}{'-' if key is None else self.key(key) + ':'}"
            if isinstance(inner, dict | list) and inner and self.chance(2):
                lines += [head + self.tail(), *self.block(inner, depth + 1)]
            elif inner is None and self.chance(2):
                lines.append(head + self.tail())
            else:
                lines.append(f"{head} {self.flow(inner, depth)}{self.tail()}")
        return lines

    def document(self, data):
        lines = [self.comment()] if self.chance() else []
        if self.chance(4):
            lines.append("---")
        lines += [self.flow(data, 0) + self.tail()] if self.chance(4) else self.block(data, 0)
        if self.chance(4):
            lines += [self.comment(), ""]
        if self.chance(4):
            lines += ["...", self.comment()]
        bom = "\ufeff" if self.chance(6) else ""
        return bom + self.line_end.join(lines) + ("" if self.chance(5) else self.line_end)


@st.composite
def texts(draw):
    layout = Layout(draw, draw(st.sampled_from(["\n", "\r\n"])))
    data = draw(trees)
    return layout.document(data), data


def comments(text):
    return re.findall(r"# c\d+ 😀", text)


def plain(data):
    """Words that look like numbers may be numbers in what is read."""
    if isinstance(data, dict):
        return {word_of(key): plain(value) for key, value in data.items()}
    return [plain(value) for value in data] if isinstance(data, list) else data


def word_of(key):
    return f"{float(key)}" if str(key) in NUMBER_WORDS or not isinstance(key, str) else key


def leaves(data, path=()):
    if isinstance(data, dict | list):
        for key, inner in data.items() if isinstance(data, dict) else enumerate(data):
            yield from leaves(inner, (*path, key))
    else:
        yield path


def put(data, path, value):
    data = copy.deepcopy(data)
    inner = data
    for key in path[:-1]:
        if isinstance(inner, dict) and inner.get(key) is None:
            inner[key] = {}
        inner = inner[key]
    inner[path[-1]] = value
    return data


@settings(max_examples=250, deadline=None, derandomize=True)
@given(texts(), st.data(), st.sampled_from([("7.25", 7.25), ("-3 mm", "-3 mm"), ("1e-06", 1e-6)]))
def test_any_value_of_any_layout(laid_out, choice, value):
    """Only this value changes and every comment stays."""
    text, data = laid_out
    assert plain(read_data(text, "text")) == plain(data)
    known = places(text)
    path = choice.draw(st.sampled_from([*leaves(data)] or [()]))
    if not path:
        return
    written, meant = value
    new = with_value(text, path, written)
    assert plain(read_data(new, "text")) == plain(put(data, path, meant))
    assert comments(new) == comments(text)
    assert known[path].line == text[: known[path].begin].count("\n")
    assert new.count("\r\n") == new.count("\n") or "\r\n" not in text


@settings(max_examples=250, deadline=None, derandomize=True)
@given(texts(), st.data(), keys)
def test_any_entry_can_be_added(laid_out, choice, key):
    """In any mapping, or where nothing is given: what was there stays, and one entry is more."""
    text, data = laid_out
    mappings = [path for path, place in places(text).items() if place.kind == "mapping"]
    path = (*choice.draw(st.sampled_from(mappings)), key, "inner")
    inner = at(data, path[:-2])
    if inner.get(key) is not None:
        return
    new = with_value(text, path, "7.25")
    assert plain(read_data(new, "text")) == plain(put(data, path, 7.25))
    assert comments(new) == comments(text)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(texts(), st.data())
def test_any_entry_can_be_taken_out(laid_out, choice):
    text, data = laid_out
    entries = [path for path in places(text) if path and isinstance(path[-1], str) and (len(path) > 1 or len(data) > 1)]
    if not entries:
        return
    path = choice.draw(st.sampled_from(entries))
    expected = copy.deepcopy(data)
    del at(expected, path[:-1])[path[-1]]
    assert emptied(plain(read_data(without(text, path), "text"))) == emptied(plain(expected))


def emptied(data):
    """Nothing and an empty mapping are alike to a reader of sections."""
    if isinstance(data, dict):
        return {key: emptied(value) for key, value in data.items()} or None
    return [emptied(value) for value in data] if isinstance(data, list) else data


def at(data, path):
    for key in path:
        data = data[key]
    return data


# ---------------------------------------------------------------- anchors

SHARED = "parameters: {k: &stiff 30 N/m, l: *stiff}\nbodies:\n  a: &box\n    mass: 1  # one\n  b: *box\n  c: &thing {mass: 2}\n"


def test_an_anchor_is_changed_for_all_who_refer_to_it():
    new = with_value(SHARED, ("parameters", "k"), "31 N/m")
    assert read_data(new, "text")["parameters"] == {"k": "31 N/m", "l": "31 N/m"} and "&stiff 31 N/m" in new
    new = with_value(SHARED, ("bodies", "a", "mass"), "4")
    assert read_data(new, "text")["bodies"]["b"] == {"mass": 4} and "# one" in new
    new = with_value(SHARED, ("bodies", "a", "velocity"), "[1, 0, 0]")
    assert read_data(new, "text")["bodies"]["b"] == {"mass": 1, "velocity": [1, 0, 0]}
    new = with_value(SHARED, ("bodies", "c", "density"), "3")
    assert read_data(new, "text")["bodies"]["c"] == {"mass": 2, "density": 3}


@pytest.mark.parametrize("path", [("parameters", "l"), ("bodies", "b"), ("bodies", "b", "mass")])
def test_an_alias_is_no_place_to_change(path):
    with pytest.raises(ModelError, match="alias"):
        with_value(SHARED, path, "5")
    assert places(SHARED)["parameters", "l"].number is None


# ---------------------------------------------------------------- values of several lines, and none


@pytest.mark.parametrize(
    "text",
    ["a: |\n  5 *\n  t\nb: 1  # c\n", "a: >-\n  5\n\n# c\nb: 1\n", "a: 5*\n  t   # c\nb: 1\n", "a: '5 *\n\n  t' # c\nb: 1\n",
     "a: # c\n  5\nb: 1\n", "a: ! 5 # c\nb: 1", "a: ~ # c\r\nb: 1\r\n", "a:     # c\nb: 1", "{a: , b: 1} # c", "{a: 5,b: 1} # c",
     '{"a":5,"b":1} # c', "? a\n: 5 # c\nb: 1\n", "a: |2-\n  5\n# c\nb: 1\n"],
)  # fmt: skip
def test_values_of_all_styles(text):
    new = with_value(text, ("a",), "7.25 mm")
    assert read_data(new, "text") == {**read_data(text, "text"), "a": "7.25 mm"} and "# c" in new


# ---------------------------------------------------------------- what cannot be done


@pytest.mark.parametrize(
    "text, path",
    [
        ("a: 1\n", ("a", "b")),  # a number has no entries
        ("a: [1, 2]\n", ("a", 5)),
        ("a: [1, 2]\n", ("a", "b")),
        ("a: {b: 1}\n", ("a",)),  # a whole section is not one value
        ("a: {b: 1}\n", ("a", 3)),
        ("- 1\n", ("a",)),
        ("3\n", ("a", "b")),
        ("", ("a",)),
        ("# nothing\n", ("a", "b")),
    ],
)
def test_what_cannot_be_changed_is_refused(text, path):
    with pytest.raises(ModelError, match="cannot be changed"):
        with_value(text, path, "5")


@pytest.mark.parametrize(
    "text",
    ["a: [1", "a: {b: 1\n", "\ta: 1", "a: &x [*x]\n", "[" * 50_000, "a: !!python/name:os.system x\n", "{[1]: 2}\n", "a: \0", "\ud800",
     "l0: &a0 [x]\n" + "".join(f"l{k}: &a{k} [{', '.join([f'*a{k - 1}'] * 9)}]\n" for k in range(1, 12))],
    ids=lambda text: repr(text[:20]),
)  # fmt: skip
def test_a_text_that_is_none_has_no_places(text):
    """Not even for a moment: aliases are not followed, brackets not descended into."""
    with pytest.raises(ModelError):
        places(text)
