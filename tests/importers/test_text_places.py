"""Values in the text of a model file. Oracle: the text is read as a whole, before and after; only what was changed may
differ."""

import copy

import pytest

from mekane import gallery
from mekane.importers._yaml_text import read_data
from mekane.importers.text_places import places, with_value
from mekane.importers.yaml import dumps

TEXT = """\
# ünïcode 😀 in a comment
system: crank
parameters: {l: 1.0, k: 30 N/m}   # lengths
bodies:
  a: {mass: 1, shape: {rod: $l}, position: [0, 0, $-l/2]}
  b:
    mass: 2 kg  # heavy
    position: [0, 0, 1]
joints:
  h: {pin: [ground, a], at: [0, 0, 0], axis: y,  # a comment
      on_b: [0, 0, 0]  # another, before the bracket
      }
forces: {}
speeds:
"""


def at(data, path):
    for key in path:
        data = data[key]
    return data


def changed(data, path, value):
    data = copy.deepcopy(data)
    inner = data
    for key in path[:-1]:
        if inner.get(key) is None:
            inner[key] = {}
        inner = inner[key]
    inner[path[-1]] = value
    return data


@pytest.mark.parametrize(
    "path, written, value",
    [
        (("parameters", "l"), "2", 2),
        (("parameters", "k"), "31 N/m", "31 N/m"),
        (("parameters", "a b"), "4", 4),
        (("bodies", "b", "mass"), "3 kg", "3 kg"),
        (("bodies", "b", "velocity"), "[1, 2, 3]", [1, 2, 3]),
        (("bodies", "a", "velocity"), "[1, 2, 3]", [1, 2, 3]),
        (("joints", "h", "rate"), "3", 3),
        (("joints", "h", "rate", "angle"), "3", 3),
        (("assemble", "h.angle"), "1", 1),
        (("forces", "push"), "{}", {}),
        (("speeds", "u1"), "h.angle.rate", "h.angle.rate"),
        (("system",), "other", "other"),
    ],
)
def test_one_value_is_changed_and_nothing_else(path, written, value):
    new = with_value(TEXT, path, written)
    assert read_data(new, "text") == changed(read_data(TEXT, "text"), path, value)
    assert [line for line in new.splitlines() if "#" in line and "parameters" not in line][
        0
    ] == "# ünïcode 😀 in a comment"
    for comment in ("# lengths", "# heavy", "# a comment", "# another, before the bracket"):
        assert comment in new


def test_a_value_of_a_list():
    new = with_value(TEXT, ("bodies", "b", "position", 2), "7.5 mm")
    assert at(read_data(new, "text"), ("bodies", "b", "position")) == [0, 0, "7.5 mm"]
    assert new.replace("7.5 mm", "1") == TEXT


@pytest.mark.parametrize("mechanism", gallery.mechanisms(), ids=lambda m: m.name)
def test_places_are_where_the_values_are(mechanism):
    """Every number of every mechanism: the characters there, read alone, are the value that is read at that path."""
    text = dumps(mechanism.system())
    data, numbers = read_data(text, "text"), 0
    for path, place in places(text).items():
        if place.number and isinstance(at(data, path), float | int):
            assert float(text[place.begin : place.end]) == at(data, path) == place.number[0]
            assert text[: place.begin].count("\n") == place.line
            numbers += 1
    assert numbers > 0


@pytest.mark.parametrize("written", ["2*pi", "$l", "sin(3*t)", "- 3", "3 - l", "2*t", "abc", ""])
def test_what_is_no_number(written):
    assert places(f"x: '{written}'\n")["x",].number is None


WITH_UNITS = {
    "30 deg": (30.0, "deg"), "-1.5e3": (-1500.0, ""), ".5 N s/m": (0.5, "N s/m"), "3 kg m²": (3.0, "kg m²"), "90°": (90.0, "°"),
    "4 N*m": (4.0, "N*m"),
}  # fmt: skip


@pytest.mark.parametrize("written, number", WITH_UNITS.items())
def test_what_is_a_number_with_a_unit(written, number):
    assert places(f"x: '{written}'\n")["x",].number == number
